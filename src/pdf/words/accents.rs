//! Accents drawn as glyphs of their own, over or under the letter that they belong to: the two are one character.

use unicode_normalization::char::is_combining_mark;

use super::super::glyph::{GlyphText, PlacedGlyph};

/// An accent's centre may lie this far outside the letter, by the font size.
const OVERHANG: f32 = 0.05;

/// The stroke that negates a mathematical sign of any kind.
const NEGATION: char = '\u{338}';

/// The combining character of a glyph that is an accent; `spacing` ones are accents only over a letter.
fn accent_of(glyph: &PlacedGlyph) -> Option<char> {
    let GlyphText::Char(c) = glyph.text else { return None };
    Some(match c {
        '`' => '\u{300}',
        '´' => '\u{301}',
        'ˆ' | '^' => '\u{302}',
        '˜' => '\u{303}',
        '¯' => '\u{304}',
        '˘' => '\u{306}',
        '˙' => '\u{307}',
        '¨' => '\u{308}',
        '˚' => '\u{30A}',
        '˝' => '\u{30B}',
        'ˇ' => '\u{30C}',
        '¸' => '\u{327}',
        '˛' => '\u{328}',
        // Circles and boxes around a character, which writers use as bullets.
        '\u{20DD}'..='\u{20E4}' => return None,
        c if u32::from(c) >= 0x300 && is_combining_mark(c) => c,
        _ => return None,
    })
}

/// Whether one of two neighbours in the stream is an accent of the other.
pub(super) fn is_accented(last: &PlacedGlyph, next: &PlacedGlyph) -> bool {
    (accent_of(next).is_some() && is_over(next, last)) || (accent_of(last).is_some() && is_over(last, next))
}

/// Whether an accent stands over (or under) a letter, in the direction of writing.
fn is_over(accent: &PlacedGlyph, letter: &PlacedGlyph) -> bool {
    let negated = accent.text == GlyphText::Char(NEGATION);
    if !letter.text.first().is_some_and(|c| negated || c.is_alphabetic()) {
        return false;
    }
    let (dx, dy) = (letter.end.0 - letter.start.0, letter.end.1 - letter.start.1);
    let length = dx.hypot(dy);
    let (x, y) = ((accent.start.0 + accent.end.0) / 2.0, (accent.start.1 + accent.end.1) / 2.0);
    let along = ((x - letter.start.0) * dx + (y - letter.start.1) * dy) / length;
    let slack = OVERHANG * letter.size;
    length > 0.0 && along > -slack && along < length + slack
}

/// Puts each accent behind its letter, as a combining character. An accent that stands over none is left alone.
pub(super) fn attach(glyphs: &mut Vec<PlacedGlyph>) {
    if glyphs.len() < 2 || glyphs.iter().all(|glyph| accent_of(glyph).is_none()) {
        return;
    }
    let mut done: Vec<PlacedGlyph> = Vec::with_capacity(glyphs.len());
    let mut rest = std::mem::take(glyphs).into_iter().peekable();
    while let Some(mut glyph) = rest.next() {
        let Some(accent) = accent_of(&glyph) else {
            done.push(glyph);
            continue;
        };
        if done.iter().rev().find(|other| accent_of(other).is_none()).is_some_and(|letter| is_over(&glyph, letter)) {
            done.iter_mut().rev().find(|other| accent_of(other).is_none()).into_iter().for_each(without_dot);
            glyph.text = GlyphText::Char(accent);
            done.push(glyph);
        } else if let Some(mut letter) = rest.next_if(|letter| accent_of(letter).is_none() && is_over(&glyph, letter)) {
            without_dot(&mut letter);
            glyph.text = GlyphText::Char(accent);
            done.push(letter);
            done.push(glyph);
        } else {
            done.push(glyph);
        }
    }
    *glyphs = done;
}

/// Under an accent the dotless letters stand for the plain ones.
fn without_dot(letter: &mut PlacedGlyph) {
    match letter.text {
        GlyphText::Char('ı') => letter.text = GlyphText::Char('i'),
        GlyphText::Char('ȷ') => letter.text = GlyphText::Char('j'),
        _ => {}
    }
}
