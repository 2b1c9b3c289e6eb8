//! Tables of one column between three rules: a name, and below it one cell of short lines.

use crate::pdf::PageContent;
use crate::table::grid::{Draft, DraftCell};
use crate::table::judge::is_table_caption;
use crate::table::rules::{Rules, Seg};
use crate::table::stacks::{self, RULED_GAP_EM, gap, within};
use crate::table::text::{self, Line};

/// Fewest lines of the cell: fewer are a quotation.
const FEWEST_LINES: usize = 3;
/// Entries are shorter than running text: at most this many words a line,
const MOST_WORDS: usize = 6;
/// and at most this share of the lines as wide as the rules.
const MOST_FULL: f32 = 0.3;
/// A line is as wide as the rules from this fraction of their length on.
const FULL: f32 = 0.9;
/// The caption is at most this many font sizes above or below the rules.
const CAPTION_GAP_EM: f32 = 3.0;

/// Such tables among the words `free`. Algorithms and quotations look alike: only with the caption of a table beside them
/// are they tables. `lines` are those of the page.
pub(crate) fn find(page: &PageContent, rules: &Rules, free: &[usize], lines: &[Line]) -> Vec<Draft> {
    let mut out = Vec::new();
    for group in stacks::groups(rules) {
        for triple in group.windows(3) {
            if let [a, b, c] = triple
                && stacks::is_title(page, free, &gap(a, b))
                && is_list(page, rules, free, b, c)
                && has_caption(page, lines, a, c)
            {
                out.push(draft(page, free, a, b, c));
            }
        }
    }
    out
}

/// Whether between the rules there are short lines of one phrase each.
fn is_list(page: &PageContent, rules: &Rules, free: &[usize], a: &Seg, b: &Seg) -> bool {
    let area = gap(a, b);
    let lines = text::lines(&page.words, &within(page, free, &area), RULED_GAP_EM);
    let short = |l: &Line| l.phrases.len() == 1 && l.words().count() <= MOST_WORDS;
    let full = lines.iter().filter(|l| l.bbox.width() >= FULL * area.width()).count();
    lines.len() >= FEWEST_LINES
        && lines.iter().all(short)
        && full as f32 <= MOST_FULL * lines.len() as f32
        && !stacks::is_crossed(page, rules, free, &area)
}

fn has_caption(page: &PageContent, lines: &[Line], first: &Seg, last: &Seg) -> bool {
    lines.iter().any(|l| {
        let near = CAPTION_GAP_EM * l.size;
        let above = l.bbox.y1 <= first.at && first.at - l.bbox.y1 <= near;
        let below = l.bbox.y0 >= last.at && l.bbox.y0 - last.at <= near;
        (above || below)
            && last.cover(l.bbox.x0, l.bbox.x1) > 0.0
            && is_table_caption(&stacks::line_text(page, std::slice::from_ref(l)))
    })
}

fn draft(page: &PageContent, free: &[usize], a: &Seg, b: &Seg, c: &Seg) -> Draft {
    let cell = |row: usize, from: &Seg, to: &Seg| {
        let bbox = gap(from, to);
        DraftCell { row, rowspan: 1, colspan: 1, bbox, words: within(page, free, &bbox), ..DraftCell::default() }
    };
    Draft {
        xs: vec![a.from, a.to],
        ys: vec![a.at, b.at, c.at],
        cells: vec![cell(0, a, b), cell(1, b, c)],
        header_hint: 1,
    }
}
