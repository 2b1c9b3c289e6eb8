//! Tables whose grid is a picture behind the text, as slides have them: only the text tells the columns and rows.

use crate::document::BBox;
use crate::pdf::PageContent;
use crate::table::structure::PHRASE_EM;
use crate::table::text::{self, Line};

/// More pictures than this on a page are drawings made of pieces.
const MOST_PICTURES: usize = 64;
/// A picture that covers more than this fraction of the page is its background.
const BACKGROUND: f32 = 0.9;
/// Fewer names than this in the first line head no table: two columns of text are common.
const FEWEST_COLUMNS: usize = 3;
/// A text starts in a column where it starts within this many font sizes of the column's name.
const ALIGNED_EM: f32 = 0.5;
/// Share of the texts that must start in a column.
const MOST_ALIGNED: f32 = 0.9;
/// Texts per column, at least.
const FEWEST_TEXTS: usize = 3;

/// The pictures among whose words the first line names columns, below which all other text starts.
pub(crate) fn areas(page: &PageContent, words: &[usize]) -> Vec<BBox> {
    let within = |area: &BBox| -> Vec<usize> {
        let center = |w: &crate::pdf::Word| area.contains_point(w.bbox.center_x(), w.bbox.center_y());
        words.iter().copied().filter(|&w| page.words.get(w).is_some_and(center)).collect()
    };
    page.images
        .iter()
        .take(MOST_PICTURES)
        .filter(|image| image.area() < BACKGROUND * page.width * page.height)
        .filter(|image| is_table(&text::lines(&page.words, &within(image), PHRASE_EM)))
        .copied()
        .collect()
}

/// Whether the text below the first line starts in the columns that it names.
fn is_table(lines: &[Line]) -> bool {
    let Some((names, rest)) = lines.split_first().filter(|(names, _)| names.phrases.len() >= FEWEST_COLUMNS) else {
        return false;
    };
    let mut counts = vec![0usize; names.phrases.len()];
    let mut all = 0usize;
    for (line, phrase) in rest.iter().flat_map(|l| l.phrases.iter().map(move |p| (l, p))) {
        all += 1;
        let column = names.phrases.iter().position(|n| (n.bbox.x0 - phrase.bbox.x0).abs() <= ALIGNED_EM * line.size);
        if let Some(count) = column.and_then(|c| counts.get_mut(c)) {
            *count += 1;
        }
    }
    let aligned: usize = counts.iter().sum();
    counts.iter().all(|n| *n >= FEWEST_TEXTS) && aligned as f32 >= MOST_ALIGNED * all as f32
}
