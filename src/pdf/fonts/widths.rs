//! Glyph widths.

use std::collections::HashMap;

use lopdf::{Dictionary, Document, Object};

use super::super::glyph::Vertical;
use super::super::limits::MAX_MAPPINGS;
use super::super::objects::{self, number, resolve};

/// Widths of a CID font from `/W` and `/DW`, as fractions of the em.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CidWidths {
    default: f32,
    single: HashMap<u32, f32>,
    ranges: Vec<(u32, u32, f32)>,
}

impl CidWidths {
    pub(crate) fn load(doc: &Document, font: &Dictionary) -> Self {
        let default = objects::get_number(doc, font, b"DW").unwrap_or(1000.0) / 1000.0;
        let mut widths = Self { default, single: HashMap::new(), ranges: Vec::new() };
        let entries = objects::get_array(doc, font, b"W").unwrap_or_default();
        read_entries::<1>(doc, entries, |low, high, [width]| {
            if low == high {
                widths.single.insert(low, width / 1000.0);
            } else {
                widths.ranges.push((low, high, width / 1000.0));
            }
        });
        widths.ranges.sort_by_key(|(low, ..)| *low);
        widths
    }

    pub(crate) fn get(&self, cid: u32) -> f32 {
        if let Some(width) = self.single.get(&cid) {
            return *width;
        }
        let after = self.ranges.partition_point(|(low, ..)| *low <= cid);
        let range = after.checked_sub(1).and_then(|i| self.ranges.get(i)).filter(|(_, high, _)| cid <= *high);
        range.map_or(self.default, |(.., width)| *width)
    }
}

/// Vertical metrics of a CID font from `/W2` and `/DW2`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct VerticalWidths {
    default_origin_y: f32,
    default_advance: f32,
    single: HashMap<u32, Vertical>,
    ranges: Vec<(u32, u32, Vertical)>,
}

impl VerticalWidths {
    pub(crate) fn load(doc: &Document, font: &Dictionary) -> Self {
        let (origin_y, advance) = match objects::get_numbers(doc, font, b"DW2").as_deref() {
            Some([origin_y, advance, ..]) => (*origin_y, *advance),
            _ => (880.0, -1000.0),
        };
        let mut widths = Self {
            default_origin_y: origin_y / 1000.0,
            default_advance: advance / 1000.0,
            single: HashMap::new(),
            ranges: Vec::new(),
        };
        let entries = objects::get_array(doc, font, b"W2").unwrap_or_default();
        read_entries::<3>(doc, entries, |low, high, [advance, x, y]| {
            let metrics = Vertical { advance: advance / 1000.0, origin_x: x / 1000.0, origin_y: y / 1000.0 };
            if low == high {
                widths.single.insert(low, metrics);
            } else {
                widths.ranges.push((low, high, metrics));
            }
        });
        widths
    }

    /// Metrics of a CID whose horizontal width is `width`.
    pub(crate) fn get(&self, cid: u32, width: f32) -> Vertical {
        let in_range = || self.ranges.iter().find(|(low, high, _)| (*low..=*high).contains(&cid)).map(|(.., v)| v);
        self.single.get(&cid).or_else(in_range).copied().unwrap_or(Vertical {
            advance: self.default_advance,
            origin_x: width / 2.0,
            origin_y: self.default_origin_y,
        })
    }
}

/// Walks a `/W` or `/W2` array: `first [v…]` and `first last v…`, with `N` values for each CID.
fn read_entries<const N: usize>(doc: &Document, entries: &[Object], mut add: impl FnMut(u32, u32, [f32; N])) {
    let mut count = 0usize;
    let mut rest = entries.iter().filter_map(|entry| resolve(doc, entry));
    while let (Some(first), Some(second)) = (rest.next(), rest.next()) {
        let Some(first) = cid(first) else { continue };
        if let Object::Array(values) = second {
            let values: Vec<f32> = values.iter().filter_map(|v| number(resolve(doc, v)?)).collect();
            for (cid, values) in (first..).zip(values.as_chunks::<N>().0) {
                add(cid, cid, *values);
                count += 1;
            }
        } else if let Some(last) = cid(second) {
            let mut values = [0.0; N];
            for value in &mut values {
                let Some(next) = rest.next().and_then(number) else { return };
                *value = next;
            }
            if last >= first {
                add(first, last, values);
                count += 1;
            }
        }
        if count > MAX_MAPPINGS {
            return;
        }
    }
}

fn cid(object: &Object) -> Option<u32> {
    number(object).filter(|n| (0.0..=16_777_215.0).contains(n)).map(|n| n as u32)
}

/// Widths of Helvetica for the codes 0x20..=0x7E, in thousandths of the em.
const HELVETICA: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
];

/// Widths of Times-Roman for the codes 0x20..=0x7E, in thousandths of the em.
const TIMES: [u16; 95] = [
    250, 333, 408, 500, 500, 833, 778, 180, 333, 333, 500, 564, 250, 333, 250, 278, 500, 500, 500, 500, 500, 500, 500,
    500, 500, 500, 278, 278, 564, 564, 564, 444, 921, 722, 667, 667, 722, 611, 556, 722, 722, 333, 389, 722, 611, 889,
    722, 722, 556, 722, 667, 556, 611, 722, 722, 944, 722, 722, 611, 333, 278, 333, 469, 500, 333, 444, 500, 444, 500,
    444, 333, 500, 500, 278, 278, 500, 278, 778, 500, 500, 500, 500, 333, 389, 278, 500, 500, 722, 500, 500, 444, 480,
    200, 480, 541,
];

/// The width of a character in a font that is neither embedded nor measured, as a fraction of the em. Exact for
/// upright Helvetica, Times and Courier in ASCII, near enough for the rest.
pub(crate) fn standard_width(font_name: &str, bold: bool, mono: bool, c: Option<char>) -> f32 {
    const BOLD_FACTOR: f32 = 1.05;
    if mono {
        return 0.6;
    }
    let name = font_name.to_ascii_lowercase();
    let serif = ["times", "roman", "serif", "georgia", "garamond", "minion", "cambria", "symbol"];
    let table = if serif.iter().any(|part| name.contains(part)) { &TIMES } else { &HELVETICA };
    let ascii = c.and_then(|c| u8::try_from(c).ok()).and_then(|code| table.get(usize::from(code.checked_sub(0x20)?)));
    let width = ascii.map_or_else(
        || if c.is_some_and(|c| u32::from(c) >= 0x1100) { 1.0 } else { 0.556 },
        |width| f32::from(*width) / 1000.0,
    );
    if bold { width * BOLD_FACTOR } else { width }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lopdf::dictionary;

    #[test]
    fn w_array_in_both_forms() {
        let doc = Document::new();
        let font = dictionary! {
            "DW" => 900,
            "W" => vec![
                1.into(), Object::Array(vec![250.into(), Object::Real(333.5)]),
                10.into(), 20.into(), 500.into(),
                Object::Name(b"bad".to_vec()), 7.into(),
                30.into(), 30.into(), 640.into(),
            ],
        };
        let widths = CidWidths::load(&doc, &font);
        for (cid, width) in [(0, 0.9), (1, 0.25), (2, 0.3335), (3, 0.9), (10, 0.5), (20, 0.5), (21, 0.9), (30, 0.64)] {
            assert_eq!(widths.get(cid), width, "CID {cid}");
        }
    }

    #[test]
    fn vertical_metrics() {
        let doc = Document::new();
        let font = dictionary! {
            "DW2" => vec![800.into(), (-900).into()],
            "W2" => vec![5.into(), Object::Array(vec![(-500).into(), 250.into(), 700.into()])],
        };
        let widths = VerticalWidths::load(&doc, &font);
        assert_eq!(widths.get(5, 1.0), Vertical { advance: -0.5, origin_x: 0.25, origin_y: 0.7 });
        assert_eq!(widths.get(6, 1.0), Vertical { advance: -0.9, origin_x: 0.5, origin_y: 0.8 });
    }

    #[test]
    fn standard_fonts() {
        assert_eq!(standard_width("Helvetica", false, false, Some('W')), 0.944);
        assert_eq!(standard_width("Times-Roman", false, false, Some(' ')), 0.25);
        assert_eq!(standard_width("Courier", false, true, Some('i')), 0.6);
        assert_eq!(standard_width("Batang", false, false, Some('가')), 1.0);
    }
}
