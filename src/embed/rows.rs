//! The encoder's steps between its matrix products, each in one pass over rows that are in the cache.

use pulp::{Arch, Simd, WithSimd, cast};

/// Applies `gelu(x) = x · Φ(x)` to each number, where Φ is the normal distribution.
pub(super) fn gelu(arch: Arch, values: &mut [f32]) {
    arch.dispatch(Gelu(values));
}

struct Gelu<'a>(&'a mut [f32]);

impl WithSimd for Gelu<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let (vectors, tail) = S::as_mut_simd_f32s(self.0);
        for value in vectors {
            *value = simd.mul_f32s(*value, normal(simd, *value));
        }
        if !tail.is_empty() {
            let value = simd.partial_load_f32s(tail);
            simd.partial_store_f32s(tail, simd.mul_f32s(value, normal(simd, value)));
        }
    }
}

/// The normal distribution Φ(x) = ½ + ½·erf(x/√2), with an error below 2e-7: a polynomial, since a division costs as much
/// as all of it, and a library's erf is a call per number.
#[inline(always)]
fn normal<S: Simd>(simd: S, x: S::f32s) -> S::f32s {
    /// Beyond this, Φ is 0 or 1 in f32.
    const END: f32 = 5.5;
    /// Of (Φ(x) - ½)/x as a polynomial in u = 2·(x/END)² - 1, which was fitted to it for the smallest error.
    const COEFFICIENTS: [f32; 15] = [
        0.000_538_080_76,
        -0.001_368_830_9,
        0.001_023_835_7,
        -0.001_229_396_3,
        0.004_236_389,
        -0.007_674_676,
        0.010_468_616,
        -0.014_671_363,
        0.020_287_983,
        -0.026_112_469,
        0.032_081_74,
        -0.038_787_268,
        0.047_736_99,
        -0.064_172_48,
        0.128_551_93,
    ];
    // What is no number is the second operand and hence stays.
    let x = simd.max_f32s(simd.splat_f32s(-END), simd.min_f32s(simd.splat_f32s(END), x));
    let u = simd.mul_add_e_f32s(simd.mul_f32s(x, x), simd.splat_f32s(2.0 / (END * END)), simd.splat_f32s(-1.0));
    simd.mul_add_e_f32s(x, polynomial(simd, COEFFICIENTS, u), simd.splat_f32s(0.5))
}

/// Exponential of numbers ≤ 0, with a relative error below 3e-7; below e⁻⁸⁷ it is e⁻⁸⁷.
#[inline(always)]
fn exp<S: Simd>(simd: S, x: S::f32s) -> S::f32s {
    const LEAST: f32 = -87.0;
    /// Adding 1.5 · 2²³ rounds to a whole number and leaves it in the lowest bits; with 127 added it is an exponent.
    const ROUND: f32 = 12_582_912.0 + 127.0;
    /// ln 2 in two parts: the first has few bits, so that a whole number times it is exact.
    const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];
    /// Of eʳ for |r| ≤ ln 2 / 2.
    const COEFFICIENTS: [f32; 7] = [1.383_683e-3, 8.374_83e-3, 4.166_822_5e-2, 1.666_642e-1, 4.999_999e-1, 1.0, 1.0];
    // Not by the maximum, which may drop what is no number.
    let least = simd.splat_f32s(LEAST);
    let x = simd.select_f32s(simd.less_than_f32s(x, least), least, x);
    let rounded = simd.mul_add_e_f32s(x, simd.splat_f32s(std::f32::consts::LOG2_E), simd.splat_f32s(ROUND));
    let whole = simd.sub_f32s(simd.splat_f32s(ROUND), rounded);
    let rest = LN_2.into_iter().fold(x, |rest, part| simd.mul_add_e_f32s(whole, simd.splat_f32s(part), rest));
    let power = simd.wrapping_dyn_shl_u32s(cast(rounded), simd.splat_u32s(23));
    simd.mul_f32s(cast(power), polynomial(simd, COEFFICIENTS, rest))
}

/// A polynomial, highest power first.
#[inline(always)]
fn polynomial<S: Simd, const N: usize>(simd: S, coefficients: [f32; N], x: S::f32s) -> S::f32s {
    let zero = simd.splat_f32s(0.0);
    coefficients.into_iter().fold(zero, |sum, c| simd.mul_add_e_f32s(sum, x, simd.splat_f32s(c)))
}

/// Replaces a row by the exponentials of its distances from its largest number; returns their sum.
///
/// The row is a whole number of vectors; what fills it up must be -∞.
#[inline(always)]
pub(super) fn exponentials<S: Simd>(simd: S, row: &mut [f32]) -> f32 {
    let (vectors, _) = S::as_mut_simd_f32s(row);
    let lowest = simd.splat_f32s(f32::NEG_INFINITY);
    let largest = vectors.iter().fold(lowest, |largest, value| simd.max_f32s(largest, *value));
    let largest = simd.splat_f32s(simd.reduce_max_f32s(largest));
    let mut sum = simd.splat_f32s(0.0);
    for value in vectors {
        *value = exp(simd, simd.sub_f32s(*value, largest));
        sum = simd.add_f32s(sum, *value);
    }
    simd.reduce_sum_f32s(sum)
}

/// Normalises rows to mean 0 and variance 1 before it scales and shifts them.
pub(super) struct LayerNorm {
    pub(super) scale: Vec<f32>,
    pub(super) shift: Vec<f32>,
    pub(super) epsilon: f32,
}

impl LayerNorm {
    /// Adds `addend` to `values`, row by row, and normalises the sums.
    pub(super) fn add(&self, arch: Arch, values: &mut [f32], addend: &[f32]) {
        arch.dispatch(AddNorm { norm: self, values, addend });
    }
}

struct AddNorm<'a> {
    norm: &'a LayerNorm,
    values: &'a mut [f32],
    addend: &'a [f32],
}

impl WithSimd for AddNorm<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let LayerNorm { scale, shift, epsilon } = self.norm;
        let width = scale.len().max(1);
        let (scale, scale_tail) = S::as_simd_f32s(scale);
        let (shift, shift_tail) = S::as_simd_f32s(shift);
        for (row, addend) in self.values.chunks_exact_mut(width).zip(self.addend.chunks_exact(width)) {
            let (row, row_tail) = S::as_mut_simd_f32s(row);
            let (addend, addend_tail) = S::as_simd_f32s(addend);
            let mut total = simd.splat_f32s(0.0);
            for (value, addend) in row.iter_mut().zip(addend) {
                *value = simd.add_f32s(*value, *addend);
                total = simd.add_f32s(total, *value);
            }
            row_tail.iter_mut().zip(addend_tail).for_each(|(value, addend)| *value += addend);
            let mean = (simd.reduce_sum_f32s(total) + row_tail.iter().sum::<f32>()) / width as f32;

            let means = simd.splat_f32s(mean);
            let mut total = simd.splat_f32s(0.0);
            for value in row.iter_mut() {
                *value = simd.sub_f32s(*value, means);
                total = simd.mul_add_e_f32s(*value, *value, total);
            }
            row_tail.iter_mut().for_each(|value| *value -= mean);
            let tail_total: f32 = row_tail.iter().map(|value| value * value).sum();
            let variance = (simd.reduce_sum_f32s(total) + tail_total) / width as f32;

            let factor = 1.0 / (variance + epsilon).sqrt();
            let factors = simd.splat_f32s(factor);
            for ((value, scale), shift) in row.iter_mut().zip(scale).zip(shift) {
                *value = simd.mul_add_e_f32s(simd.mul_f32s(*value, factors), *scale, *shift);
            }
            for ((value, scale), shift) in row_tail.iter_mut().zip(scale_tail).zip(shift_tail) {
                *value = *value * factor * scale + shift;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::matrix::arches;
    use super::*;

    /// erf(x) = 2/√π · exp(-x²) · Σ 2ⁿ x²ⁿ⁺¹ / (1·3·…·(2n+1)), all terms of one sign.
    fn erf_series(x: f64) -> f64 {
        let mut term = x;
        let mut sum = x;
        for n in 1..200 {
            term *= 2.0 * x * x / f64::from(2 * n + 1);
            sum += term;
        }
        2.0 / std::f64::consts::PI.sqrt() * (-x * x).exp() * sum
    }

    /// Applies a function of vectors to each number of a slice.
    struct Map<'a, F>(&'a mut [f32], F);

    trait Function {
        fn apply<S: Simd>(&self, simd: S, x: S::f32s) -> S::f32s;
    }

    struct Normal;
    impl Function for Normal {
        fn apply<S: Simd>(&self, simd: S, x: S::f32s) -> S::f32s {
            normal(simd, x)
        }
    }

    struct Exp;
    impl Function for Exp {
        fn apply<S: Simd>(&self, simd: S, x: S::f32s) -> S::f32s {
            exp(simd, x)
        }
    }

    impl<F: Function> WithSimd for Map<'_, F> {
        type Output = ();
        fn with_simd<S: Simd>(self, simd: S) {
            for value in self.0.chunks_mut(S::F32_LANES) {
                let result = self.1.apply(simd, simd.partial_load_f32s(value));
                simd.partial_store_f32s(value, result);
            }
        }
    }

    #[test]
    fn the_normal_distribution_is_exact_to_f32() {
        assert!((erf_series(1.0) - 0.842_700_792_949_715).abs() < 1e-14);
        let places: Vec<f32> = (-800_i16..=800).map(|i| f32::from(i) / 100.0).collect();
        for arch in arches() {
            let mut values = places.clone();
            arch.dispatch(Map(&mut values, Normal));
            for (x, value) in places.iter().zip(values) {
                let expected = 0.5 + 0.5 * erf_series(f64::from(*x) / 2.0_f64.sqrt());
                assert!((f64::from(value) - expected).abs() < 2.5e-7, "{arch:?}: Φ({x}) = {value}, not {expected}");
            }
        }
    }

    #[test]
    fn the_exponential_is_exact_to_f32() {
        let places: Vec<f32> = (0..=20_000_u16).map(|i| f32::from(i) / -200.0).collect();
        for arch in arches() {
            let mut values = places.clone();
            arch.dispatch(Map(&mut values, Exp));
            for (x, value) in places.iter().zip(values) {
                let expected = f64::from(*x).max(-87.0).exp();
                let error = (f64::from(value) / expected - 1.0).abs();
                assert!(error < 3e-7, "{arch:?}: exp({x}) is off by {error}");
            }
        }
    }

    #[test]
    fn gelu_keeps_what_is_no_number_and_takes_any_length() {
        for arch in arches() {
            let mut values = [[1.0, -1.0, 0.0, 30.0, -30.0].as_slice(), &[1.0; 30]].concat();
            gelu(arch, &mut values);
            let expected = [0.841_344_7, -0.158_655_3, 0.0, 30.0, 0.0];
            assert!(values.iter().zip(expected).all(|(a, b)| (a - b).abs() < 5e-6), "{arch:?}: {values:?}");
            assert!(values.iter().skip(5).all(|value| (value - 0.841_344_7).abs() < 1e-6), "{arch:?}: {values:?}");
            let mut values = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
            gelu(arch, &mut values);
            assert!(values[0].is_nan() && values[1] == f32::INFINITY, "{arch:?}: {values:?}");
        }
    }

    struct Exponentials<'a>(&'a mut [f32]);
    impl WithSimd for Exponentials<'_> {
        type Output = f32;
        fn with_simd<S: Simd>(self, simd: S) -> f32 {
            exponentials(simd, self.0)
        }
    }

    #[test]
    fn exponentials_are_those_of_distances_from_the_largest() {
        for arch in arches() {
            let mut row = [f32::NEG_INFINITY; 48];
            row[..3].copy_from_slice(&[1000.0, 999.0, 998.0]);
            let sum = arch.dispatch(Exponentials(&mut row));
            let expected = [1.0, (-1.0_f32).exp(), (-2.0_f32).exp()];
            assert!(row.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{arch:?}: {row:?}");
            assert!((sum - expected.iter().sum::<f32>()).abs() < 1e-6);
            assert!(row[3..].iter().all(|value| *value < 1e-37));
            row[1] = f32::NAN;
            assert!(arch.dispatch(Exponentials(&mut row)).is_nan());
        }
    }

    #[test]
    fn rows_are_added_and_normalised() {
        for arch in arches() {
            let norm = LayerNorm { scale: vec![2.0, 2.0], shift: vec![0.5, 0.0], epsilon: 0.0 };
            // Sums (3, 5) and (6, 0), normalised (-1, 1) and (1, -1).
            let mut values = [2.0, 2.0, 6.0, 0.0];
            norm.add(arch, &mut values, &[1.0, 3.0, 0.0, 0.0]);
            assert_eq!(values, [-1.5, 2.0, 2.5, -2.0]);

            let width = 37;
            let norm = LayerNorm { scale: vec![1.5; width], shift: vec![-0.5; width], epsilon: 1e-12 };
            let mut values: Vec<f32> = (0..width).map(|i| (i * i % 11) as f32).collect();
            let mean = values.iter().sum::<f32>() / width as f32;
            let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f32>() / width as f32;
            let expected: Vec<f32> = values.iter().map(|value| (value - mean) / variance.sqrt() * 1.5 - 0.5).collect();
            norm.add(arch, &mut values, &vec![0.0; width]);
            assert!(values.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5), "{arch:?}: {values:?}");
        }
    }
}
