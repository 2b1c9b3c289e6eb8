//! Which texts are computed together.

/// Most tokens of a batch that holds more than one text. Larger batches gain nothing on a CPU: the activations of this
/// many tokens just stay in its cache.
const TOKEN_BUDGET: usize = 512;

/// Puts texts into batches of about the same `length` in tokens.
///
/// The longest come first, so that workers do not wait for a long one at the end.
pub(super) fn batches<T>(mut texts: Vec<T>, length: impl Fn(&T) -> usize) -> Vec<Vec<T>> {
    texts.sort_by_key(|text| std::cmp::Reverse(length(text)));
    let mut batches = Vec::new();
    let mut batch = Vec::new();
    let mut tokens = 0;
    for text in texts {
        if tokens + length(&text) > TOKEN_BUDGET && !batch.is_empty() {
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
        let batches = batches(lengths, |length| *length);
        assert_eq!(batches, [vec![700], vec![500], vec![300, 212], vec![200, 10, 10, 1]]);
    }

    #[test]
    fn no_texts_make_no_batches() {
        assert!(batches(vec![], |length| *length).is_empty());
    }
}
