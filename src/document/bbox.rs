//! Axis-aligned boxes on a page.

use serde::{Deserialize, Serialize};

/// A box in PDF points (1/72 inch) with its origin at the top left of the visible page: `y` grows downwards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BBox {
    /// Left edge.
    pub x0: f32,
    /// Top edge.
    pub y0: f32,
    /// Right edge.
    pub x1: f32,
    /// Bottom edge.
    pub y1: f32,
}

impl BBox {
    /// A box from two opposite corners, in any order.
    pub fn new(xa: f32, ya: f32, xb: f32, yb: f32) -> Self {
        Self { x0: xa.min(xb), y0: ya.min(yb), x1: xa.max(xb), y1: ya.max(yb) }
    }

    /// Width in points.
    pub fn width(&self) -> f32 {
        self.x1 - self.x0
    }

    /// Height in points.
    pub fn height(&self) -> f32 {
        self.y1 - self.y0
    }

    /// Area in square points.
    pub fn area(&self) -> f32 {
        self.width().max(0.0) * self.height().max(0.0)
    }

    /// Horizontal centre.
    pub fn center_x(&self) -> f32 {
        (self.x0 + self.x1) / 2.0
    }

    /// Vertical centre.
    pub fn center_y(&self) -> f32 {
        (self.y0 + self.y1) / 2.0
    }

    /// The smallest box that covers both.
    pub fn union(&self, other: &BBox) -> BBox {
        BBox {
            x0: self.x0.min(other.x0),
            y0: self.y0.min(other.y0),
            x1: self.x1.max(other.x1),
            y1: self.y1.max(other.y1),
        }
    }

    /// The common part, or `None` where the boxes do not touch.
    pub fn intersection(&self, other: &BBox) -> Option<BBox> {
        let b = BBox {
            x0: self.x0.max(other.x0),
            y0: self.y0.max(other.y0),
            x1: self.x1.min(other.x1),
            y1: self.y1.min(other.y1),
        };
        (b.x0 <= b.x1 && b.y0 <= b.y1).then_some(b)
    }

    /// Length of the horizontal overlap; negative is the width of the gap.
    pub fn overlap_x(&self, other: &BBox) -> f32 {
        self.x1.min(other.x1) - self.x0.max(other.x0)
    }

    /// Length of the vertical overlap; negative is the height of the gap.
    pub fn overlap_y(&self, other: &BBox) -> f32 {
        self.y1.min(other.y1) - self.y0.max(other.y0)
    }

    /// Whether the point lies inside or on the edge.
    pub fn contains_point(&self, x: f32, y: f32) -> bool {
        x >= self.x0 && x <= self.x1 && y >= self.y0 && y <= self.y1
    }

    /// The box grown by `by` points on every side.
    pub fn expand(&self, by: f32) -> BBox {
        BBox { x0: self.x0 - by, y0: self.y0 - by, x1: self.x1 + by, y1: self.y1 + by }
    }

    /// The smallest box that covers all of them, or `None` for none.
    pub fn union_all<'a>(boxes: impl IntoIterator<Item = &'a BBox>) -> Option<BBox> {
        boxes.into_iter().fold(None, |acc: Option<BBox>, b| Some(acc.map_or(*b, |a| a.union(b))))
    }
}
