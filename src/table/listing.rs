//! Program text: its keywords and indents stand in columns, but it is no table.

use crate::pdf::{PageContent, Word};
use crate::table::grid::Draft;

/// Share of the words that end a statement or an item, assign or bracket, from which on text is a program.
const SIGNS: f32 = 0.25;

/// Characters of one width differ by rounding only, up to this factor.
const SAME_PITCH: f32 = 1.05;

/// Whether a draft is a listing: set in a fixed-pitch font, with the signs of a program at many words.
pub(crate) fn is_in(page: &PageContent, draft: &Draft) -> bool {
    let words = || draft.cells.iter().flat_map(|c| &c.words).filter_map(|&w| page.words.get(w));
    let sign = |w: &&Word| w.text.ends_with([',', ';']) || w.text.contains(['=', '{', '}']);
    let signs = words().filter(sign).count();
    signs > 0 && signs as f32 >= SIGNS * words().count() as f32 && is_fixed_pitch(words())
}

/// Whether all characters are equally wide, whatever the font says of itself.
fn is_fixed_pitch<'a>(words: impl Iterator<Item = &'a Word>) -> bool {
    let pitches = words.map(|w| w.bbox.width() / w.text.chars().count().max(1) as f32 / w.size.max(1.0));
    let (least, most) = pitches.fold((f32::INFINITY, 0.0_f32), |(a, b), pitch| (a.min(pitch), b.max(pitch)));
    most <= SAME_PITCH * least
}
