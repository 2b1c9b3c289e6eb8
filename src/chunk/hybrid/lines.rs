//! Dividing the text of a table between its lines, and within those that are too long.

use super::size::{Meter, Size};

/// Lines as long as they fit together; a line that fits into no piece is cut before its last word that fits. Every piece
/// is filled to the limit of a whole chunk, without regard to the headings above it.
pub(super) fn divide(text: &str, meter: &Meter) -> Vec<String> {
    let mut pieces = Vec::new();
    let (mut current, mut used) = (String::new(), Size::default());
    for line in text.split_inclusive('\n') {
        let mut rest = line;
        loop {
            let whole = meter.size_within(rest, meter.limit);
            if let Some(size) = whole.filter(|size| used.plus(*size).within(meter.limit)) {
                current.push_str(rest);
                used = used.plus(size);
                break;
            }
            if whole.is_none() {
                let (head, tail) = rest.split_at(head(rest, meter, meter.limit.less(used)));
                current.push('\n');
                current.push_str(head);
                rest = tail;
            }
            pieces.push(std::mem::take(&mut current));
            used = Size::default();
        }
    }
    pieces.push(current);
    pieces.retain(|piece| !piece.trim().is_empty());
    pieces
}

/// Bytes of the beginning of `text` that is within `limit`, at least one character, as a rule up to a space.
///
/// Tokens do not only grow with the text: half a word can have more than the whole. So the cut depends on which ends are
/// tried, and they are those that the original tries.
fn head(text: &str, meter: &Meter, limit: Size) -> usize {
    let most = limit.most_chars();
    let ends: Vec<usize> = text.char_indices().take(most).map(|(at, c)| at + c.len_utf8()).collect();
    let end_of = |chars: usize| chars.checked_sub(1).and_then(|i| ends.get(i)).copied().unwrap_or(0);
    let (mut low, mut high, mut best) = (0, text.chars().count() + 1, 0);
    while low < high {
        let middle = usize::midpoint(low, high - 1);
        let known = middle <= ends.len() && !limit.is_used_up();
        if known && text.get(..end_of(middle)).is_some_and(|head| meter.is_within(head, limit)) {
            best = middle;
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    let space = text.get(..end_of(best)).and_then(|head| head.rfind(' ')).filter(|&at| at > 0);
    space.unwrap_or_else(|| end_of(best.max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::tokens::{Budget, TokenCounter};

    /// A token for each character.
    struct Chars;

    impl TokenCounter for Chars {
        fn count(&self, text: &str) -> usize {
            text.chars().count()
        }
    }

    fn pieces(text: &str, most: usize) -> Vec<String> {
        divide(text, &Meter::new(&Budget { max_tokens: usize::MAX, model: Some((&Chars, most)) }))
    }

    #[test]
    fn lines_stay_whole_where_they_fit() {
        assert_eq!(pieces("one\ntwo\nthree", 8), ["one\ntwo\n", "three"]);
        assert_eq!(pieces("", 8), Vec::<String>::new());
    }

    #[test]
    fn long_lines_are_cut_at_spaces_behind_what_stands_before_them() {
        assert_eq!(pieces("Cap\n\nab cd ef gh", 8), ["Cap\n\n\nab", "\n cd ef", " gh"]);
        assert_eq!(pieces("가나다라마바사", 3), ["\n가나다", "\n라마바", "사"]);
    }
}
