//! Affine transforms.

/// `[a b c d e f]` as in PDF: `x' = a x + c y + e`, `y' = b x + d y + f`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Matrix {
    pub(crate) a: f32,
    pub(crate) b: f32,
    pub(crate) c: f32,
    pub(crate) d: f32,
    pub(crate) e: f32,
    pub(crate) f: f32,
}

impl Matrix {
    pub(crate) const IDENTITY: Self = Self::new(1.0, 0.0, 0.0, 1.0, 0.0, 0.0);

    pub(crate) const fn new(a: f32, b: f32, c: f32, d: f32, e: f32, f: f32) -> Self {
        Self { a, b, c, d, e, f }
    }

    pub(crate) const fn translation(x: f32, y: f32) -> Self {
        Self::new(1.0, 0.0, 0.0, 1.0, x, y)
    }

    /// From six operands; `None` for fewer, or for a value that is not finite.
    pub(crate) fn from_slice(values: &[f32]) -> Option<Self> {
        let &[a, b, c, d, e, f] = values else { return None };
        values.iter().all(|v| v.is_finite()).then(|| Self::new(a, b, c, d, e, f))
    }

    /// The transform that applies `self` first and `after` second.
    pub(crate) fn then(&self, after: &Self) -> Self {
        Self {
            a: self.a * after.a + self.b * after.c,
            b: self.a * after.b + self.b * after.d,
            c: self.c * after.a + self.d * after.c,
            d: self.c * after.b + self.d * after.d,
            e: self.e * after.a + self.f * after.c + after.e,
            f: self.e * after.b + self.f * after.d + after.f,
        }
    }

    pub(crate) fn apply(&self, x: f32, y: f32) -> (f32, f32) {
        (self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f)
    }

    /// The transform without its translation.
    pub(crate) fn apply_vector(&self, x: f32, y: f32) -> (f32, f32) {
        (self.a * x + self.c * y, self.b * x + self.d * y)
    }

    /// Whether all values are finite.
    pub(crate) fn is_usable(&self) -> bool {
        [self.a, self.b, self.c, self.d, self.e, self.f].iter().all(|v| v.is_finite())
    }

    /// Square root of the area scale: what a line width is multiplied by.
    pub(crate) fn scale(&self) -> f32 {
        (self.a * self.d - self.b * self.c).abs().sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn then_applies_left_to_right() {
        let scale = Matrix::new(2.0, 0.0, 0.0, 3.0, 0.0, 0.0);
        let shift = Matrix::translation(10.0, 20.0);
        assert_eq!(scale.then(&shift).apply(1.0, 1.0), (12.0, 23.0));
        assert_eq!(shift.then(&scale).apply(1.0, 1.0), (22.0, 63.0));
        assert_eq!(scale.apply_vector(1.0, 1.0), (2.0, 3.0));
        assert!((scale.scale() - 6f32.sqrt()).abs() < 1e-6);
    }

    #[test]
    fn from_slice_rejects_short_and_non_finite() {
        assert_eq!(Matrix::from_slice(&[1.0, 0.0, 0.0]), None);
        assert_eq!(Matrix::from_slice(&[1.0, 0.0, 0.0, f32::NAN, 0.0, 0.0]), None);
    }
}
