//! Runs content streams: what they show and paint, in page coordinates.

mod color;
mod marked;
mod text;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use lopdf::{Dictionary, Document, Object, ObjectId, Stream};

use super::fonts::Font;
use super::glyph::PlacedGlyph;
use super::layers::Layers;
use super::lexer::{Lexer, Operand};
use super::limits::{MAX_CONTENT, MAX_FORM_DEPTH, MAX_FORMS, MAX_OPERATORS, MAX_STATE_DEPTH, OPERATORS_A_LOOK};
use super::matrix::Matrix;
use super::objects;
use super::paint::{Marks, Path};
use super::state::GraphicsState;
use crate::document::BBox;
use color::Colors;
use marked::Marked;

/// Gives fonts by their dictionary; shared by the pages of a file.
pub(crate) trait FontSource {
    fn font(&self, key: FontKey, dict: &Dictionary) -> Arc<Font>;
}

/// Identifies a font within a file: by object, or by address where the dictionary stands in the resources themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum FontKey {
    Id(ObjectId),
    Address(usize),
    /// Stands in for a font that the resources lack.
    Missing,
}

/// What running a page's content gives.
#[derive(Default)]
pub(crate) struct Drawing {
    pub(crate) glyphs: Vec<PlacedGlyph>,
    pub(crate) marks: Marks,
    /// Fonts by the index that glyphs carry.
    pub(crate) fonts: Vec<Arc<Font>>,
    /// The page took too long, and is not whole.
    pub(crate) timed_out: bool,
}

pub(crate) struct Interpreter<'a> {
    doc: &'a Document,
    source: &'a dyn FontSource,
    layers: &'a Layers,
    drawing: Drawing,
    font_indices: HashMap<FontKey, u16>,
    colors: Colors,
    /// The visible page, in page coordinates.
    page: BBox,
    state: GraphicsState,
    saved: Vec<GraphicsState>,
    /// Open marked-content sequences, and how many of them are hidden.
    marked: Vec<Marked>,
    hidden: usize,
    /// The identifier that the open sequences give to content, and whether they mark it as an artifact.
    content_marks: (Option<u32>, bool),
    path: Path,
    /// Whether painting the path will also clip to it.
    clip_pending: bool,
    text_matrix: Matrix,
    line_matrix: Matrix,
    deadline: Instant,
    operators_left: usize,
    forms_left: usize,
    content_left: usize,
    /// Forms that are running, by address: one that draws itself is left out.
    active_forms: Vec<usize>,
}

/// Resources of the content that is running.
#[derive(Clone, Copy)]
struct Scope<'a> {
    resources: Option<&'a Dictionary>,
    depth: usize,
}

impl<'a> Interpreter<'a> {
    /// `view` maps user space to page coordinates; `page` is the visible page in those.
    pub(crate) fn new(
        doc: &'a Document,
        source: &'a dyn FontSource,
        layers: &'a Layers,
        view: Matrix,
        page: BBox,
        deadline: Instant,
    ) -> Self {
        Self {
            doc,
            source,
            layers,
            drawing: Drawing::default(),
            font_indices: HashMap::new(),
            colors: Colors::default(),
            page,
            state: GraphicsState::new(view, page),
            saved: Vec::new(),
            marked: Vec::new(),
            hidden: 0,
            content_marks: (None, false),
            path: Path::default(),
            clip_pending: false,
            text_matrix: Matrix::IDENTITY,
            line_matrix: Matrix::IDENTITY,
            deadline,
            operators_left: MAX_OPERATORS,
            forms_left: MAX_FORMS,
            content_left: MAX_CONTENT,
            active_forms: Vec::new(),
        }
    }

    /// Runs a page's content.
    pub(crate) fn run_page(&mut self, content: &[u8], resources: Option<&'a Dictionary>) {
        let start = self.state.clone();
        self.run(content, Scope { resources, depth: 0 });
        self.state = start;
    }

    /// Draws an annotation's appearance into its rectangle, given in user space.
    pub(crate) fn run_appearance(&mut self, form: &'a Stream, rect: BBox) {
        let numbers = |key| objects::get_numbers(self.doc, &form.dict, key);
        let matrix = numbers(b"Matrix").and_then(|m| Matrix::from_slice(&m)).unwrap_or(Matrix::IDENTITY);
        let Some(&[x0, y0, x1, y1]) = numbers(b"BBox").as_deref() else { return };
        let mut path = Path::default();
        path.rectangle(&matrix, x0, y0, x1 - x0, y1 - y0);
        let Some(from) = path.bbox().filter(|from| from.width() > 0.0 && from.height() > 0.0) else { return };
        let (sx, sy) = (rect.width() / from.width(), rect.height() / from.height());
        let fit = Matrix::new(sx, 0.0, 0.0, sy, rect.x0 - from.x0 * sx, rect.y0 - from.y0 * sy);
        let start = self.state.clone();
        self.state.ctm = fit.then(&self.state.ctm);
        self.draw_form(form, Scope { resources: None, depth: 0 });
        self.state = start;
    }

    /// What has been drawn.
    pub(crate) fn finish(self) -> Drawing {
        self.drawing
    }

    fn run(&mut self, content: &[u8], scope: Scope<'a>) {
        let (floor, open) = (self.saved.len(), self.marked.len());
        let mut lexer = Lexer::new(content);
        while let Some(operator) = lexer.next_operator() {
            let Some(left) = self.operators_left.checked_sub(1) else { break };
            self.operators_left = left;
            if left % OPERATORS_A_LOOK == 0 {
                self.drawing.timed_out |= Instant::now() > self.deadline;
            }
            if self.drawing.timed_out {
                break;
            }
            self.execute(operator, &lexer, scope, floor);
        }
        self.close_marked(open);
        self.saved.truncate(floor);
    }

    fn execute(&mut self, operator: &[u8], ops: &Lexer<'_>, scope: Scope<'a>, floor: usize) {
        match operator {
            b"q" => {
                if self.saved.len() < MAX_STATE_DEPTH + floor {
                    self.saved.push(self.state.clone());
                }
            }
            b"Q" => {
                if self.saved.len() > floor
                    && let Some(state) = self.saved.pop()
                {
                    self.state = state;
                }
            }
            b"cm" => {
                if let Some(m) = ops.numbers_exact::<6>().and_then(|v| Matrix::from_slice(&v)) {
                    let ctm = m.then(&self.state.ctm);
                    if ctm.is_usable() {
                        self.state.ctm = ctm;
                    }
                }
            }
            b"w" => {
                if let Some([width]) = ops.numbers_exact() {
                    self.state.line_width = width;
                }
            }
            b"sh" => self.paint_shading(ops, scope),
            b"gs" => self.extended_state(ops, scope),
            b"Do" => self.draw_object(ops, scope),
            b"BI" => self.draw_image(None),
            b"BMC" | b"BDC" => self.begin_marked(ops, scope),
            b"EMC" => self.end_marked(),
            b"m" | b"l" | b"c" | b"v" | b"y" | b"h" | b"re" => self.build_path(operator, ops),
            b"W" | b"W*" => self.clip_pending = true,
            b"S" | b"s" | b"f" | b"F" | b"f*" | b"B" | b"B*" | b"b" | b"b*" | b"n" => self.paint_path(operator),
            b"g" | b"rg" | b"k" | b"G" | b"RG" | b"K" | b"cs" | b"CS" | b"sc" | b"scn" | b"SC" | b"SCN" => {
                self.set_color(operator, ops, scope);
            }
            _ => self.execute_text(operator, ops, scope),
        }
    }

    fn build_path(&mut self, operator: &[u8], ops: &Lexer<'_>) {
        let ctm = self.state.ctm;
        match operator {
            b"h" => self.path.close(&ctm),
            b"re" => {
                if let Some([x, y, w, h]) = ops.numbers_exact() {
                    self.path.rectangle(&ctm, x, y, w, h);
                }
            }
            b"m" => {
                if let Some([x, y]) = ops.numbers_exact() {
                    self.path.move_to(&ctm, x, y);
                }
            }
            b"l" => {
                if let Some([x, y]) = ops.numbers_exact() {
                    self.path.line_to(&ctm, x, y);
                }
            }
            b"c" => {
                if let Some(points) = ops.numbers_exact::<6>() {
                    self.path.curve_to(&ctm, &points);
                }
            }
            _ => {
                if let Some(points) = ops.numbers_exact::<4>() {
                    self.path.curve_to(&ctm, &points);
                }
            }
        }
    }

    fn paint_path(&mut self, operator: &[u8]) {
        if matches!(operator, b"s" | b"b" | b"b*") {
            self.path.close(&self.state.ctm);
        }
        let visible = self.hidden == 0;
        if visible
            && matches!(operator, b"f" | b"F" | b"f*" | b"B" | b"B*" | b"b" | b"b*")
            && self.state.fill.alpha.0 > 0.0
        {
            self.drawing.marks.fill(&self.path, self.state.fill.visible(), &self.state.clip);
        }
        if visible && matches!(operator, b"S" | b"s" | b"B" | b"B*" | b"b" | b"b*") && self.state.stroke.alpha.0 > 0.0 {
            let width = self.state.line_width.abs() * self.state.ctm.scale();
            self.drawing.marks.stroke(&self.path, width, self.state.stroke.visible(), &self.state.clip);
        }
        if std::mem::take(&mut self.clip_pending) {
            self.clip_to(self.path.hull());
        }
        self.path.clear();
    }

    /// Narrows the clip to the box of a path; as in most viewers, one without points changes nothing.
    fn clip_to(&mut self, path: Option<BBox>) {
        const NOTHING: BBox = BBox { x0: -1.0, y0: -1.0, x1: -1.0, y1: -1.0 };
        if let Some(path) = path {
            self.state.clip = path.intersection(&self.state.clip).unwrap_or(NOTHING);
        }
    }

    fn resource(&self, scope: Scope<'a>, category: &[u8], name: &[u8]) -> Option<&'a Object> {
        objects::get(self.doc, objects::get_dict(self.doc, scope.resources?, category)?, name)
    }

    fn draw_object(&mut self, ops: &Lexer<'_>, scope: Scope<'a>) {
        let name = ops.operands.first().and_then(Operand::name);
        let Some(Object::Stream(stream)) = name.and_then(|name| self.resource(scope, b"XObject", name)) else { return };
        if self.hidden > 0 || stream.dict.get(b"OC").is_ok_and(|owner| self.layers.hides(self.doc, owner)) {
            return;
        }
        match objects::get_name(self.doc, &stream.dict, b"Subtype") {
            Some(b"Image") => self.draw_image(Some(&stream.dict)),
            Some(b"Form") => self.draw_form(stream, scope),
            _ => {}
        }
    }

    fn draw_image(&mut self, dict: Option<&Dictionary>) {
        let stencil = dict
            .and_then(|d| objects::get(self.doc, d, b"ImageMask"))
            .is_some_and(|o| matches!(o, Object::Boolean(true)));
        let mut unit = Path::default();
        unit.rectangle(&self.state.ctm, 0.0, 0.0, 1.0, 1.0);
        if let Some(bbox) = unit.bbox().filter(|_| self.hidden == 0) {
            let color = stencil.then(|| self.state.fill.visible());
            self.drawing.marks.image(bbox, color, &self.state.clip);
        }
    }

    fn draw_form(&mut self, form: &'a Stream, scope: Scope<'a>) {
        let address = std::ptr::from_ref(form).addr();
        if scope.depth >= MAX_FORM_DEPTH || self.forms_left == 0 || self.active_forms.contains(&address) {
            return;
        }
        self.forms_left -= 1;
        let Some(content) = objects::stream_data(self.doc, form, self.content_left) else { return };
        self.content_left -= content.len().min(self.content_left);
        let outer = self.state.clone();
        let (text_matrix, line_matrix) = (self.text_matrix, self.line_matrix);
        let matrix = objects::get_numbers(self.doc, &form.dict, b"Matrix").and_then(|m| Matrix::from_slice(&m));
        if let Some(matrix) = matrix {
            self.state.ctm = matrix.then(&self.state.ctm);
        }
        if let Some([x0, y0, x1, y1]) = objects::get_numbers(self.doc, &form.dict, b"BBox").as_deref() {
            let mut path = Path::default();
            path.rectangle(&self.state.ctm, *x0, *y0, x1 - x0, y1 - y0);
            self.clip_to(path.bbox());
        }
        if self.state.ctm.is_usable() {
            let resources = objects::get_dict(self.doc, &form.dict, b"Resources").or(scope.resources);
            self.active_forms.push(address);
            self.run(&content, Scope { resources, depth: scope.depth + 1 });
            self.active_forms.pop();
        }
        self.state = outer;
        (self.text_matrix, self.line_matrix) = (text_matrix, line_matrix);
        self.path.clear();
    }
}
