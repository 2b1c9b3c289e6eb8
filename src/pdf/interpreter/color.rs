//! Colour and extended graphics state operators.

use lopdf::Object;

use super::super::lexer::{Lexer, Operand};
use super::super::objects;
use super::super::state::{Alpha, ColorSpace};
use super::{Interpreter, Scope};

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
        let paint = if stroking { &mut self.state.stroke } else { &mut self.state.fill };
        match (space, operator) {
            (Some(space), b"cs" | b"CS") => {
                paint.space = space;
                paint.rgb = space.initial();
            }
            (Some(space), _) if !values.is_empty() => paint.set(space, &values),
            _ => paint.rgb = paint.space.rgb(&values),
        }
    }

    fn color_space(&self, name: &[u8], scope: Scope<'a>) -> ColorSpace {
        match name {
            b"DeviceGray" | b"G" | b"CalGray" => ColorSpace::Gray,
            b"DeviceRGB" | b"RGB" | b"CalRGB" => ColorSpace::Rgb,
            b"DeviceCMYK" | b"CMYK" => ColorSpace::Cmyk,
            b"Pattern" => ColorSpace::Opaque,
            _ => self.resource(scope, b"ColorSpace", name).map_or(ColorSpace::Gray, |o| self.color_space_of(o)),
        }
    }

    fn color_space_of(&self, object: &Object) -> ColorSpace {
        let Object::Array(parts) = object else {
            return match object.as_name() {
                Ok(b"DeviceRGB" | b"CalRGB") => ColorSpace::Rgb,
                Ok(b"DeviceCMYK") => ColorSpace::Cmyk,
                Ok(b"Pattern") => ColorSpace::Opaque,
                _ => ColorSpace::Gray,
            };
        };
        let mut parts = parts.iter().filter_map(|part| objects::resolve(self.doc, part));
        match parts.next().and_then(|family| family.as_name().ok()) {
            Some(b"CalRGB") => ColorSpace::Rgb,
            Some(b"Lab") => ColorSpace::Lab,
            Some(b"Separation" | b"DeviceN") => ColorSpace::Ink,
            Some(b"Pattern" | b"Indexed") => ColorSpace::Opaque,
            Some(b"ICCBased") => {
                let count =
                    parts.next().and_then(objects::as_dict).and_then(|d| objects::get_number(self.doc, d, b"N"));
                ColorSpace::of_components(count.unwrap_or(1.0) as usize)
            }
            _ => ColorSpace::Gray,
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
            self.state.text.size = size;
        }
    }
}
