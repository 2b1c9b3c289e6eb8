//! Colour spaces: from the operands of a colour operator to red, green and blue, near enough to tell a shaded row from
//! a plain one and white text from black.

use std::sync::Arc;

use lopdf::{Dictionary, Document, Object};

use super::function::Function;
use super::objects;

/// Depth of colour spaces inside colour spaces.
const MAX_DEPTH: usize = 4;
/// Bytes that a palette may have: 256 colours of 32 components.
const MAX_PALETTE: usize = 256 * 32;

/// Red, green, blue.
pub(crate) type Rgb = [u8; 3];

/// What stands for colours that are not worked out.
pub(crate) const MID_TONE: Rgb = [200, 200, 200];

/// How the operands of a colour operator are to be read.
#[derive(Clone, Debug, Default, PartialEq)]
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
    Ink(Arc<Inks>),
    /// A palette.
    Indexed(Arc<Vec<Rgb>>),
    /// Pattern, with the space of those that have no colour of their own.
    Pattern(Option<Arc<ColorSpace>>),
}

/// How inks look: by another colour space, where the function that leads to it is one of those that are worked out.
#[derive(Debug, PartialEq)]
pub(crate) struct Inks {
    count: usize,
    look: Option<(ColorSpace, Function)>,
}

impl ColorSpace {
    /// By the name that content uses for a space without parameters.
    pub(crate) fn by_name(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"DeviceGray" | b"G" | b"CalGray" => Self::Gray,
            b"DeviceRGB" | b"RGB" | b"CalRGB" => Self::Rgb,
            b"DeviceCMYK" | b"CMYK" => Self::Cmyk,
            b"Pattern" => Self::Pattern(None),
            _ => return None,
        })
    }

    /// From a colour space object; gray where it makes no sense.
    pub(crate) fn load(doc: &Document, object: &Object) -> Self {
        Self::load_nested(doc, object, 0)
    }

    fn load_nested(doc: &Document, object: &Object, depth: usize) -> Self {
        let Object::Array(parts) = object else {
            return object.as_name().ok().and_then(Self::by_name).unwrap_or_default();
        };
        let part = |at: usize| objects::resolve(doc, parts.get(at)?);
        let inner = |at: usize| {
            let object = part(at).filter(|_| depth < MAX_DEPTH)?;
            Some(Self::load_nested(doc, object, depth + 1))
        };
        let Some(Object::Name(family)) = part(0) else { return Self::Gray };
        match family.as_slice() {
            b"Lab" => Self::Lab,
            b"Pattern" => Self::Pattern(inner(1).map(Arc::new)),
            b"ICCBased" => {
                let dict = part(1).and_then(objects::as_dict);
                match dict.and_then(|dict| objects::get_number(doc, dict, b"N")).unwrap_or(1.0) as i32 {
                    3 => Self::Rgb,
                    4 => Self::Cmyk,
                    _ => Self::Gray,
                }
            }
            b"Separation" | b"DeviceN" => {
                let count = if let Some(Object::Array(names)) = part(1) { names.len() } else { 1 };
                let look = inner(2).zip(part(3).and_then(|function| Function::load(doc, function)));
                Self::Ink(Arc::new(Inks { count, look }))
            }
            b"Indexed" | b"I" => {
                let base = inner(1).unwrap_or_default();
                let table = match part(3) {
                    Some(Object::String(bytes, _)) => bytes.clone(),
                    Some(Object::Stream(stream)) => objects::stream_data(doc, stream, MAX_PALETTE).unwrap_or_default(),
                    _ => Vec::new(),
                };
                let colors = table.chunks_exact(base.components()).take(256);
                Self::Indexed(Arc::new(colors.map(|color| base.rgb_of_bytes(color)).collect()))
            }
            name => Self::by_name(name).unwrap_or_default(),
        }
    }

    /// Number of components, at least 1.
    fn components(&self) -> usize {
        match self {
            Self::Rgb | Self::Lab => 3,
            Self::Cmyk => 4,
            Self::Ink(inks) => inks.count.max(1),
            Self::Gray | Self::Indexed(_) | Self::Pattern(_) => 1,
        }
    }

    /// A palette's colour.
    fn rgb_of_bytes(&self, color: &[u8]) -> Rgb {
        let mut values: Vec<f32> = color.iter().map(|byte| f32::from(*byte) / 255.0).collect();
        if let (Self::Lab, [lightness, a, b]) = (self, values.as_mut_slice()) {
            (*lightness, *a, *b) = (*lightness * 100.0, *a * 200.0 - 100.0, *b * 200.0 - 100.0);
        }
        self.rgb(&values)
    }

    /// The colour that the space starts with.
    pub(crate) fn initial(&self) -> Rgb {
        match self {
            Self::Ink(inks) => self.rgb(&vec![1.0; inks.count.min(32)]),
            Self::Indexed(_) => self.rgb(&[0.0]),
            Self::Pattern(_) => MID_TONE,
            _ => [0, 0, 0],
        }
    }

    /// The colour of some components.
    pub(crate) fn rgb(&self, values: &[f32]) -> Rgb {
        match (self, values) {
            (Self::Pattern(Some(base)), [_, ..]) => base.rgb(values),
            (Self::Pattern(_), _) | (_, []) => MID_TONE,
            (Self::Rgb, [r, g, b, ..]) => [byte(*r), byte(*g), byte(*b)],
            (Self::Cmyk, [c, m, y, k, ..]) => {
                let part = |ink: f32| byte((1.0 - ink.clamp(0.0, 1.0)) * (1.0 - k.clamp(0.0, 1.0)));
                [part(*c), part(*m), part(*y)]
            }
            (Self::Ink(inks), values) => match &inks.look {
                Some((space, function)) => space.rgb(&function.eval(values)),
                None => [byte(1.0 - values.iter().copied().fold(0.0, f32::max)); 3],
            },
            (Self::Indexed(palette), [index, ..]) => {
                let last = palette.len().saturating_sub(1);
                palette.get((index.max(0.0) as usize).min(last)).copied().unwrap_or(MID_TONE)
            }
            (Self::Lab, [lightness, a, b, ..]) => lab(*lightness, *a, *b),
            (_, [gray, ..]) => [byte(*gray); 3],
        }
    }
}

/// CIE L*a*b* under D50 to sRGB.
fn lab(lightness: f32, a: f32, b: f32) -> Rgb {
    let y = (lightness.clamp(0.0, 100.0) + 16.0) / 116.0;
    let part = |t: f32| if t > 6.0 / 29.0 { t.powi(3) } else { 108.0 / 841.0 * (t - 4.0 / 29.0) };
    let (x, y, z) = (0.9642 * part(y + a / 500.0), part(y), 0.8249 * part(y - b / 200.0));
    let linear = [
        3.1339 * x - 1.6169 * y - 0.4906 * z,
        -0.9785 * x + 1.9160 * y + 0.0333 * z,
        0.0720 * x - 0.2290 * y + 1.4057 * z,
    ];
    linear.map(|v| byte(if v <= 0.003_130_8 { 12.92 * v } else { 1.055 * v.powf(1.0 / 2.4) - 0.055 }))
}

pub(crate) fn byte(value: f32) -> u8 {
    (value.clamp(0.0, 1.0) * 255.0).round() as u8
}

/// The colour that stands for a shading: that of its middle.
pub(crate) fn of_shading(doc: &Document, shading: &Dictionary) -> Rgb {
    let color = || {
        let space = ColorSpace::load(doc, objects::get(doc, shading, b"ColorSpace")?);
        let function = Function::load(doc, objects::get(doc, shading, b"Function")?)?;
        let inputs = match objects::get_numbers(doc, shading, b"Domain").as_deref() {
            Some([x0, x1]) => vec![(x0 + x1) / 2.0],
            Some([x0, x1, y0, y1]) => vec![(x0 + x1) / 2.0, (y0 + y1) / 2.0],
            _ => vec![0.5; 2],
        };
        let values = function.eval(&inputs);
        (!values.is_empty()).then(|| space.rgb(&values))
    };
    color().unwrap_or(MID_TONE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lopdf::{Stream, dictionary};

    fn name(name: &str) -> Object {
        Object::Name(name.into())
    }

    fn load(parts: Vec<Object>) -> ColorSpace {
        ColorSpace::load(&Document::new(), &Object::Array(parts))
    }

    /// From white to a colour of three parts.
    fn tint(to: [f32; 3]) -> Object {
        let reals = |values: &[f32]| Object::Array(values.iter().map(|value| Object::Real(*value)).collect());
        let (from, to) = (reals(&[1.0; 3]), reals(&to));
        dictionary! { "FunctionType" => 2, "Domain" => reals(&[0.0, 1.0]), "C0" => from, "C1" => to, "N" => 1 }.into()
    }

    #[test]
    fn device_and_calibrated_spaces() {
        assert_eq!(ColorSpace::Gray.rgb(&[0.5]), [128, 128, 128]);
        assert_eq!(ColorSpace::Rgb.rgb(&[1.0, 0.0, 2.0]), [255, 0, 255]);
        assert_eq!(ColorSpace::Cmyk.rgb(&[0.0, 0.0, 0.0, 0.2]), [204, 204, 204]);
        assert_eq!(ColorSpace::Rgb.rgb(&[]), MID_TONE);
        assert_eq!(load(vec![name("CalGray"), Dictionary::new().into()]), ColorSpace::Gray);
        assert_eq!(load(vec![name("CalRGB"), Dictionary::new().into()]), ColorSpace::Rgb);
        assert_eq!(load(vec![name("NoSuch")]), ColorSpace::Gray);
    }

    #[test]
    fn icc_profiles_go_by_their_components() {
        for (count, space) in [(1, ColorSpace::Gray), (3, ColorSpace::Rgb), (4, ColorSpace::Cmyk)] {
            let profile = Stream::new(dictionary! { "N" => count }, Vec::new());
            assert_eq!(load(vec![name("ICCBased"), profile.into()]), space);
        }
    }

    #[test]
    fn lab_is_near() {
        let space = load(vec![name("Lab"), Dictionary::new().into()]);
        assert_eq!(space.rgb(&[0.0, 0.0, 0.0]), [0, 0, 0]);
        assert!(space.rgb(&[100.0, 0.0, 0.0]).iter().all(|part| *part >= 254));
        let [r, g, b] = space.rgb(&[53.0, 80.0, 67.0]);
        assert!(r > 245 && g < 20 && b < 20, "red: {r} {g} {b}");
    }

    #[test]
    fn palettes() {
        let table = Object::string_literal(vec![255, 255, 255, 0, 0, 128]);
        let space = load(vec![name("Indexed"), name("DeviceRGB"), 1.into(), table]);
        assert_eq!(space.initial(), [255, 255, 255]);
        assert_eq!(space.rgb(&[1.0]), [0, 0, 128]);
        assert_eq!((space.rgb(&[9.0]), space.rgb(&[-1.0])), ([0, 0, 128], [255, 255, 255]));
        assert_eq!(load(vec![name("Indexed"), name("DeviceRGB")]).rgb(&[0.0]), MID_TONE);
        let stream = Stream::new(Dictionary::new(), vec![0, 0, 0, 51]);
        assert_eq!(load(vec![name("Indexed"), name("DeviceCMYK"), 0.into(), stream.into()]).initial(), [204; 3]);
    }

    #[test]
    fn inks_by_their_function_or_their_amount() {
        let spot = load(vec![name("Separation"), name("Blue"), name("DeviceRGB"), tint([0.0, 0.0, 1.0])]);
        assert_eq!((spot.initial(), spot.rgb(&[0.0])), ([0, 0, 255], [255; 3]));
        assert_eq!(spot.rgb(&[0.2]), [204, 204, 255]);
        let names = Object::Array(vec![name("Cyan"), name("Spot")]);
        let program = dictionary! { "FunctionType" => 4, "Domain" => vec![Object::from(0), 1.into()] };
        let several = load(vec![name("DeviceN"), names, name("DeviceCMYK"), program.into()]);
        assert_eq!(
            (several.rgb(&[0.0, 0.0]), several.rgb(&[0.1, 0.4]), several.initial()),
            ([255; 3], [153; 3], [0; 3])
        );
    }

    #[test]
    fn patterns_and_shadings() {
        assert_eq!(load(vec![name("Pattern")]).rgb(&[]), MID_TONE);
        assert_eq!(load(vec![name("Pattern"), name("DeviceRGB")]).rgb(&[1.0, 0.0, 0.0]), [255, 0, 0]);
        let shading = dictionary! { "ColorSpace" => "DeviceRGB", "Function" => tint([0.0; 3]) };
        assert_eq!(of_shading(&Document::new(), &shading), [128; 3]);
        assert_eq!(of_shading(&Document::new(), &Dictionary::new()), MID_TONE);
    }

    #[test]
    fn spaces_inside_spaces_end() {
        let deep = (0..50).fold(name("DeviceRGB"), |inner, _| Object::Array(vec![name("Pattern"), inner]));
        assert!(matches!(ColorSpace::load(&Document::new(), &deep), ColorSpace::Pattern(Some(_))));
    }
}
