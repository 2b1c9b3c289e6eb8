//! PDF functions, as far as colours need them: sampled, exponential and stitched ones. Programs (type 4) are left out.

use lopdf::{Dictionary, Document, Object};

use super::objects;

/// Depth of functions inside functions.
const MAX_DEPTH: usize = 4;
/// Inputs or outputs of one function.
const MAX_PARTS: usize = 64;
/// Functions inside one function, where a sampled one counts as several.
const MAX_FUNCTIONS: usize = 128;
const SAMPLED: usize = 16;
/// Bytes of samples.
const MAX_SAMPLES: usize = 1 << 18;

/// A function of one or more numbers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Function {
    /// A table over a grid; the nearest sample counts.
    Sampled { domain: Vec<f32>, encode: Vec<f32>, decode: Vec<f32>, size: Vec<usize>, bits: usize, samples: Vec<u8> },
    /// From one colour to another.
    Exponential { from: Vec<f32>, to: Vec<f32>, exponent: f32 },
    /// Functions for parts of the domain; `bounds` are the ends of the parts, the domain's own included.
    Stitched { parts: Vec<Function>, bounds: Vec<f32>, encode: Vec<f32> },
    /// One function for each output.
    Separate(Vec<Function>),
}

impl Function {
    pub(crate) fn load(doc: &Document, object: &Object) -> Option<Self> {
        Self::load_nested(doc, object, 0, &mut { MAX_FUNCTIONS })
    }

    fn load_nested(doc: &Document, object: &Object, depth: usize, left: &mut usize) -> Option<Self> {
        if depth > MAX_DEPTH {
            return None;
        }
        *left = left.checked_sub(1)?;
        let mut all = |objects: &[Object]| -> Option<Vec<Self>> {
            let mut load = |object| Self::load_nested(doc, objects::resolve(doc, object)?, depth + 1, left);
            objects.iter().map(&mut load).collect()
        };
        if let Object::Array(objects) = object {
            return all(objects).map(Self::Separate);
        }
        let dict = objects::as_dict(object)?;
        let numbers = |key: &[u8]| objects::get_numbers(doc, dict, key).filter(|numbers| numbers.len() <= MAX_PARTS);
        let domain = numbers(b"Domain")?;
        match objects::get_number(doc, dict, b"FunctionType")? as i32 {
            0 => {
                *left = left.checked_sub(SAMPLED)?;
                Self::load_sampled(doc, object, dict, domain)
            }
            2 => {
                let (from, to) =
                    (numbers(b"C0").unwrap_or_else(|| vec![0.0]), numbers(b"C1").unwrap_or_else(|| vec![1.0]));
                Some(Self::Exponential { from, to, exponent: objects::get_number(doc, dict, b"N").unwrap_or(1.0) })
            }
            3 => {
                let inner = numbers(b"Bounds").unwrap_or_default();
                let (first, last) = (domain.first()?, domain.get(1)?);
                let bounds = [*first].into_iter().chain(inner).chain([*last]).collect();
                let parts = all(objects::get_array(doc, dict, b"Functions")?)?;
                Some(Self::Stitched { parts, bounds, encode: numbers(b"Encode").unwrap_or_default() })
            }
            _ => None,
        }
    }

    fn load_sampled(doc: &Document, object: &Object, dict: &Dictionary, domain: Vec<f32>) -> Option<Self> {
        let numbers = |key: &[u8]| objects::get_numbers(doc, dict, key).filter(|numbers| numbers.len() <= MAX_PARTS);
        let size: Vec<usize> = numbers(b"Size")?.into_iter().map(|size| size.clamp(1.0, 65536.0) as usize).collect();
        let encode = numbers(b"Encode");
        Some(Self::Sampled {
            encode: encode.unwrap_or_else(|| size.iter().flat_map(|size| [0.0, (size - 1) as f32]).collect()),
            decode: numbers(b"Decode").or_else(|| numbers(b"Range"))?,
            bits: objects::get_number(doc, dict, b"BitsPerSample").filter(|bits| (1.0..=32.0).contains(bits))? as usize,
            samples: objects::stream_data(doc, object.as_stream().ok()?, MAX_SAMPLES)?,
            domain,
            size,
        })
    }

    /// The outputs for some inputs.
    pub(crate) fn eval(&self, inputs: &[f32]) -> Vec<f32> {
        let first = inputs.first().copied().unwrap_or_default();
        match self {
            Self::Sampled { domain, encode, decode, size, bits, samples } => {
                let mut at = 0usize;
                let mut stride = 1usize;
                let ranges = domain.as_chunks::<2>().0.iter().zip(encode.as_chunks::<2>().0);
                for ((input, (domain, encode)), size) in inputs.iter().zip(ranges).zip(size) {
                    let place = interpolate(*input, *domain, *encode).round().clamp(0.0, (size - 1) as f32) as usize;
                    at = at.saturating_add(place.saturating_mul(stride));
                    stride = stride.saturating_mul(*size);
                }
                let outputs = decode.as_chunks::<2>().0;
                let most = ((1u64 << bits) - 1) as f32;
                let sample = |(i, range): (usize, &[f32; 2])| {
                    let start = at.saturating_mul(outputs.len()).saturating_add(i).saturating_mul(*bits);
                    interpolate(read_bits(samples, start, *bits) as f32, [0.0, most], *range)
                };
                outputs.iter().enumerate().map(sample).collect()
            }
            Self::Exponential { from, to, exponent } => {
                let part = first.clamp(0.0, 1.0).powf(*exponent);
                from.iter().zip(to).map(|(from, to)| from + part * (to - from)).collect()
            }
            Self::Stitched { parts, bounds, encode } => {
                let ends = bounds.iter().skip(1);
                let last = parts.len().saturating_sub(1);
                let at = ends.take(last).take_while(|end| first >= **end).count();
                let (Some(part), Some(&[low, high])) = (parts.get(at), bounds.get(at..).and_then(|b| b.first_chunk()))
                else {
                    return Vec::new();
                };
                let range = encode.as_chunks::<2>().0.get(at).copied().unwrap_or([0.0, 1.0]);
                part.eval(&[interpolate(first, [low, high], range)])
            }
            Self::Separate(parts) => parts.iter().filter_map(|part| part.eval(inputs).first().copied()).collect(),
        }
    }
}

/// Maps a number, brought into the first range, to the second one.
fn interpolate(value: f32, from: [f32; 2], to: [f32; 2]) -> f32 {
    let ([low, high], [start, end]) = (from, to);
    let part = if high > low { ((value - low) / (high - low)).clamp(0.0, 1.0) } else { 0.0 };
    start + part * (end - start)
}

/// Up to 32 bits, the highest first; those beyond the data are 0.
fn read_bits(data: &[u8], start: usize, count: usize) -> u64 {
    (start..start.saturating_add(count)).fold(0, |value, at| {
        let byte = data.get(at / 8).copied().unwrap_or_default();
        value << 1 | u64::from(byte >> (7 - at % 8) & 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use lopdf::{Stream, dictionary};

    fn reals(values: &[f32]) -> Object {
        Object::Array(values.iter().map(|value| Object::Real(*value)).collect())
    }

    fn exponential(from: &[f32], to: &[f32], exponent: f32) -> Object {
        dictionary! {
            "FunctionType" => 2, "Domain" => reals(&[0.0, 1.0]), "C0" => reals(from), "C1" => reals(to),
            "N" => Object::Real(exponent),
        }
        .into()
    }

    fn eval(object: &Object, inputs: &[f32]) -> Vec<f32> {
        Function::load(&Document::new(), object).unwrap().eval(inputs)
    }

    #[test]
    fn exponential_and_separate() {
        let line = exponential(&[0.0, 1.0], &[1.0, 0.5], 1.0);
        assert_eq!(eval(&line, &[0.5]), [0.5, 0.75]);
        assert_eq!(eval(&line, &[7.0]), [1.0, 0.5]);
        assert_eq!(eval(&exponential(&[0.0], &[1.0], 2.0), &[0.5]), [0.25]);
        let both = Object::Array(vec![exponential(&[0.0], &[1.0], 1.0), exponential(&[1.0], &[0.0], 1.0)]);
        assert_eq!(eval(&both, &[0.25]), [0.25, 0.75]);
    }

    #[test]
    fn stitched() {
        let parts = vec![exponential(&[0.0], &[1.0], 1.0), exponential(&[5.0], &[6.0], 1.0)];
        let function = dictionary! {
            "FunctionType" => 3, "Domain" => reals(&[0.0, 1.0]), "Bounds" => reals(&[0.5]), "Functions" => parts,
            "Encode" => reals(&[0.0, 1.0, 1.0, 0.0]),
        };
        let function = Object::from(function);
        assert_eq!(eval(&function, &[0.25]), [0.5]);
        assert_eq!(eval(&function, &[0.5]), [6.0]);
        assert_eq!(eval(&function, &[1.0]), [5.0]);
    }

    #[test]
    fn sampled_over_one_and_two_inputs() {
        let table = |size: &[f32], bits: i32, range: &[f32], data: &[u8]| {
            let dict = dictionary! {
                "FunctionType" => 0, "Domain" => reals(&[0.0, 1.0].repeat(size.len())), "Range" => reals(range),
                "Size" => reals(size), "BitsPerSample" => bits,
            };
            Object::from(Stream::new(dict, data.to_vec()))
        };
        let line = table(&[3.0], 8, &[0.0, 1.0, 0.0, 1.0], &[0, 255, 51, 204, 255, 0]);
        assert_eq!(eval(&line, &[0.5]), [0.2, 0.8]);
        assert_eq!(eval(&line, &[0.9]), [1.0, 0.0]);
        // Two by two, the first input counting fastest, in half bytes.
        let grid = table(&[2.0, 2.0], 4, &[0.0, 15.0], &[0x12, 0x34]);
        assert_eq!(eval(&grid, &[1.0, 0.0]), [2.0]);
        assert_eq!(eval(&grid, &[0.0, 1.0]), [3.0]);
        // Data that ends early counts as nothing.
        assert_eq!(eval(&table(&[2.0], 8, &[0.0, 1.0], &[]), &[1.0]), [0.0]);
    }

    #[test]
    fn programs_and_nests_without_end_are_left_out() {
        let doc = Document::new();
        let program = dictionary! { "FunctionType" => 4, "Domain" => reals(&[0.0, 1.0]) };
        assert_eq!(Function::load(&doc, &program.into()), None);
        let nest = (0..20).fold(exponential(&[0.0], &[1.0], 1.0), |inner, _| Object::Array(vec![inner]));
        assert_eq!(Function::load(&doc, &nest), None);
    }
}
