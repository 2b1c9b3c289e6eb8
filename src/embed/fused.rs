//! The encoder's steps between its matrix products, each in one pass over the activations.
//!
//! The library's own element-wise operations share one pool of spinning threads, on which workers would wait for each
//! other; these stay on the thread that calls them.

use std::f32::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI};

use candle_core::backend::BackendStorage;
use candle_core::{CpuStorage, CustomOp1, CustomOp2, Layout, Result, Shape};

/// Adds a bias to each row.
pub(super) struct Bias(pub(super) Vec<f32>);

impl CustomOp1 for Bias {
    fn name(&self) -> &'static str {
        "bias"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        map_columns(storage, layout, &self.0, |value, bias| value + bias)
    }
}

/// Adds a bias to each row and applies `gelu(x) = x/2 · (1 + erf(x/√2))`.
pub(super) struct BiasGelu(pub(super) Vec<f32>);

impl CustomOp1 for BiasGelu {
    fn name(&self) -> &'static str {
        "bias-gelu"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        map_columns(storage, layout, &self.0, |value, bias| gelu(value + bias))
    }
}

/// Adds two matrices and a bias to each row, and normalises the rows to mean 0 and variance 1 before scaling and
/// shifting them (layer norm).
pub(super) struct AddNorm {
    pub(super) bias: Vec<f32>,
    pub(super) scale: Vec<f32>,
    pub(super) shift: Vec<f32>,
    pub(super) epsilon: f32,
}

impl CustomOp2 for AddNorm {
    fn name(&self) -> &'static str {
        "add-norm"
    }

    fn cpu_fwd(&self, s1: &CpuStorage, l1: &Layout, s2: &CpuStorage, l2: &Layout) -> Result<(CpuStorage, Shape)> {
        let width = self.bias.len().max(1);
        let (left, right) = (rows(s1, l1, width)?, rows(s2, l2, width)?);
        if left.len() != right.len() {
            candle_core::bail!("add-norm of {:?} and {:?}", l1.shape(), l2.shape());
        }
        let mut out = Vec::with_capacity(left.len());
        let mut sum = Vec::with_capacity(width);
        for (left, right) in left.chunks_exact(width).zip(right.chunks_exact(width)) {
            sum.clear();
            sum.extend(left.iter().zip(right).zip(&self.bias).map(|((left, right), bias)| left + right + bias));
            let mean = total(sum.iter().copied()) / width as f32;
            let variance = total(sum.iter().map(|value| (value - mean) * (value - mean))) / width as f32;
            let factor = 1.0 / (variance + self.epsilon).sqrt();
            let columns = sum.iter().zip(&self.scale).zip(&self.shift);
            out.extend(columns.map(|((value, scale), shift)| (value - mean) * factor * scale + shift));
        }
        Ok((CpuStorage::F32(out), l1.shape().clone()))
    }
}

/// The sum, in sixteen partial sums that are added side by side.
#[inline]
fn total(mut values: impl ExactSizeIterator<Item = f32>) -> f32 {
    let mut sums = [0.0; 16];
    while values.len() > 0 {
        sums.iter_mut().zip(values.by_ref()).for_each(|(sum, value)| *sum += value);
    }
    sums.iter().sum()
}

/// The numbers of a contiguous f32 matrix whose rows are `width` long.
fn rows<'a>(storage: &'a CpuStorage, layout: &Layout, width: usize) -> Result<&'a [f32]> {
    let CpuStorage::F32(values) = storage else { candle_core::bail!("f32 expected, not {:?}", storage.dtype()) };
    let rows = layout.contiguous_offsets().and_then(|(start, end)| values.get(start..end));
    match rows.filter(|_| layout.dims().last() == Some(&width)) {
        Some(rows) => Ok(rows),
        None => candle_core::bail!("contiguous rows of {width} numbers expected, not {layout:?}"),
    }
}

fn map_columns(
    storage: &CpuStorage,
    layout: &Layout,
    bias: &[f32],
    f: impl Fn(f32, f32) -> f32,
) -> Result<(CpuStorage, Shape)> {
    let width = bias.len().max(1);
    let rows = rows(storage, layout, width)?;
    let mut out = Vec::with_capacity(rows.len());
    for row in rows.chunks_exact(width) {
        out.extend(row.iter().zip(bias).map(|(value, bias)| f(*value, *bias)));
    }
    Ok((CpuStorage::F32(out), layout.shape().clone()))
}

#[inline]
fn gelu(x: f32) -> f32 {
    0.5 * x * (1.0 + erf(x * FRAC_1_SQRT_2))
}

/// The error function: a quotient of two polynomials, fitted to it over |x| ≤ 3.92 (beyond, erf is ±1 in f32) with an
/// error below 4e-7. A library's erf is a call per number; this is computed for as many at once as a vector holds.
#[inline]
fn erf(x: f32) -> f32 {
    const NUMERATOR: [f32; 6] = [2.0347293e-6, 2.8748062e-4, 3.8683733e-3, 5.306062e-2, 1.927651e-1, FRAC_2_SQRT_PI];
    const DENOMINATOR: [f32; 6] = [3.8070648e-5, 1.1881267e-3, 1.5172388e-2, 1.1508506e-1, 5.041653e-1, 1.0];
    let x = x.clamp(-3.92, 3.92);
    let square = x * x;
    let polynomial = |coefficients: [f32; 6]| coefficients.into_iter().fold(0.0, |sum, c| sum * square + c);
    x * polynomial(NUMERATOR) / polynomial(DENOMINATOR)
}

#[cfg(test)]
mod tests {
    use candle_core::{Device, Tensor};

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

    #[test]
    fn erf_is_exact_to_f32() {
        assert!((erf_series(1.0) - 0.842_700_792_949_715).abs() < 1e-14);
        for i in -600_i16..=600 {
            let x = f32::from(i) / 100.0;
            let error = (f64::from(erf(x)) - erf_series(f64::from(x))).abs();
            assert!(error < 5e-7, "erf({x}) is off by {error}");
        }
        assert!(erf(f32::NAN).is_nan());
    }

    #[test]
    fn bias_is_added_per_column() {
        let rows = Tensor::new(&[[0.0_f32, 1.0], [-1.0, 0.0]], &Device::Cpu).unwrap();
        let biased = rows.apply_op1_no_bwd(&Bias(vec![1.0, 0.5])).unwrap();
        assert_eq!(biased.to_vec2::<f32>().unwrap(), [[1.0, 1.5], [0.0, 0.5]]);
        let out = rows.apply_op1_no_bwd(&BiasGelu(vec![1.0, 0.0])).unwrap().to_vec2::<f32>().unwrap();
        for (row, expected) in out.iter().zip([[0.841_344_7, 0.841_344_7], [0.0, 0.0]]) {
            assert!(row.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{row:?}");
        }
        assert!(rows.t().unwrap().apply_op1_no_bwd(&Bias(vec![0.0; 2])).is_err());
        assert!(rows.apply_op1_no_bwd(&Bias(vec![0.0; 4])).is_err());
    }

    #[test]
    fn rows_are_added_and_normalised() {
        let norm = AddNorm { bias: vec![1.0, 0.0], scale: vec![2.0, 2.0], shift: vec![0.5, 0.0], epsilon: 0.0 };
        let left = Tensor::new(&[[1.0_f32, 2.0], [5.0, 0.0]], &Device::Cpu).unwrap();
        let right = Tensor::new(&[[1.0_f32, 3.0], [0.0, 0.0]], &Device::Cpu).unwrap();
        // Sums (3, 5) and (6, 0), normalised (-1, 1) and (1, -1).
        let out = left.apply_op2_no_bwd(&right, &norm).unwrap().to_vec2::<f32>().unwrap();
        assert_eq!(out, [[-1.5, 2.0], [2.5, -2.0]]);
    }

    #[test]
    fn a_total_takes_every_value() {
        assert_eq!(total((1..=100_u8).map(f32::from)), 5050.0);
        assert_eq!(total(std::iter::empty::<f32>()), 0.0);
    }
}
