//! Which script a character is of, as far as lines and labels are read by it.

/// Hangul syllables and jamo.
pub(crate) fn is_hangul(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}' | '\u{ac00}'..='\u{d7a3}')
}

/// Hiragana and katakana.
pub(crate) fn is_kana(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{30ff}')
}

/// Scripts written without spaces between words.
pub(crate) fn is_han_or_kana(c: char) -> bool {
    matches!(c, '\u{3001}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ff01}'..='\u{ff1f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts() {
        assert!("한ㄱᄀㅏ".chars().all(is_hangul));
        assert!(!"aあ漢1".chars().any(is_hangul));
        assert!("あア".chars().all(is_kana) && !"漢한".chars().any(is_kana));
        assert!("漢あ、".chars().all(is_han_or_kana) && !"한a".chars().any(is_han_or_kana));
    }
}
