//! Text operators: from strings to glyphs on the page.

use std::sync::Arc;

use lopdf::{Dictionary, Object};

use super::super::fonts::Font;
use super::super::glyph::{Glyph, PlacedGlyph, angle_of};
use super::super::lexer::{Lexer, Operand};
use super::super::limits::MAX_GLYPHS;
use super::super::matrix::Matrix;
use super::super::objects;
use super::super::paint::is_white;
use super::super::state::TextState;
use super::{FontKey, Interpreter, Scope};

/// Width of an outline around filled letters that makes them look bold, by font size.
const HEAVY: f32 = 0.01;

/// What text is painted with.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Ink {
    /// Nothing: an OCR layer.
    None,
    /// White only: seen on coloured ground, and else hidden.
    White,
    Color,
}

impl<'a> Interpreter<'a> {
    pub(super) fn execute_text(&mut self, operator: &[u8], ops: &Lexer<'_>, scope: Scope<'a>) {
        let first = ops.numbers().next();
        let text = &mut self.state.text;
        match (operator, first) {
            (b"BT", _) => {
                self.text_matrix = Matrix::IDENTITY;
                self.line_matrix = Matrix::IDENTITY;
            }
            (b"Tc", Some(value)) => text.char_space = value,
            (b"Tw", Some(value)) => text.word_space = value,
            (b"Tz", Some(value)) => text.h_scale = value / 100.0,
            (b"TL", Some(value)) => text.leading = value,
            (b"Ts", Some(value)) => text.rise = value,
            (b"Tr", Some(value)) => text.mode = value as i32,
            (b"Tf", _) => self.set_font(ops, scope),
            (b"Td", _) => self.move_line(ops.numbers_exact()),
            (b"TD", _) => {
                if let Some([_, y]) = ops.numbers_exact() {
                    text.leading = -y;
                }
                self.move_line(ops.numbers_exact());
            }
            (b"Tm", _) => {
                if let Some(matrix) = ops.numbers_exact::<6>().and_then(|v| Matrix::from_slice(&v)) {
                    self.text_matrix = matrix;
                    self.line_matrix = matrix;
                }
            }
            (b"T*", _) => self.next_line(),
            (b"Tj", _) => self.show_operand(ops.operands.last()),
            (b"'", _) => {
                self.next_line();
                self.show_operand(ops.operands.last());
            }
            (b"\"", _) => {
                if let Some([word_space, char_space]) = ops.numbers_exact() {
                    text.word_space = word_space;
                    text.char_space = char_space;
                }
                self.next_line();
                self.show_operand(ops.operands.last());
            }
            (b"TJ", _) => self.show_operand(ops.operands.last()),
            _ => {}
        }
    }

    fn set_font(&mut self, ops: &Lexer<'_>, scope: Scope<'a>) {
        let name = ops.operands.first().and_then(Operand::name);
        if let Some(size) = ops.numbers().next() {
            self.state.text.set_size(size);
        }
        let fonts = scope.resources.and_then(|resources| objects::get_dict(self.doc, resources, b"Font"));
        let found = fonts.zip(name).and_then(|(fonts, name)| self.font_index(fonts.get(name).ok()?));
        self.state.text.font = found;
    }

    /// The current font. Text in a font that is missing is read in a standard one: that is what viewers show.
    fn current_font(&mut self) -> Option<(u16, Arc<Font>)> {
        let index = match self.state.text.font {
            Some(index) => index,
            None => self.register_font(FontKey::Missing, &Dictionary::new())?,
        };
        self.state.text.font = Some(index);
        Some((index, Arc::clone(self.drawing.fonts.get(usize::from(index))?)))
    }

    /// The page's index of a font given as a dictionary or a reference to one.
    pub(super) fn font_index(&mut self, object: &'a Object) -> Option<u16> {
        let (id, resolved) = self.doc.dereference(object).ok()?;
        let dict = objects::as_dict(resolved)?;
        let key = id.map_or_else(|| FontKey::Address(std::ptr::from_ref(dict).addr()), FontKey::Id);
        self.register_font(key, dict)
    }

    fn register_font(&mut self, key: FontKey, dict: &Dictionary) -> Option<u16> {
        if let Some(index) = self.font_indices.get(&key) {
            return Some(*index);
        }
        let index = u16::try_from(self.drawing.fonts.len()).ok()?;
        self.drawing.fonts.push(self.source.font(key, dict));
        self.font_indices.insert(key, index);
        Some(index)
    }

    fn move_line(&mut self, offset: Option<[f32; 2]>) {
        if let Some([x, y]) = offset {
            self.line_matrix = Matrix::translation(x, y).then(&self.line_matrix);
            self.text_matrix = self.line_matrix;
        }
    }

    fn next_line(&mut self) {
        self.move_line(Some([0.0, -self.state.text.leading]));
    }

    fn show_operand(&mut self, operand: Option<&Operand>) {
        match operand {
            Some(Operand::String(bytes)) => self.show(bytes),
            Some(Operand::Array(items)) => {
                for item in items {
                    match item {
                        Operand::String(bytes) => self.show(bytes),
                        Operand::Number(adjust) => self.adjust(*adjust),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    /// Moves by a number of a `TJ` array: thousandths of the font size, against the writing direction.
    fn adjust(&mut self, amount: f32) {
        let text = &self.state.text;
        let distance = -amount / 1000.0 * text.size;
        let font = text.font.and_then(|index| self.drawing.fonts.get(usize::from(index)));
        if font.is_some_and(|font| font.is_vertical()) {
            self.advance(0.0, distance);
        } else {
            self.advance(distance * text.h_scale, 0.0);
        }
    }

    fn advance(&mut self, x: f32, y: f32) {
        self.text_matrix = Matrix::translation(x, y).then(&self.text_matrix);
    }

    /// What a text rendering mode paints with, in the current colours.
    fn ink(&self, mode: i32) -> Ink {
        let (fill, stroke) = (Some(&self.state.fill), Some(&self.state.stroke));
        let paints = match mode {
            1 | 5 => [None, stroke],
            2 | 6 => [fill, stroke],
            3 | 7 => [None, None],
            _ => [fill, None],
        };
        let painted = paints.into_iter().flatten().filter(|paint| paint.alpha.0 > 0.0);
        painted.fold(Ink::None, |ink, paint| match ink {
            Ink::Color => ink,
            _ if is_white(paint.visible()) => Ink::White,
            _ => Ink::Color,
        })
    }

    fn show(&mut self, bytes: &[u8]) {
        let Some((index, font)) = self.current_font() else { return };
        let text = self.state.text.clone();
        let ink = self.ink(text.mode);
        let outlined = matches!(text.mode, 2 | 6) && ink == Ink::Color;
        let outline = if outlined { self.state.line_width.abs() * self.state.ctm.scale() } else { 0.0 };
        font.decode(bytes, |glyph| {
            let (layout, advance) = Layout::new(&glyph, &font, &text);
            let (mcid, artifact) = self.content_marks;
            let to_page = self.text_matrix.then(&self.state.ctm);
            if self.hidden == 0
                && self.drawing.glyphs.len() < MAX_GLYPHS
                && let Some(placed) = layout.place(glyph, &font, index, &text, &to_page)
                && (placed.text.is_space() || placed.shows_in(&self.state.clip))
            {
                let invisible = match ink {
                    Ink::None => true,
                    Ink::White => {
                        let bbox = placed.bbox();
                        !self.drawing.marks.is_on_color(bbox.center_x(), bbox.center_y())
                    }
                    Ink::Color => false,
                };
                self.drawing.glyphs.push(PlacedGlyph {
                    invisible,
                    heavy: outline > HEAVY * placed.size,
                    mcid,
                    artifact,
                    ..placed
                });
            }
            self.advance(advance.0, advance.1);
        });
    }
}

/// Where a glyph lies relative to the text position, in text space.
struct Layout {
    start: (f32, f32),
    end: (f32, f32),
    up: (f32, f32),
    down: (f32, f32),
}

impl Layout {
    /// The layout of a glyph, and how far the text position moves.
    fn new(glyph: &Glyph, font: &Font, text: &TextState) -> (Self, (f32, f32)) {
        let spacing = text.char_space + if glyph.word_space { text.word_space } else { 0.0 };
        let width = glyph.width * text.size * text.h_scale;
        match glyph.vertical {
            None => {
                let layout = Self {
                    start: (0.0, text.rise),
                    end: (width, text.rise),
                    up: (0.0, font.style.ascent * text.size),
                    down: (0.0, font.style.descent * text.size),
                };
                (layout, (width + spacing * text.h_scale, 0.0))
            }
            // Upright glyphs one below the other: the centre line of the column is the baseline, turned downwards.
            Some(vertical) => {
                let length = vertical.advance * text.size;
                let left = -vertical.origin_x * text.size * text.h_scale;
                let layout = Self { start: (0.0, 0.0), end: (0.0, length), up: (left + width, 0.0), down: (left, 0.0) };
                (layout, (0.0, length + spacing))
            }
        }
    }

    /// The glyph in page coordinates; `None` where they are not finite.
    fn place(self, glyph: Glyph, font: &Font, index: u16, text: &TextState, to_page: &Matrix) -> Option<PlacedGlyph> {
        let vector = |(x, y): (f32, f32)| to_page.apply_vector(x, y);
        let length = |(x, y): (f32, f32)| x.hypot(y);
        let direction = if glyph.vertical.is_some() {
            vector((0.0, -1.0))
        } else {
            vector((if text.size * text.h_scale < 0.0 { -1.0 } else { 1.0 }, 0.0))
        };
        let start = to_page.apply(self.start.0, self.start.1);
        let end = to_page.apply(self.end.0, self.end.1);
        let space = font.space_width.map(|width| length(vector((width * text.size * text.h_scale, 0.0))));
        let size = length(vector((0.0, text.size))) * font.size_factor;
        let finite = [start.0, start.1, end.0, end.1, size].iter().all(|v| v.is_finite());
        finite.then(|| PlacedGlyph {
            text: glyph.text,
            start,
            end,
            up: vector(self.up),
            down: vector(self.down),
            size,
            space,
            angle: angle_of(direction.0, direction.1),
            font: index,
            invisible: false,
            heavy: false,
            mcid: None,
            artifact: false,
        })
    }
}
