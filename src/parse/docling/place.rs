//! Pages, and boxes of either origin as boxes from the top left.

use std::collections::{BTreeMap, BTreeSet};

use super::schema::{Corners, Docling, Item, Origin, Provenance};
use crate::document::{BBox, Page, Region, Warning};

/// The pages of a file by number.
#[derive(Debug, Default)]
pub(super) struct Pages {
    sizes: BTreeMap<u32, (f32, f32)>,
    /// Pages whose size the file does not tell.
    guessed: BTreeSet<u32>,
}

impl Pages {
    /// The pages that the file lists, and those that only its items name. Where the file gives no size, a page is as
    /// large as what stands on it.
    pub(super) fn of(docling: &Docling) -> Self {
        let mut pages = Self::default();
        for (number, page) in &docling.pages {
            let Some(number) = number.trim().parse().ok().filter(|n| *n > 0) else { continue };
            let side = |side: Option<f64>| side.map(|s| s as f32).filter(|s| s.is_finite()).unwrap_or(0.0);
            pages.sizes.insert(number, (side(page.size.width), side(page.size.height)));
        }
        let known = |size: &(f32, f32)| size.0 > 0.0 && size.1 > 0.0;
        let full: BTreeSet<u32> = pages.sizes.iter().filter(|(_, s)| known(s)).map(|(n, _)| *n).collect();
        pages.guessed = pages.sizes.keys().filter(|n| !full.contains(n)).copied().collect();
        let items = docling.texts.iter().chain(&docling.tables).chain(&docling.pictures);
        for provenance in items.flat_map(|item| &item.prov) {
            let Some(number) = number(provenance).filter(|n| !full.contains(n)) else { continue };
            pages.guessed.insert(number);
            let size = pages.sizes.entry(number).or_default();
            if let Some([l, t, r, b]) = provenance.bbox.as_ref().and_then(corners) {
                *size = (size.0.max(l).max(r), size.1.max(t).max(b));
            }
        }
        pages
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.sizes.len()
    }

    /// The number of the last one.
    pub(super) fn last(&self) -> Option<u32> {
        self.sizes.last_key_value().map(|(number, _)| *number)
    }

    /// Those whose number is wanted, in order; one of size zero where the file has none at all.
    pub(super) fn list(&self, wanted: impl Fn(u32) -> bool) -> Vec<Page> {
        if self.sizes.is_empty() {
            return vec![Page { number: 1, width: 0.0, height: 0.0 }];
        }
        let wanted = self.sizes.iter().filter(|(number, _)| wanted(**number));
        wanted.map(|(&number, &(width, height))| Page { number, width, height }).collect()
    }

    /// Says which pages have no size in the file.
    pub(super) fn warnings(&self, wanted: impl Fn(u32) -> bool) -> impl Iterator<Item = Warning> {
        let message = "the file does not tell its size: taken from what stands on it";
        let guessed = self.guessed.iter().copied().filter(move |n| wanted(*n));
        guessed.map(move |number| Warning { page: Some(number), message: message.to_owned() })
    }

    /// Where an item stands.
    pub(super) fn regions(&self, item: &Item) -> Vec<Region> {
        let region = |p: &Provenance| {
            let page = number(p)?;
            let bbox = p.bbox.as_ref().and_then(|b| self.bbox(page, b)).unwrap_or_default();
            Some(Region { page, bbox })
        };
        item.prov.iter().filter_map(region).collect()
    }

    /// A box on a page with its origin at the top left.
    pub(super) fn bbox(&self, page: u32, bbox: &Corners) -> Option<BBox> {
        let [l, t, r, b] = corners(bbox)?;
        let height = self.sizes.get(&page).map_or(0.0, |s| s.1);
        Some(match bbox.coord_origin {
            Origin::TopLeft => BBox::new(l, t, r, b),
            Origin::BottomLeft => BBox::new(l, height - t, r, height - b),
        })
    }
}

/// The 1-based page.
fn number(provenance: &Provenance) -> Option<u32> {
    provenance.page_no.map(|n| n as u32).filter(|n| *n > 0)
}

/// Left, top, right, bottom as they are, where all are numbers.
fn corners(bbox: &Corners) -> Option<[f32; 4]> {
    let corners = [bbox.l?, bbox.t?, bbox.r?, bbox.b?].map(|v| v as f32);
    corners.iter().all(|v| v.is_finite()).then_some(corners)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages(json: &str) -> (Docling, Pages) {
        let docling: Docling = serde_json::from_str(json).unwrap();
        let pages = Pages::of(&docling);
        (docling, pages)
    }

    #[test]
    fn both_origins_give_boxes_from_the_top_left() {
        let (docling, pages) = pages(
            r#"{"pages": {"1": {"size": {"width": 600, "height": 800}}, "2": {"size": {"width": 600, "height": 500}}},
                "texts": [{"prov": [
                    {"page_no": 1, "bbox": {"l": 10, "t": 790, "r": 110, "b": 770, "coord_origin": "BOTTOMLEFT"}},
                    {"page_no": 2, "bbox": {"l": 10, "t": 20, "r": 110, "b": 40, "coord_origin": "TOPLEFT"}},
                    {"page_no": 2, "bbox": {"l": 10, "t": null, "r": 110, "b": 40}}]}]}"#,
        );
        let regions = pages.regions(&docling.texts[0]);
        let at = |page, y0, y1| Region { page, bbox: BBox { x0: 10.0, y0, x1: 110.0, y1 } };
        let unknown = Region { page: 2, bbox: BBox::default() };
        assert_eq!(regions, [at(1, 10.0, 30.0), at(2, 20.0, 40.0), unknown]);
        assert_eq!(pages.warnings(|_| true).count(), 0);
    }

    #[test]
    fn a_page_without_size_is_as_large_as_what_stands_on_it() {
        let (docling, pages) = pages(
            r#"{"pages": {"1": {"size": {"width": 0, "height": 0}}, "x": {}},
                "texts": [{"prov": [{"page_no": 1, "bbox": {"l": 10, "t": 700, "r": 500, "b": 650,
                                                            "coord_origin": "BOTTOMLEFT"}}]},
                          {"prov": [{"page_no": 3, "bbox": null}, {"page_no": -1}, {}]}]}"#,
        );
        let page = |number, width, height| Page { number, width, height };
        assert_eq!(pages.list(|_| true), [page(1, 500.0, 700.0), page(3, 0.0, 0.0)]);
        assert_eq!(pages.warnings(|_| true).filter_map(|w| w.page).collect::<Vec<_>>(), [1, 3]);
        assert_eq!(pages.regions(&docling.texts[0])[0].bbox, BBox { x0: 10.0, y0: 0.0, x1: 500.0, y1: 50.0 });
        assert_eq!(pages.regions(&docling.texts[1]).len(), 1);
    }
}
