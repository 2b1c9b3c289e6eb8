//! Products of f32 matrices: a left factor as it lies in memory, and a right factor that was packed beforehand.
//!
//! A model's weights never change, so they are brought once into the order in which the product reads them: panels of a
//! few vectors' width, each of which lies in memory line by line. The product goes through a panel with a tile of
//! [`ROWS`] rows of the left factor at a time, whose sums stay in registers. Every number of the result is summed in the
//! same order wherever its row stands, so that a row's result does not depend on the rows around it.

use pulp::{Arch, Simd, WithSimd};

/// Rows of a tile. With panels of [`PANEL`] vectors, this is what 32 vector registers hold: 24 sums, three numbers of the
/// panel's line, and one of the left factor.
pub(super) const ROWS: usize = 8;

/// Vectors across a panel on machines with 32 vector registers.
pub(super) const PANEL: usize = 3;

/// Vectors across a panel on machines with 16.
pub(super) const NARROW_PANEL: usize = 1;

/// Whether there is room for [`PANEL`].
#[inline(always)]
pub(super) fn has_wide_panels<S: Simd>() -> bool {
    S::REGISTER_COUNT >= 32
}

/// Bytes of a cache line, and of the widest vector.
const LINE: usize = 64;

/// Numbers that begin with a cache line: vectors that lie across two are slower.
#[derive(Default)]
pub(super) struct Aligned {
    numbers: Vec<f32>,
    start: usize,
    length: usize,
}

impl Aligned {
    /// `length` numbers of any value; what is there already is not allocated again.
    pub(super) fn resized(&mut self, length: usize) -> &mut [f32] {
        let spare = LINE / size_of::<f32>();
        if self.numbers.len() < length + spare {
            self.numbers = vec![0.0; length + spare];
            self.start = self.numbers.as_ptr().align_offset(LINE).min(spare);
        }
        self.length = length;
        self.numbers.get_mut(self.start..self.start + length).unwrap_or_default()
    }

    /// The numbers as they were last left.
    pub(super) fn as_slice(&self) -> &[f32] {
        self.numbers.get(self.start..self.start + self.length).unwrap_or_default()
    }
}

/// The right factor of a product: `depth` × `columns` numbers in panels.
#[derive(Default)]
pub(super) struct Packed {
    panels: Aligned,
    depth: usize,
    columns: usize,
    /// Columns of a panel. The last panel is filled up with columns of any numbers.
    width: usize,
}

impl Packed {
    /// Packs the transpose of `rows`: each of them, `depth` numbers long, becomes a column. What was there is replaced.
    #[inline(always)]
    pub(super) fn transpose<'a>(
        &mut self,
        mut rows: impl ExactSizeIterator<Item = &'a [f32]>,
        depth: usize,
        width: usize,
    ) {
        (self.depth, self.columns, self.width) = (depth, rows.len(), width.max(1));
        let panels = self.panels.resized(depth * self.padded_columns());
        for panel in panels.chunks_exact_mut((depth * self.width).max(1)) {
            for first in (0..self.width).step_by(ROWS) {
                let lines = panel.chunks_exact_mut(self.width);
                let columns = columns(tile(rows.by_ref().take(self.width - first)));
                for (line, column) in lines.zip(columns) {
                    let places = line.get_mut(first..).unwrap_or_default();
                    match places.first_chunk_mut() {
                        Some(places) => *places = column.map(|number| *number),
                        None => places.iter_mut().zip(column).for_each(|(place, number)| *place = *number),
                    }
                }
            }
        }
    }

    /// Packs `rows` of `columns` numbers. What was there is replaced.
    #[inline(always)]
    pub(super) fn straight<'a>(
        &mut self,
        rows: impl ExactSizeIterator<Item = &'a [f32]> + Clone,
        columns: usize,
        width: usize,
    ) {
        (self.depth, self.columns, self.width) = (rows.len(), columns, width.max(1));
        let panels = self.panels.resized(self.depth * self.padded_columns());
        for (panel, first) in panels.chunks_exact_mut((self.depth * self.width).max(1)).zip((0..).step_by(self.width)) {
            for (line, row) in panel.chunks_exact_mut(self.width).zip(rows.clone()) {
                let part = row.get(first..columns.min(first + self.width)).unwrap_or_default();
                line.iter_mut().zip(part).for_each(|(place, number)| *place = *number);
            }
        }
    }

    /// Columns, with those that fill the last panel.
    pub(super) fn padded_columns(&self) -> usize {
        self.columns.next_multiple_of(self.width)
    }

    /// The panels, each with its first column. `N` is the number of vectors across a panel.
    pub(super) fn panels<S: Simd, const N: usize>(&self) -> impl Iterator<Item = (usize, &[[S::f32s; N]])> {
        let panels = self.panels.as_slice().chunks_exact((self.depth * self.width).max(1));
        panels
            .zip((0..).step_by(self.width.max(1)))
            .map(|(panel, first)| (first, S::as_simd_f32s(panel).0.as_chunks().0))
    }
}

/// A dense layer: weights in the order of this machine's products, and a bias.
pub(super) struct Dense {
    arch: Arch,
    weights: Packed,
    bias: Vec<f32>,
}

impl Dense {
    /// `weights` has a row of `inputs` numbers for each number of `bias`.
    pub(super) fn new(arch: Arch, weights: &[f32], inputs: usize, bias: Vec<f32>) -> Self {
        let mut packed = Packed::default();
        packed.transpose(weights.chunks_exact(inputs.max(1)), inputs, arch.dispatch(PanelWidth));
        Self { arch, weights: packed, bias }
    }

    /// Writes `input · weights + bias` to `out`, for any number of rows.
    pub(super) fn apply(&self, input: &[f32], out: &mut [f32]) {
        self.arch.dispatch(Product { left: input, dense: self, out });
    }
}

/// Numbers across a panel of weights.
struct PanelWidth;

impl WithSimd for PanelWidth {
    type Output = usize;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> usize {
        S::F32_LANES * if has_wide_panels::<S>() { PANEL } else { NARROW_PANEL }
    }
}

struct Product<'a> {
    left: &'a [f32],
    dense: &'a Dense,
    out: &'a mut [f32],
}

impl WithSimd for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        if has_wide_panels::<S>() { self.compute::<S, PANEL>(simd) } else { self.compute::<S, NARROW_PANEL>(simd) }
    }
}

impl Product<'_> {
    #[inline(always)]
    fn compute<S: Simd, const N: usize>(self, simd: S) {
        let Dense { weights, bias, .. } = self.dense;
        let (depth, columns) = (weights.depth.max(1), weights.columns.max(1));
        for (first, panel) in weights.panels::<S, N>() {
            let bias = load(simd, bias.get(first..).unwrap_or_default());
            for (left, out) in self.left.chunks(ROWS * depth).zip(self.out.chunks_mut(ROWS * columns)) {
                let sums = accumulate(simd, tile(left.chunks_exact(depth)), panel, [bias; ROWS]);
                for (row, sums) in out.chunks_mut(columns).zip(&sums) {
                    store(simd, row.get_mut(first..).unwrap_or_default(), sums);
                }
            }
        }
    }
}

/// The next rows, as many as a tile has; the last one stands for those that are missing.
#[inline(always)]
pub(super) fn tile<'a>(mut rows: impl Iterator<Item = &'a [f32]>) -> [&'a [f32]; ROWS] {
    let mut tile: [&[f32]; ROWS] = [&[]; ROWS];
    let mut last: &[f32] = &[];
    for row in &mut tile {
        last = rows.next().unwrap_or(last);
        *row = last;
    }
    tile
}

/// The columns of a tile. Zipped and not indexed, so that nothing is checked on the way.
#[inline(always)]
fn columns(rows: [&[f32]; ROWS]) -> impl Iterator<Item = [&f32; ROWS]> {
    let [a, b, c, d, e, f, g, h] = rows;
    let zipped = a.iter().zip(b).zip(c).zip(d).zip(e).zip(f).zip(g).zip(h);
    zipped.map(|(((((((a, b), c), d), e), f), g), h)| [a, b, c, d, e, f, g, h])
}

/// Adds the product of a tile's rows and the lines of a panel to `sums`.
#[inline(always)]
pub(super) fn accumulate<S: Simd, const N: usize>(
    simd: S,
    rows: [&[f32]; ROWS],
    panel: &[[S::f32s; N]],
    mut sums: [[S::f32s; N]; ROWS],
) -> [[S::f32s; N]; ROWS] {
    for (line, numbers) in panel.iter().zip(columns(rows)) {
        for (sums, number) in sums.iter_mut().zip(numbers) {
            let number = simd.splat_f32s(*number);
            for (sum, line) in sums.iter_mut().zip(line) {
                *sum = simd.mul_add_e_f32s(number, *line, *sum);
            }
        }
    }
    sums
}

/// The first numbers of a row as vectors, with zeros behind its end.
#[inline(always)]
fn load<S: Simd, const N: usize>(simd: S, row: &[f32]) -> [S::f32s; N] {
    let (vectors, tail) = S::as_simd_f32s(row);
    let mut vectors = vectors.iter().copied().chain([simd.partial_load_f32s(tail)]);
    std::array::from_fn(|_| vectors.next().unwrap_or(simd.splat_f32s(0.0)))
}

/// Writes vectors to the beginning of a row, as far as it goes.
#[inline(always)]
pub(super) fn store<S: Simd, const N: usize>(simd: S, row: &mut [f32], values: &[S::f32s; N]) {
    let (vectors, tail) = S::as_mut_simd_f32s(row);
    if let Some(vectors) = vectors.first_chunk_mut::<N>() {
        *vectors = *values;
        return;
    }
    vectors.iter_mut().zip(values).for_each(|(place, value)| *place = *value);
    if let Some(value) = values.get(vectors.len()) {
        simd.partial_store_f32s(tail, *value);
    }
}

/// The instruction sets that tests can run here: what is written for one must hold for all.
#[cfg(test)]
pub(super) fn arches() -> Vec<Arch> {
    #[cfg(target_arch = "x86_64")]
    let narrow = pulp::x86::V3::try_new().map(Arch::V3);
    #[cfg(not(target_arch = "x86_64"))]
    let narrow = None;
    [Arch::Scalar, Arch::new()].into_iter().chain(narrow).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers between -1 and 1 that repeat after a prime number of them.
    fn numbers(count: usize, prime: usize) -> Vec<f32> {
        (0..count).map(|i| (i * 7 % prime) as f32 / prime as f32 * 2.0 - 1.0).collect()
    }

    fn dense(arch: Arch, input: &[f32], weights: &[f32], inputs: usize, bias: Vec<f32>) -> Vec<f32> {
        let mut out = vec![f32::NAN; input.len() / inputs * bias.len()];
        Dense::new(arch, weights, inputs, bias).apply(input, &mut out);
        out
    }

    #[test]
    fn a_dense_layer_of_any_size_is_exact() {
        for (rows, inputs, outputs) in [(1, 1, 1), (8, 4, 48), (7, 5, 47), (9, 33, 49), (17, 64, 100), (3, 2, 16)] {
            let (input, weights) = (numbers(rows * inputs, 89), numbers(outputs * inputs, 97));
            let bias = numbers(outputs, 83);
            let mut expected = Vec::new();
            for row in input.chunks(inputs) {
                for (weights, bias) in weights.chunks(inputs).zip(&bias) {
                    let products = row.iter().zip(weights).map(|(a, b)| f64::from(*a) * f64::from(*b));
                    expected.push(products.sum::<f64>() + f64::from(*bias));
                }
            }
            for arch in arches() {
                let out = dense(arch, &input, &weights, inputs, bias.clone());
                let close = out.iter().zip(&expected).all(|(a, b)| (f64::from(*a) - b).abs() < 1e-5);
                assert!(close && out.len() == expected.len(), "{arch:?}: {rows} x {inputs} x {outputs}");
            }
        }
    }

    #[test]
    fn a_row_has_the_same_result_wherever_it_stands() {
        let (inputs, outputs) = (37, 50);
        let (input, weights) = (numbers(11 * inputs, 89), numbers(outputs * inputs, 97));
        let arch = Arch::new();
        let together = dense(arch, &input, &weights, inputs, vec![0.5; outputs]);
        for (row, expected) in input.chunks(inputs).zip(together.chunks(outputs)) {
            assert_eq!(dense(arch, row, &weights, inputs, vec![0.5; outputs]), expected);
        }
    }

    #[test]
    fn no_rows_and_no_inputs_are_no_fault() {
        assert!(dense(Arch::new(), &[], &[1.0, 2.0], 2, vec![1.0]).is_empty());
        let mut out = [7.0];
        Dense::new(Arch::new(), &[], 0, vec![1.0]).apply(&[], &mut out);
        assert_eq!(out, [7.0]);
    }

    #[test]
    fn both_ways_of_packing_agree() {
        let matrix = numbers(5 * 9, 43);
        let turned: Vec<f32> = (0..9).flat_map(|i| matrix.iter().skip(i).step_by(9).copied()).collect();
        for width in [1, 3, 9] {
            let (mut straight, mut transposed) = (Packed::default(), Packed::default());
            straight.straight(matrix.chunks(9), 9, width);
            transposed.transpose(turned.chunks(5), 5, width);
            assert_eq!(straight.panels.as_slice(), transposed.panels.as_slice());
            let first_line = straight.panels.as_slice().iter().take(width);
            assert!(first_line.eq(matrix.iter().take(width)), "{width}");
        }
        let mut wide = Packed::default();
        wide.transpose(turned.chunks(5), 5, 12);
        let lines: Vec<&[f32]> = wide.panels.as_slice().chunks(12).map(|line| &line[..9]).collect();
        assert_eq!(lines.concat(), matrix);
    }

    #[test]
    fn aligned_numbers_begin_with_a_line_and_are_kept() {
        let mut aligned = Aligned::default();
        for length in [1, 100, 17, 5000] {
            assert_eq!(aligned.resized(length).len(), length);
            assert!(aligned.as_slice().as_ptr().addr().is_multiple_of(LINE));
        }
        let place = aligned.as_slice().as_ptr();
        aligned.resized(4000).fill(1.0);
        assert_eq!((aligned.as_slice().as_ptr(), aligned.as_slice().len()), (place, 4000));
    }
}
