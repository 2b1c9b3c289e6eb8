//! Self-attention of one text over itself.

use pulp::{Arch, Simd, WithSimd};

use super::matrix::{Aligned, NARROW_PANEL, PANEL, Packed, ROWS, accumulate, has_wide_panels, store, tile};
use super::rows::exponentials;

/// What attention needs beside its input and output; kept from text to text.
#[derive(Default)]
pub(super) struct Scratch {
    keys: Packed,
    values: Packed,
    /// A tile of queries against all keys.
    scores: Aligned,
}

/// Attention of one text. `projected` has a row of queries, keys and values (3 · `hidden` numbers, the queries scaled
/// already) for each token, `out` a row of `hidden` numbers.
pub(super) fn attend(
    arch: Arch,
    projected: &[f32],
    hidden: usize,
    heads: usize,
    scratch: &mut Scratch,
    out: &mut [f32],
) {
    arch.dispatch(Attention { projected, hidden, heads, scratch, out });
}

struct Attention<'a> {
    projected: &'a [f32],
    hidden: usize,
    heads: usize,
    scratch: &'a mut Scratch,
    out: &'a mut [f32],
}

impl WithSimd for Attention<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        for head in 0..self.heads {
            // Heads are mostly a multiple of two vectors: wider panels of values would hold zeros.
            if has_wide_panels::<S>() {
                self.head::<S, PANEL, 2>(simd, head);
            } else {
                self.head::<S, NARROW_PANEL, NARROW_PANEL>(simd, head);
            }
        }
    }
}

impl<'a> Attention<'a> {
    /// One head; `K` and `V` are the vectors across a panel of keys and of values.
    ///
    /// A tile of queries goes from scores to results before the next one begins, so that no matrix of all tokens against
    /// all tokens is ever written down.
    #[inline(always)]
    fn head<S: Simd, const K: usize, const V: usize>(&mut self, simd: S, head: usize) {
        let (hidden, size) = (self.hidden, self.hidden / self.heads);
        let tokens = self.projected.chunks_exact(3 * hidden);
        let part = move |first: usize| move |token: &'a [f32]| token.get(first..first + size).unwrap_or_default();
        let count = tokens.len();
        let Scratch { keys, values, scores } = &mut *self.scratch;
        keys.transpose(tokens.clone().map(part(hidden + head * size)), size, K * S::F32_LANES);
        values.straight(tokens.clone().map(part(2 * hidden + head * size)), size, V * S::F32_LANES);
        let width = keys.padded_columns();
        let scores = scores.resized(ROWS * width);
        let zero = simd.splat_f32s(0.0);

        let mut queries = tokens.map(part(head * size));
        for out in self.out.chunks_mut(ROWS * hidden) {
            let queries = tile(queries.by_ref().take(ROWS));
            for (first, panel) in keys.panels::<S, K>() {
                let sums = accumulate(simd, queries, panel, [[zero; K]; ROWS]);
                for (row, sums) in scores.chunks_exact_mut(width).zip(&sums) {
                    store(simd, row.get_mut(first..).unwrap_or_default(), sums);
                }
            }
            let mut totals = [0.0; ROWS];
            for (row, total) in scores.chunks_exact_mut(width).zip(&mut totals) {
                row.get_mut(count..).unwrap_or_default().fill(f32::NEG_INFINITY);
                let vectors = count.next_multiple_of(S::F32_LANES);
                *total = exponentials(simd, row.get_mut(..vectors).unwrap_or_default());
            }
            for (first, panel) in values.panels::<S, V>() {
                let mut sums = accumulate(simd, tile(scores.chunks_exact(width)), panel, [[zero; V]; ROWS]);
                for ((row, sums), total) in out.chunks_exact_mut(hidden).zip(&mut sums).zip(totals) {
                    let share = simd.splat_f32s(1.0 / total);
                    sums.iter_mut().for_each(|sum| *sum = simd.mul_f32s(*sum, share));
                    let row = row.get_mut(head * size + first..(head + 1) * size).unwrap_or_default();
                    store(simd, row, sums);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::matrix::arches;
    use super::*;

    /// Attention as it is defined, in f64.
    fn plain(projected: &[f32], hidden: usize, heads: usize) -> Vec<f64> {
        let (tokens, size) = (projected.len() / (3 * hidden), hidden / heads);
        let at = |token: usize, i: usize| f64::from(projected[token * 3 * hidden + i]);
        let mut out = vec![0.0; tokens * hidden];
        for (token, head) in (0..tokens).flat_map(|token| (0..heads).map(move |head| (token, head))) {
            let score = |key: usize| -> f64 {
                (head * size..(head + 1) * size).map(|i| at(token, i) * at(key, hidden + i)).sum()
            };
            let weights: Vec<f64> = (0..tokens).map(|key| score(key).exp()).collect();
            for i in head * size..(head + 1) * size {
                let sum: f64 = weights.iter().enumerate().map(|(key, weight)| weight * at(key, 2 * hidden + i)).sum();
                out[token * hidden + i] = sum / weights.iter().sum::<f64>();
            }
        }
        out
    }

    #[test]
    fn attention_of_any_size_is_exact() {
        let mut scratch = Scratch::default();
        for (tokens, hidden, heads) in
            [(1, 4, 2), (200, 64, 2), (7, 32, 1), (49, 96, 3), (48, 64, 1), (9, 30, 3), (17, 40, 1)]
        {
            let projected: Vec<f32> = (0..tokens * 3 * hidden).map(|i| (i * 31 % 101) as f32 / 100.0 - 0.5).collect();
            let expected = plain(&projected, hidden, heads);
            for arch in arches() {
                let mut out = vec![f32::NAN; tokens * hidden];
                attend(arch, &projected, hidden, heads, &mut scratch, &mut out);
                let apart = out.iter().zip(&expected).map(|(a, b)| (f64::from(*a) - b).abs()).fold(0.0, f64::max);
                assert!(out.iter().all(|x| x.is_finite()) && apart < 2e-6, "{arch:?} {tokens} {hidden}: {apart}");
            }
        }
    }

    #[test]
    fn what_is_no_number_is_not_hidden() {
        for arch in arches() {
            let mut projected = vec![0.5; 10 * 3 * 32];
            projected[3 * 96] = f32::NAN; // a query
            let mut out = vec![0.0; 10 * 32];
            attend(arch, &projected, 32, 1, &mut Scratch::default(), &mut out);
            assert!(out[3 * 32..4 * 32].iter().all(|x| x.is_nan()) && out[..3 * 32].iter().all(|x| *x == 0.5));
        }
    }
}
