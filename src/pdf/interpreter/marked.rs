//! Marked content: hidden layers, and replacement text for glyphs that have none of their own.

use lopdf::Object;

use super::super::glyph::GlyphText;
use super::super::lexer::{Lexer, Operand};
use super::super::limits::MAX_STATE_DEPTH;
use super::super::{objects, text_string};
use super::{Interpreter, Scope};

/// A marked-content identifier.
fn mcid_of(number: f32) -> Option<u32> {
    (number >= 0.0).then_some(number as u32)
}

/// A marked-content sequence that is open.
#[derive(Debug)]
pub(super) struct Marked {
    /// Belongs to a layer that is switched off.
    hidden: bool,
    /// `/ActualText`, and the number of glyphs placed before the sequence.
    actual_text: Option<(String, usize)>,
    /// What content outside it is marked with.
    outer: (Option<u32>, bool),
}

impl<'a> Interpreter<'a> {
    /// `BMC` and `BDC`.
    pub(super) fn begin_marked(&mut self, ops: &Lexer<'_>, scope: Scope<'a>) {
        let mut marked = Marked { hidden: false, actual_text: None, outer: self.content_marks };
        let placed = self.drawing.glyphs.len();
        match (ops.operands.first().and_then(Operand::name), ops.operands.get(1)) {
            (Some(b"OC"), Some(Operand::Name(name))) => {
                let properties = scope.resources.and_then(|dict| objects::get_dict(self.doc, dict, b"Properties"));
                let owner = properties.and_then(|properties| properties.get(name).ok());
                marked.hidden = owner.is_some_and(|owner| self.layers.hides(self.doc, owner));
            }
            (_, Some(Operand::Name(name))) => {
                let dict = self.resource(scope, b"Properties", name).and_then(objects::as_dict);
                let text = dict.and_then(|dict| objects::get(self.doc, dict, b"ActualText"));
                if let Some(Object::String(bytes, _)) = text {
                    marked.actual_text = Some((text_string::decode(bytes), placed));
                }
                let mcid = dict.and_then(|dict| objects::get_number(self.doc, dict, b"MCID"));
                self.content_marks.0 = mcid.and_then(mcid_of).or(self.content_marks.0);
            }
            (_, Some(Operand::Dict(entries))) => {
                let text = entries.iter().find(|(key, _)| key == b"ActualText").and_then(|(_, value)| value.string());
                marked.actual_text = text.map(|bytes| (text_string::decode(bytes), placed));
                let mcid = entries.iter().find(|(key, _)| key == b"MCID").and_then(|(_, value)| value.number());
                self.content_marks.0 = mcid.and_then(mcid_of).or(self.content_marks.0);
            }
            _ => {}
        }
        self.content_marks.1 |= ops.operands.first().and_then(Operand::name) == Some(b"Artifact");
        if self.marked.len() < MAX_STATE_DEPTH {
            self.hidden += usize::from(marked.hidden);
            self.marked.push(marked);
        }
    }

    /// `EMC`.
    pub(super) fn end_marked(&mut self) {
        let Some(marked) = self.marked.pop() else { return };
        self.hidden -= usize::from(marked.hidden);
        self.content_marks = marked.outer;
        if let Some((text, from)) = marked.actual_text {
            self.replace_text(&text, from);
        }
    }

    /// Closes what the content that began at this depth left open.
    pub(super) fn close_marked(&mut self, depth: usize) {
        while self.marked.len() > depth {
            self.end_marked();
        }
    }

    /// Gives a sequence its replacement text if one of its glyphs has no Unicode value. Text of several words says
    /// nothing of where they stand, so it is not used.
    fn replace_text(&mut self, text: &str, from: usize) {
        let Some([first, rest @ ..]) = self.drawing.glyphs.get_mut(from..) else { return };
        let unknown = !first.text.is_known() || rest.iter().any(|glyph| !glyph.text.is_known());
        if !unknown || text.is_empty() || text.contains(char::is_whitespace) {
            return;
        }
        if let Some(last) = rest.last() {
            if last.angle != first.angle {
                return;
            }
            first.end = last.end;
        }
        first.text = GlyphText::from_chars(text.chars());
        self.drawing.glyphs.truncate(from + 1);
    }
}
