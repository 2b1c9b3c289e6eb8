//! Colour and extended graphics state operators.

use std::collections::HashMap;

use lopdf::Dictionary;

use super::super::color::{self, ColorSpace, MID_TONE, Rgb};
use super::super::lexer::{Lexer, Operand};
use super::super::objects;
use super::super::state::Alpha;
use super::{Interpreter, Scope};

/// Colour spaces, and shadings, read of one page.
const MAX_COLORS: usize = 128;

/// What the resources of a page say of colours, read so far, by address.
#[derive(Debug, Default)]
pub(super) struct Colors {
    spaces: HashMap<usize, ColorSpace>,
    shadings: HashMap<usize, Rgb>,
}

impl<'a> Interpreter<'a> {
    pub(super) fn set_color(&mut self, operator: &[u8], ops: &Lexer<'_>, scope: Scope<'a>) {
        let stroking = operator.iter().all(|b| b.is_ascii_uppercase());
        let values: Vec<f32> = ops.numbers().collect();
        let space = match operator {
            b"g" | b"G" => Some(ColorSpace::Gray),
            b"rg" | b"RG" => Some(ColorSpace::Rgb),
            b"k" | b"K" => Some(ColorSpace::Cmyk),
            b"cs" | b"CS" => {
                let name = ops.operands.first().and_then(Operand::name);
                Some(name.map_or(ColorSpace::Gray, |name| self.color_space(name, scope)))
            }
            _ => None,
        };
        let pattern = match (operator, ops.operands.last()) {
            (b"scn" | b"SCN", Some(Operand::Name(name))) => self.pattern_color(name, scope),
            _ => None,
        };
        let paint = if stroking { &mut self.state.stroke } else { &mut self.state.fill };
        match (space, operator) {
            (Some(space), b"cs" | b"CS") => {
                paint.rgb = space.initial();
                paint.space = space;
            }
            (Some(space), _) if !values.is_empty() => paint.set(space, &values),
            _ => paint.rgb = pattern.unwrap_or_else(|| paint.space.rgb(&values)),
        }
    }

    /// A colour space by its name in content.
    fn color_space(&mut self, name: &[u8], scope: Scope<'a>) -> ColorSpace {
        if let Some(space) = ColorSpace::by_name(name) {
            return space;
        }
        let Some(object) = self.resource(scope, b"ColorSpace", name) else { return ColorSpace::Gray };
        let address = std::ptr::from_ref(object).addr();
        if let Some(space) = self.colors.spaces.get(&address) {
            return space.clone();
        }
        if self.colors.spaces.len() >= MAX_COLORS {
            return ColorSpace::Gray;
        }
        let space = ColorSpace::load(self.doc, object);
        self.colors.spaces.insert(address, space.clone());
        space
    }

    /// The colour that stands for a pattern; `None` for one that is painted in the current colour.
    fn pattern_color(&mut self, name: &[u8], scope: Scope<'a>) -> Option<Rgb> {
        let pattern = self.resource(scope, b"Pattern", name).and_then(objects::as_dict)?;
        if let Some(shading) = objects::get_dict(self.doc, pattern, b"Shading") {
            return Some(self.shading_color(shading));
        }
        (objects::get_number(self.doc, pattern, b"PaintType") != Some(2.0)).then_some(MID_TONE)
    }

    fn shading_color(&mut self, shading: &Dictionary) -> Rgb {
        let address = std::ptr::from_ref(shading).addr();
        if let Some(rgb) = self.colors.shadings.get(&address) {
            return *rgb;
        }
        if self.colors.shadings.len() >= MAX_COLORS {
            return MID_TONE;
        }
        let rgb = color::of_shading(self.doc, shading);
        self.colors.shadings.insert(address, rgb);
        rgb
    }

    /// `sh`: fills the clip. Without one it is the page's background, which says nothing of its contents.
    pub(super) fn paint_shading(&mut self, ops: &Lexer<'_>, scope: Scope<'a>) {
        let name = ops.operands.first().and_then(Operand::name);
        let shading = name.and_then(|name| self.resource(scope, b"Shading", name)).and_then(objects::as_dict);
        if let Some(shading) = shading.filter(|_| self.hidden == 0) {
            let background = self.state.clip == self.page;
            let rgb = self.shading_color(shading);
            self.drawing.marks.shade(&self.state.clip, rgb, background);
        }
    }

    pub(super) fn extended_state(&mut self, ops: &Lexer<'_>, scope: Scope<'a>) {
        let name = ops.operands.first().and_then(Operand::name);
        let dict = name.and_then(|name| self.resource(scope, b"ExtGState", name)).and_then(objects::as_dict);
        let Some(dict) = dict else { return };
        let number = |key: &[u8]| objects::get_number(self.doc, dict, key);
        if let Some(width) = number(b"LW") {
            self.state.line_width = width;
        }
        if let Some(alpha) = number(b"ca") {
            self.state.fill.alpha = Alpha(alpha);
        }
        if let Some(alpha) = number(b"CA") {
            self.state.stroke.alpha = Alpha(alpha);
        }
        if let Some([font, size]) = objects::get_array(self.doc, dict, b"Font")
            && let Some(size) = objects::number(size)
        {
            self.state.text.font = self.font_index(font);
            self.state.text.set_size(size);
        }
    }
}
