//! Charts drawn with lines and areas: bars on a common axis, or a frame with the squares of a legend. Their labels belong
//! to them, and are no running text.

use crate::document::BBox;
use crate::pdf::{Fill, PageContent};

use super::labels;
use super::lines::Line;

/// More areas than this on a page are a drawing of another kind.
const MOST_FILLS: usize = 600;
/// Bars, or squares of a legend, that make a chart.
const FEWEST: usize = 3;
/// Thickness of bars in points.
const BAR: std::ops::Range<f32> = 3.0..80.0;
/// Side of a legend's square in points.
const SQUARE: std::ops::Range<f32> = 3.0..15.0;
/// Edges and sizes that differ by less are the same, in points.
const SAME: f32 = 1.5;
/// A bar longer than this share of the page is the background of something.
const LONGEST_BAR: f32 = 0.8;
/// More words than this on an area, and it is no bar.
const MOST_WORDS: usize = 3;
/// Gridlines and legends stand this close to the bars, in points.
const REACH: f32 = 45.0;
/// Longest label beside a chart, in characters.
const LONGEST_LABEL: usize = 36;
/// How far labels stand from the axis, in font sizes: below it, and beside it.
const LABEL_BELOW: f32 = 1.6;
const LABEL_BESIDE: f32 = 3.0;
/// Rows of labels below an axis.
const LABEL_ROWS: usize = 3;

/// Boxes of the charts of an upright page, labels included; `taken` are the boxes of tables and pictures.
pub(crate) fn find(page: &PageContent, lines: &[Line], taken: &[BBox]) -> Vec<BBox> {
    if !(FEWEST..=MOST_FILLS).contains(&page.fills.len()) {
        return Vec::new();
    }
    let free = |b: &BBox| !taken.iter().any(|t| t.contains_point(b.center_x(), b.center_y()));
    let fills: Vec<&Fill> = page.fills.iter().filter(|f| free(&f.bbox)).collect();
    let mut charts: Vec<BBox> = Vec::new();
    let found = axes(page, &fills).into_iter().map(|bars| grow(page, &fills, bars)).chain(framed(page, &fills));
    for mut chart in found {
        while let Some(at) = charts.iter().position(|c| c.overlap_x(&chart) > 0.0 && c.overlap_y(&chart) > 0.0) {
            chart = chart.union(&charts.swap_remove(at));
        }
        charts.push(chart);
    }
    charts.iter_mut().for_each(|chart| *chart = with_labels(*chart, lines));
    charts.retain(|c| taken.iter().all(|t| t.overlap_x(c).min(t.overlap_y(c)) <= 0.0));
    charts
}

/// Boxes around the bars that stand on one axis, upright or lying.
fn axes(page: &PageContent, fills: &[&Fill]) -> Vec<BBox> {
    let mut found = Vec::new();
    for upright in [true, false] {
        // (start on the axis, end, thickness) of a bar, whichever way it stands.
        let ends = |b: &BBox| if upright { (b.y0, b.y1) } else { (b.x0, b.x1) };
        let thickness = |b: &BBox| if upright { b.width() } else { b.height() };
        let extent = if upright { page.height } else { page.width };
        let bars: Vec<BBox> = fills
            .iter()
            .map(|f| f.bbox)
            .filter(|b| BAR.contains(&thickness(b)) && ends(b).1 - ends(b).0 < LONGEST_BAR * extent)
            .collect();
        let mut edges: Vec<f32> = bars.iter().flat_map(|b| [ends(b).0, ends(b).1]).collect();
        edges.sort_by(f32::total_cmp);
        edges.dedup_by(|a, b| (*a - *b).abs() < SAME);
        for edge in edges {
            let on_axis = |b: &&BBox| (ends(b).0 - edge).abs() < SAME || (ends(b).1 - edge).abs() < SAME;
            let mut standing: Vec<&BBox> = bars.iter().filter(on_axis).collect();
            standing.sort_by(|a, b| thickness(a).total_cmp(&thickness(b)));
            for same in standing.chunk_by(|a, b| thickness(b) - thickness(a) < SAME) {
                let lengths = || same.iter().map(|b| ends(b).1 - ends(b).0);
                let (shortest, longest) = lengths().fold((f32::INFINITY, 0.0_f32), |(s, l), x| (s.min(x), l.max(x)));
                let alike = longest - shortest < 2.0 * SAME;
                if same.len() >= FEWEST && !alike && same.iter().all(|b| words_on(page, b) <= MOST_WORDS) {
                    found.extend(BBox::union_all(same.iter().copied()));
                }
            }
        }
    }
    found
}

fn words_on(page: &PageContent, area: &BBox) -> usize {
    let on = |b: &BBox| area.contains_point(b.center_x(), b.center_y());
    page.words.iter().filter(|w| on(&w.bbox)).take(MOST_WORDS + 1).count()
}

/// The bars with their gridlines, axes and legend.
fn grow(page: &PageContent, fills: &[&Fill], bars: BBox) -> BBox {
    let mut chart = bars;
    let lines = page.rules.iter().map(|r| r.bbox);
    let squares = fills.iter().map(|f| f.bbox).filter(is_square);
    for part in lines.chain(squares) {
        let near = bars.expand(REACH);
        let within = part.x0 > near.x0 && part.x1 < near.x1 && part.y0 > near.y0 && part.y1 < near.y1;
        let across = part.overlap_x(&bars) > 0.5 * part.width() && part.overlap_y(&near) >= 0.0;
        let along = part.overlap_y(&bars) > 0.5 * part.height() && part.overlap_x(&near) >= 0.0;
        if within || (across && part.height() < SAME) || (along && part.width() < SAME) {
            chart = chart.union(&part);
        }
    }
    chart
}

fn is_square(b: &BBox) -> bool {
    SQUARE.contains(&b.width()) && (b.width() - b.height()).abs() < SAME
}

/// Frames of four rules that hold the squares of a legend.
fn framed(page: &PageContent, fills: &[&Fill]) -> Vec<BBox> {
    let squares: Vec<&&Fill> = fills.iter().filter(|f| is_square(&f.bbox)).collect();
    if squares.len() < FEWEST {
        return Vec::new();
    }
    let same = |a: f32, b: f32| (a - b).abs() < SAME;
    let (across, down): (Vec<_>, Vec<_>) = page.rules.iter().map(|r| (r.horizontal, r.bbox)).partition(|(h, _)| *h);
    let mut found = Vec::new();
    for (i, (_, top)) in across.iter().enumerate().take(MOST_FILLS) {
        let below = across.iter().skip(i + 1).filter(|(_, b)| b.y0 > top.y0 + REACH);
        let Some((_, bottom)) = below.clone().find(|(_, b)| same(b.x0, top.x0) && same(b.x1, top.x1)) else { continue };
        let frame = top.union(bottom);
        let side = |x: f32| down.iter().any(|(_, d)| same(d.x0, x) && same(d.y0, frame.y0) && same(d.y1, frame.y1));
        let inside: Vec<_> =
            squares.iter().filter(|f| frame.contains_point(f.bbox.center_x(), f.bbox.center_y())).collect();
        let colours: std::collections::HashSet<[u8; 3]> = inside.iter().map(|f| f.rgb).collect();
        if colours.len() >= FEWEST && side(frame.x0) && side(frame.x1) {
            found.push(frame);
        }
    }
    found
}

/// The chart with the labels of its axes.
fn with_labels(chart: BBox, lines: &[Line]) -> BBox {
    let is_label = |line: &Line| {
        let text = line.text();
        line.chars() <= LONGEST_LABEL && !labels::is_caption(&text) && !labels::is_note(&text)
    };
    let mut out = chart;
    for line in lines {
        let (b, em) = (&line.bbox, line.size);
        let beside = b.center_y() > chart.y0 - 0.5 * em && b.center_y() < chart.y1 + 0.5 * em;
        if beside && b.overlap_x(&chart) > -LABEL_BESIDE * em && is_label(line) {
            out = out.union(b);
        }
    }
    for _ in 0..LABEL_ROWS {
        let bottom = out.y1;
        for line in lines {
            let (b, em) = (&line.bbox, line.size);
            let below = b.y0 > bottom - 0.5 * em && b.y0 < bottom + (LABEL_BELOW - 1.0) * em;
            let inside = b.x0 > out.x0 - em && b.x1 < out.x1 + em;
            if below && inside && is_label(line) {
                out = out.union(b);
            }
        }
        if out.y1 <= bottom {
            break;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::lines::tests::{cut, set};
    use super::*;

    fn fill(x0: f32, y0: f32, x1: f32, y1: f32, rgb: [u8; 3]) -> Fill {
        Fill { bbox: BBox::new(x0, y0, x1, y1), rgb }
    }

    fn page(fills: Vec<Fill>) -> PageContent {
        PageContent { number: 1, width: 600.0, height: 800.0, fills, ..PageContent::default() }
    }

    #[test]
    fn bars_on_an_axis_are_a_chart_with_its_labels() {
        let blue = [0, 0, 200];
        let bars: Vec<Fill> = [80.0, 40.0, 120.0]
            .iter()
            .enumerate()
            .map(|(i, high)| fill(100.0 + 50.0 * i as f32, 300.0 - high, 120.0 + 50.0 * i as f32, 300.0, blue))
            .collect();
        let mut words = set("2021", 100.0, 312.0, 10.0);
        words.extend(set("10", 82.0, 240.0, 10.0));
        words.extend(set("Figure 1. Sales", 100.0, 326.0, 10.0));
        let found = find(&page(bars), &cut(words), &[]);
        assert_eq!(found, [BBox::new(82.0, 180.0, 220.0, 314.0)]);
    }

    #[test]
    fn shaded_rows_and_marks_are_none() {
        let grey = [200, 200, 200];
        let rows = (0..4).map(|i| fill(100.0, 100.0 + 30.0 * i as f32, 300.0, 115.0 + 30.0 * i as f32, grey));
        assert_eq!(find(&page(rows.collect()), &[], &[]), []);
        let bullets = (0..4).map(|i| fill(100.0, 100.0 + 30.0 * i as f32, 106.0, 106.0 + 30.0 * i as f32, grey));
        assert_eq!(find(&page(bullets.collect()), &[], &[]), []);
    }
}
