//! The graphics state.

use super::matrix::Matrix;
use crate::document::BBox;

/// How the operands of a colour operator are to be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ColorSpace {
    /// One component, 0 is black.
    #[default]
    Gray,
    /// Three components.
    Rgb,
    /// Four inks.
    Cmyk,
    /// Lightness and two chroma axes.
    Lab,
    /// Separation or DeviceN: amounts of ink, 0 is none.
    Ink,
    /// Pattern or Indexed: the colour is not worked out, a mid tone stands for it.
    Opaque,
}

/// Red, green, blue.
pub(crate) type Rgb = [u8; 3];

/// What stands for colours that are not worked out.
const MID_TONE: Rgb = [200, 200, 200];

impl ColorSpace {
    /// By the number of components.
    pub(crate) fn of_components(count: usize) -> Self {
        match count {
            3 => Self::Rgb,
            4 => Self::Cmyk,
            _ => Self::Gray,
        }
    }

    /// The colour that the space starts with.
    pub(crate) fn initial(self) -> Rgb {
        if self == Self::Opaque { MID_TONE } else { [0, 0, 0] }
    }

    /// The colour of some components; approximate for inks.
    pub(crate) fn rgb(self, values: &[f32]) -> Rgb {
        match (self, values) {
            (Self::Opaque, _) | (_, []) => MID_TONE,
            (Self::Rgb, [r, g, b, ..]) => [byte(*r), byte(*g), byte(*b)],
            (Self::Cmyk, [c, m, y, k, ..]) => {
                let part = |ink: f32| byte((1.0 - ink.clamp(0.0, 1.0)) * (1.0 - k.clamp(0.0, 1.0)));
                [part(*c), part(*m), part(*y)]
            }
            (Self::Ink, inks) => {
                let most = inks.iter().copied().fold(0.0, f32::max);
                [byte(1.0 - most); 3]
            }
            (Self::Lab, [lightness, ..]) => [byte(lightness / 100.0); 3],
            (_, [gray, ..]) => [byte(*gray); 3],
        }
    }
}

fn byte(value: f32) -> u8 {
    (value.clamp(0.0, 1.0) * 255.0).round() as u8
}

/// A current colour.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
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
        self.space = space;
        self.rgb = space.rgb(values);
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
    pub(crate) size: f32,
    pub(crate) char_space: f32,
    pub(crate) word_space: f32,
    /// 1 is normal.
    pub(crate) h_scale: f32,
    pub(crate) leading: f32,
    pub(crate) rise: f32,
    pub(crate) mode: i32,
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
            size: 0.0,
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
    fn colours() {
        assert_eq!(ColorSpace::Gray.rgb(&[0.5]), [128, 128, 128]);
        assert_eq!(ColorSpace::Rgb.rgb(&[1.0, 0.0, 2.0]), [255, 0, 255]);
        assert_eq!(ColorSpace::Cmyk.rgb(&[0.0, 0.0, 0.0, 0.2]), [204, 204, 204]);
        assert_eq!(ColorSpace::Ink.rgb(&[0.0, 0.0]), [255, 255, 255]);
        assert_eq!(ColorSpace::Rgb.rgb(&[]), MID_TONE);
        let paint = Paint { rgb: [0, 0, 0], alpha: Alpha(0.2), ..Paint::default() };
        assert_eq!(paint.visible(), [204, 204, 204]);
    }
}
