//! Which texts are computed together.

/// Most tokens of a batch that holds more than one text. The model's weights pass through a core's cache once a batch;
/// beyond this, what is saved on them is lost again because the activations no longer fit.
const MOST_TOKENS: usize = 512;

/// Fewest tokens that are worth a batch of their own: below, the weights take longer to arrive than to be multiplied with.
const FEWEST_TOKENS: usize = 64;

/// Puts texts into batches of about the same `length` in tokens, at least one for each worker if there is enough to do.
///
/// The longest come first, so that workers do not wait for a long one at the end.
pub(super) fn batches<T>(mut texts: Vec<T>, workers: usize, length: impl Fn(&T) -> usize) -> Vec<Vec<T>> {
    let share = texts.iter().map(&length).sum::<usize>().div_ceil(workers.max(1));
    let budget = share.clamp(FEWEST_TOKENS, MOST_TOKENS);
    texts.sort_by_key(|text| std::cmp::Reverse(length(text)));
    let mut batches = Vec::new();
    let mut batch = Vec::new();
    let mut tokens = 0;
    for text in texts {
        if tokens + length(&text) > budget && !batch.is_empty() {
            batches.push(std::mem::take(&mut batch));
            tokens = 0;
        }
        tokens += length(&text);
        batch.push(text);
    }
    if !batch.is_empty() {
        batches.push(batch);
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_in_one_batch_longest_first_within_the_budget() {
        let lengths = vec![10, 500, 10, 300, 212, 700, 1, 200];
        let batches = batches(lengths, 2, |length| *length);
        assert_eq!(batches, [vec![700], vec![500], vec![300, 212], vec![200, 10, 10, 1]]);
    }

    #[test]
    fn no_texts_make_no_batches() {
        assert!(batches(vec![], 2, |length| *length).is_empty());
    }

    #[test]
    fn little_work_is_shared_and_very_little_is_not() {
        let of = |count, workers| batches(vec![20; count], workers, |length| *length).len();
        assert_eq!((of(10, 1), of(10, 2), of(3, 2), of(100, 2)), (1, 2, 1, 4));
    }
}
