//! The graphics state.

use super::color::{ColorSpace, Rgb, byte};
use super::matrix::Matrix;
use crate::document::BBox;

/// A current colour.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Paint {
    pub(crate) space: ColorSpace,
    pub(crate) rgb: Rgb,
    /// 1 is opaque.
    pub(crate) alpha: Alpha,
}

/// Opacity, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Alpha(pub(crate) f32);

impl Default for Alpha {
    fn default() -> Self {
        Self(1.0)
    }
}

impl Paint {
    pub(crate) fn set(&mut self, space: ColorSpace, values: &[f32]) {
        self.rgb = space.rgb(values);
        self.space = space;
    }

    /// The colour over white.
    pub(crate) fn visible(&self) -> Rgb {
        let alpha = self.alpha.0.clamp(0.0, 1.0);
        self.rgb.map(|part| byte((f32::from(part) * alpha + 255.0 * (1.0 - alpha)) / 255.0))
    }
}

/// The text part of the state.
#[derive(Clone, Debug)]
pub(crate) struct TextState {
    /// Index into the page's fonts.
    pub(crate) font: Option<u16>,
    /// Never 0, which would put all letters in one place.
    pub(crate) size: f32,
    pub(crate) char_space: f32,
    pub(crate) word_space: f32,
    /// 1 is normal.
    pub(crate) h_scale: f32,
    pub(crate) leading: f32,
    pub(crate) rise: f32,
    pub(crate) mode: i32,
}

/// Size of text that is given none.
const DEFAULT_SIZE: f32 = 1.0;
/// Sizes nearer to 0 are none.
const MIN_SIZE: f32 = 1e-6;

impl TextState {
    /// Sets the font size.
    pub(crate) fn set_size(&mut self, size: f32) {
        self.size = if size.abs() < MIN_SIZE { DEFAULT_SIZE } else { size };
    }
}

/// Everything that `q` saves.
#[derive(Clone, Debug)]
pub(crate) struct GraphicsState {
    /// User space to page coordinates (y down).
    pub(crate) ctm: Matrix,
    /// Box of the clip path, in page coordinates.
    pub(crate) clip: BBox,
    pub(crate) fill: Paint,
    pub(crate) stroke: Paint,
    pub(crate) line_width: f32,
    pub(crate) text: TextState,
}

impl GraphicsState {
    pub(crate) fn new(ctm: Matrix, clip: BBox) -> Self {
        let text = TextState {
            font: None,
            size: DEFAULT_SIZE,
            char_space: 0.0,
            word_space: 0.0,
            h_scale: 1.0,
            leading: 0.0,
            rise: 0.0,
            mode: 0,
        };
        Self { ctm, clip, fill: Paint::default(), stroke: Paint::default(), line_width: 1.0, text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_show_over_white() {
        let paint = Paint { rgb: [0, 0, 0], alpha: Alpha(0.2), ..Paint::default() };
        assert_eq!(paint.visible(), [204, 204, 204]);
    }
}
