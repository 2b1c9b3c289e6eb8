//! Where a unit stands: pages, and its box as fractions of its first page.

use crate::document::{BBox, Document, Region};

/// Pages and box of a unit.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Place {
    /// First page, 1-based; 1 where the format has no layout.
    pub(crate) page: u32,
    /// All pages, ascending.
    pub(crate) pages: Vec<u32>,
    /// Box on the first page: x0, y0 (bottom), x1, y1 (top), in 0..=1.
    pub(crate) bbox: Option<[f32; 4]>,
}

impl Place {
    /// The place that these regions cover together.
    pub(crate) fn of<'a>(document: &Document, regions: impl IntoIterator<Item = &'a Region>) -> Self {
        let regions: Vec<&Region> = regions.into_iter().collect();
        let mut pages: Vec<u32> = regions.iter().map(|r| r.page).collect();
        pages.sort_unstable();
        pages.dedup();
        let Some(&page) = pages.first() else {
            return Self { page: 1, pages: vec![1], bbox: None };
        };
        let bbox = BBox::union_all(regions.iter().filter(|r| r.page == page).map(|r| &r.bbox));
        Self { page, pages, bbox: bbox.and_then(|b| fractions(document, page, &b)) }
    }

    /// Adds the pages of something that the unit also carries.
    pub(crate) fn also(&mut self, regions: &[Region]) {
        self.pages.extend(regions.iter().map(|r| r.page));
        self.pages.sort_unstable();
        self.pages.dedup();
    }
}

/// The box in page fractions with the origin at the bottom left.
fn fractions(document: &Document, page: u32, bbox: &BBox) -> Option<[f32; 4]> {
    let page = document.page(page).filter(|p| p.width > 0.0 && p.height > 0.0)?;
    let across = |x: f32| (x / page.width).clamp(0.0, 1.0);
    let up = |y: f32| ((page.height - y) / page.height).clamp(0.0, 1.0);
    let fractions = [across(bbox.x0), up(bbox.y1), across(bbox.x1), up(bbox.y0)];
    fractions.iter().all(|f| f.is_finite()).then_some(fractions)
}
