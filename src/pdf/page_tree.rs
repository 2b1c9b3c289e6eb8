//! Pages and what they inherit from the page tree.

use std::collections::HashSet;

use lopdf::{Dictionary, Document, Object, ObjectId};

use super::limits::{MAX_PAGE_TREE_DEPTH, MAX_PAGES};
use super::matrix::Matrix;
use super::objects;
use crate::document::BBox;

/// US Letter: what a page without a usable box is taken for.
const DEFAULT_BOX: BBox = BBox { x0: 0.0, y0: 0.0, x1: 612.0, y1: 792.0 };
/// Sides of a usable box, in points.
const PAGE_SIDE: std::ops::RangeInclusive<f32> = 1.0..=200_000.0;

/// Usable sizes of a unit of user space, in points.
const USER_UNIT: std::ops::RangeInclusive<f32> = 0.01..=1000.0;

/// A page as found in the tree.
#[derive(Clone, Debug)]
pub(crate) struct PageNode {
    pub(crate) id: ObjectId,
    inherited: Inherited,
    /// Points that a unit of user space is.
    unit: f32,
}

/// Inheritable attributes; resources by the node that has them.
#[derive(Clone, Copy, Debug, Default)]
struct Inherited {
    media: Option<BBox>,
    crop: Option<BBox>,
    rotate: Option<i32>,
    resources: Option<ObjectId>,
}

impl Inherited {
    fn extend(self, doc: &Document, id: ObjectId, node: &Dictionary) -> Self {
        let rotate = objects::get_number(doc, node, b"Rotate").map(|degrees| degrees.clamp(-1e6, 1e6) as i32);
        Self {
            media: page_box(doc, node, b"MediaBox").or(self.media),
            crop: page_box(doc, node, b"CropBox").or(self.crop),
            rotate: rotate.or(self.rotate),
            resources: objects::get_dict(doc, node, b"Resources").map(|_| id).or(self.resources),
        }
    }
}

fn page_box(doc: &Document, node: &Dictionary, key: &[u8]) -> Option<BBox> {
    let values = objects::get_numbers(doc, node, key)?;
    let &[a, b, c, d, ..] = values.as_slice() else { return None };
    let bbox = BBox::new(a, b, c, d);
    (PAGE_SIDE.contains(&bbox.width()) && PAGE_SIDE.contains(&bbox.height())).then_some(bbox)
}

/// The size of a page's units, which belongs to the page alone.
fn user_unit(doc: &Document, page: &Dictionary) -> f32 {
    objects::get_number(doc, page, b"UserUnit").filter(|unit| USER_UNIT.contains(unit)).unwrap_or(1.0)
}

/// The pages in order. Where the tree leads to none, every object that calls itself a page, by number.
pub(crate) fn find_pages(doc: &Document) -> Vec<PageNode> {
    let mut pages = Vec::new();
    let mut seen = HashSet::new();
    let root = doc.catalog().ok().and_then(|catalog| objects::get_id(catalog, b"Pages"));
    // Nodes still to visit, the next one last.
    let mut stack: Vec<(ObjectId, Inherited, usize)> =
        root.map(|id| (id, Inherited::default(), 0)).into_iter().collect();
    while let Some((id, inherited, depth)) = stack.pop() {
        if pages.len() >= MAX_PAGES || depth > MAX_PAGE_TREE_DEPTH || !seen.insert(id) {
            continue;
        }
        let Some(node) = doc.get_object(id).ok().and_then(objects::as_dict) else { continue };
        let inherited = inherited.extend(doc, id, node);
        match objects::get_array(doc, node, b"Kids") {
            Some(kids) => {
                let kids = kids.iter().rev().filter_map(|kid| kid.as_reference().ok());
                stack.extend(kids.map(|kid| (kid, inherited, depth + 1)));
            }
            None => pages.push(PageNode { id, inherited, unit: user_unit(doc, node) }),
        }
    }
    if pages.is_empty() {
        pages = stray_pages(doc);
    }
    pages
}

fn stray_pages(doc: &Document) -> Vec<PageNode> {
    let is_page = |object: &Object| object.as_dict().is_ok_and(|dict| dict.has_type(b"Page"));
    let found = doc.objects.iter().filter(|(_, object)| is_page(object)).take(MAX_PAGES);
    found
        .filter_map(|(id, object)| {
            let dict = object.as_dict().ok()?;
            let inherited = Inherited::default().extend(doc, *id, dict);
            Some(PageNode { id: *id, inherited, unit: user_unit(doc, dict) })
        })
        .collect()
}

impl PageNode {
    pub(crate) fn dict<'a>(&self, doc: &'a Document) -> Option<&'a Dictionary> {
        doc.get_object(self.id).ok().and_then(objects::as_dict)
    }

    pub(crate) fn resources<'a>(&self, doc: &'a Document) -> Option<&'a Dictionary> {
        let owner = doc.get_object(self.inherited.resources?).ok().and_then(objects::as_dict)?;
        objects::get_dict(doc, owner, b"Resources")
    }

    /// The visible page: the transform from user space to page coordinates, and the displayed width and height.
    pub(crate) fn view(&self) -> (Matrix, f32, f32) {
        let media = self.inherited.media.unwrap_or(DEFAULT_BOX);
        let crop = self.inherited.crop.and_then(|crop| crop.intersection(&media));
        let visible = crop.filter(|b| PAGE_SIDE.contains(&b.width()) && PAGE_SIDE.contains(&b.height()));
        let visible = visible.unwrap_or(media);
        let unit = Matrix::new(self.unit, 0.0, 0.0, self.unit, 0.0, 0.0);
        let (w, h) = (visible.width() * self.unit, visible.height() * self.unit);
        let to_origin = Matrix::translation(-visible.x0, -visible.y0).then(&unit);
        let turns = (self.inherited.rotate.unwrap_or(0) as f32 / 90.0).round() as i32;
        // Clockwise turns of the page, with y turned downwards at the same time.
        let (turn, width, height) = match turns.rem_euclid(4) {
            1 => (Matrix::new(0.0, 1.0, 1.0, 0.0, 0.0, 0.0), h, w),
            2 => (Matrix::new(-1.0, 0.0, 0.0, 1.0, w, 0.0), w, h),
            3 => (Matrix::new(0.0, -1.0, -1.0, 0.0, h, w), h, w),
            _ => (Matrix::new(1.0, 0.0, 0.0, -1.0, 0.0, h), w, h),
        };
        (to_origin.then(&turn), width, height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(rotate: i32, crop: Option<BBox>) -> PageNode {
        let media = Some(BBox::new(0.0, 0.0, 200.0, 100.0));
        PageNode { id: (1, 0), inherited: Inherited { media, crop, rotate: Some(rotate), resources: None }, unit: 1.0 }
    }

    #[test]
    fn rotation_turns_clockwise() {
        // The lower left corner of the unrotated page, and a point near it on the lower edge.
        for (rotate, corner, beside) in [
            (0, (0.0, 100.0), (10.0, 100.0)),
            (90, (0.0, 0.0), (0.0, 10.0)),
            (180, (200.0, 0.0), (190.0, 0.0)),
            (270, (100.0, 200.0), (100.0, 190.0)),
            (-90, (100.0, 200.0), (100.0, 190.0)),
        ] {
            let (matrix, width, height) = node(rotate, None).view();
            assert_eq!(matrix.apply(0.0, 0.0), corner, "rotate {rotate}");
            assert_eq!(matrix.apply(10.0, 0.0), beside, "rotate {rotate}");
            let upright = rotate % 180 == 0;
            assert_eq!((width, height), if upright { (200.0, 100.0) } else { (100.0, 200.0) });
        }
    }

    #[test]
    fn crop_box_moves_the_origin() {
        let (matrix, width, height) = node(0, Some(BBox::new(50.0, 20.0, 150.0, 500.0))).view();
        assert_eq!((width, height), (100.0, 80.0));
        assert_eq!(matrix.apply(50.0, 100.0), (0.0, 0.0));
    }
}
