//! From the vectors of a text's tokens to the text's vector.

use super::settings::Pooling;

/// Pools token vectors (`tokens` × `dim` numbers) and scales the result to length one; `None` if that is impossible.
pub(super) fn pool(states: &[f32], dim: usize, pooling: Pooling) -> Option<Vec<f32>> {
    let mut tokens = states.chunks_exact(dim);
    let mut sum = tokens.next()?.to_vec();
    if pooling == Pooling::Mean {
        for token in tokens {
            sum.iter_mut().zip(token).for_each(|(sum, value)| *sum += value);
        }
    }
    // The mean and the sum have the same direction.
    let norm = sum.iter().map(|value| f64::from(*value).powi(2)).sum::<f64>().sqrt();
    let scale = (1.0 / norm) as f32;
    (norm > 0.0 && scale.is_finite() && norm.is_finite()).then(|| sum.iter().map(|value| value * scale).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_takes_all_tokens_and_cls_the_first() {
        let states = [3.0, 0.0, 3.0, 8.0];
        assert_eq!(pool(&states, 2, Pooling::Mean).unwrap(), vec![0.6, 0.8]);
        assert_eq!(pool(&states, 2, Pooling::Cls).unwrap(), vec![1.0, 0.0]);
    }

    #[test]
    fn what_has_no_direction_has_no_vector() {
        assert_eq!(pool(&[], 2, Pooling::Mean), None);
        assert_eq!(pool(&[0.0, 0.0], 2, Pooling::Mean), None);
        assert_eq!(pool(&[f32::NAN, 1.0], 2, Pooling::Mean), None);
        assert_eq!(pool(&[f32::INFINITY, 1.0], 2, Pooling::Cls), None);
    }
}
