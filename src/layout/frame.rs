//! Turned pages: a page whose text runs up, down or upside down is laid out as if it were upright; and a page in Arabic
//! or Hebrew as if seen in a mirror, so that what is read first stands on the left.

use crate::document::BBox;
use crate::pdf::{PageContent, Word};

use super::bidi;

/// Share of the font's height below the baseline, for words that carry no baseline of their own.
const DESCENT: f32 = 0.2;

/// How upright coordinates map to those of the page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    /// Direction of the text in degrees: 0, 90, 180 or 270, counter-clockwise.
    angle: i16,
    /// Right and left are exchanged; upright pages only.
    mirrored: bool,
    /// Page width in points.
    width: f32,
    /// Page height in points.
    height: f32,
}

impl Frame {
    /// The frame in which text of direction `angle` is upright.
    pub(crate) fn new(page: &PageContent, angle: i16) -> Self {
        Self { angle, mirrored: false, width: page.width, height: page.height }
    }

    /// The frame of the direction in which most of the page's characters run.
    pub(crate) fn of(page: &PageContent) -> Self {
        let count = |angle: i16| -> usize {
            page.words.iter().filter(|w| w.angle == angle).map(|w| w.text.chars().count()).sum()
        };
        let angle = [90, 180, 270].into_iter().fold((0, count(0)), |best, angle| {
            let chars = count(angle);
            if chars > best.1 { (angle, chars) } else { best }
        });
        Self { mirrored: angle.0 == 0 && bidi::is_rtl_page(page), ..Self::new(page, angle.0) }
    }

    /// Whether it leaves pages as they are.
    pub(crate) fn is_identity(&self) -> bool {
        self.angle == 0 && !self.mirrored
    }

    /// Whether right and left are exchanged.
    pub(crate) fn is_mirrored(&self) -> bool {
        self.mirrored
    }

    /// From page coordinates to upright ones.
    pub(crate) fn enter(&self, b: &BBox) -> BBox {
        match self.angle {
            90 => BBox::new(self.height - b.y0, b.x0, self.height - b.y1, b.x1),
            180 => BBox::new(self.width - b.x0, self.height - b.y0, self.width - b.x1, self.height - b.y1),
            270 => BBox::new(b.y0, self.width - b.x0, b.y1, self.width - b.x1),
            _ if self.mirrored => BBox::new(self.width - b.x0, b.y0, self.width - b.x1, b.y1),
            _ => *b,
        }
    }

    /// From upright coordinates back to those of the page.
    pub(crate) fn leave(&self, b: &BBox) -> BBox {
        match self.angle {
            90 => BBox::new(b.y0, self.height - b.x0, b.y1, self.height - b.x1),
            180 => BBox::new(self.width - b.x0, self.height - b.y0, self.width - b.x1, self.height - b.y1),
            270 => BBox::new(self.width - b.y0, b.x0, self.width - b.y1, b.x1),
            _ if self.mirrored => BBox::new(self.width - b.x0, b.y0, self.width - b.x1, b.y1),
            _ => *b,
        }
    }

    /// A word of this frame's direction, made upright.
    pub(crate) fn word(&self, word: &Word) -> Word {
        if self.is_identity() {
            return word.clone();
        }
        let bbox = self.enter(&word.bbox);
        if self.mirrored {
            return Word { bbox, ..word.clone() };
        }
        Word { bbox, baseline: bbox.y1 - DESCENT * bbox.height(), angle: 0, ..word.clone() }
    }

    /// The whole page, made upright; words of other directions keep a direction relative to the new one.
    pub(crate) fn page(&self, page: &PageContent) -> PageContent {
        let turned = self.angle == 90 || self.angle == 270;
        let words = page.words.iter().map(|w| {
            let angle = (w.angle - self.angle).rem_euclid(360);
            if angle == 0 { self.word(w) } else { Word { bbox: self.enter(&w.bbox), angle, ..w.clone() } }
        });
        let mut out = PageContent { words: words.collect(), ..page.clone() };
        if turned {
            (out.width, out.height) = (page.height, page.width);
        }
        for rule in &mut out.rules {
            rule.bbox = self.enter(&rule.bbox);
            rule.horizontal ^= turned;
        }
        for fill in &mut out.fills {
            fill.bbox = self.enter(&fill.bbox);
        }
        for image in &mut out.images {
            *image = self.enter(image);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_come_back() {
        let page = PageContent { width: 600.0, height: 800.0, ..PageContent::default() };
        let bbox = BBox::new(10.0, 20.0, 30.0, 90.0);
        for angle in [0, 90, 180, 270] {
            let frame = Frame::new(&page, angle);
            assert_eq!(frame.leave(&frame.enter(&bbox)), bbox, "{angle}");
        }
    }

    #[test]
    fn text_running_up_reads_from_the_bottom() {
        let page = PageContent { width: 600.0, height: 800.0, ..PageContent::default() };
        let frame = Frame::new(&page, 90);
        let first = frame.enter(&BBox::new(100.0, 700.0, 110.0, 750.0));
        let second = frame.enter(&BBox::new(100.0, 600.0, 110.0, 690.0));
        let next_line = frame.enter(&BBox::new(112.0, 700.0, 122.0, 750.0));
        assert!(first.x1 < second.x0, "{first:?} {second:?}");
        assert!(first.y1 < next_line.y0, "{first:?} {next_line:?}");
    }
}
