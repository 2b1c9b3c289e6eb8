//! Pages whose text runs up or down: turned so that it runs to the right.

use crate::document::BBox;
use crate::pdf::{PageContent, Rule, Word};

/// Share of a text box's height that lies below the baseline.
pub(crate) const DESCENT: f32 = 0.22;

/// How a page was turned, to turn boxes back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Turn {
    /// Text ran upwards; the page had this height.
    Clockwise(f32),
    /// Text ran downwards; the page had this width.
    CounterClockwise(f32),
}

impl Turn {
    fn apply(self, b: &BBox) -> BBox {
        match self {
            Self::Clockwise(height) => BBox { x0: height - b.y1, y0: b.x0, x1: height - b.y0, y1: b.x1 },
            Self::CounterClockwise(width) => BBox { x0: b.y0, y0: width - b.x1, x1: b.y1, y1: width - b.x0 },
        }
    }

    /// A box of the turned page on the page as it was.
    pub(crate) fn undo(self, b: &BBox) -> BBox {
        match self {
            Self::Clockwise(height) => BBox { x0: b.y0, y0: height - b.x1, x1: b.y1, y1: height - b.x0 },
            Self::CounterClockwise(width) => BBox { x0: width - b.y1, y0: b.x0, x1: width - b.y0, y1: b.x1 },
        }
    }
}

/// The page turned so that most of its text is upright, or `None` where it is already. Words keep their indices.
pub(crate) fn turned(page: &PageContent) -> Option<(PageContent, Turn)> {
    let count = |angle: i16| page.words.iter().filter(|w| w.angle == angle).count();
    let (up, down, all) = (count(90), count(270), page.words.len());
    let (angle, turn) = if up * 2 > all {
        (90, Turn::Clockwise(page.height))
    } else if down * 2 > all {
        (270, Turn::CounterClockwise(page.width))
    } else {
        return None;
    };
    let words = page.words.iter().map(|w| {
        let bbox = turn.apply(&w.bbox);
        let baseline = bbox.y1 - DESCENT * bbox.height();
        // Whatever was upright runs sideways now.
        Word { bbox, baseline, angle: if w.angle == angle { 0 } else { 90 }, ..w.clone() }
    });
    let turned = PageContent {
        width: page.height,
        height: page.width,
        words: words.collect(),
        rules: page.rules.iter().map(|r| Rule { bbox: turn.apply(&r.bbox), horizontal: !r.horizontal, ..*r }).collect(),
        fills: page.fills.iter().map(|f| crate::pdf::Fill { bbox: turn.apply(&f.bbox), ..*f }).collect(),
        images: page.images.iter().map(|b| turn.apply(b)).collect(),
        ..*page
    };
    Some((turned, turn))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turning_back_restores_boxes() {
        let b = BBox { x0: 10.0, y0: 20.0, x1: 40.0, y1: 90.0 };
        for turn in [Turn::Clockwise(800.0), Turn::CounterClockwise(600.0)] {
            assert_eq!(turn.undo(&turn.apply(&b)), b);
        }
        assert_eq!(Turn::Clockwise(800.0).apply(&b), BBox { x0: 710.0, y0: 10.0, x1: 780.0, y1: 40.0 });
    }
}
