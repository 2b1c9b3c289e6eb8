//! How deep the marks of headings lie: `제1장` over `제1절`, `1.` over `가.`, `(1)`, `①`.

use super::marks::{self, MarkKind};

/// Places of the marks that count in capitals (`A.`), in numbers (`1.`) and in other letters (`가.`, `a.`).
const CAPITAL: u8 = 5;
const NUMBER: u8 = 6;
const LETTER: u8 = 7;

/// For each of the headings, which look alike, how deep its mark lies among theirs: smaller numbers are higher. Headings
/// without a mark are as high as the highest of the others.
pub(crate) fn depths(texts: &[&str]) -> Vec<u8> {
    let mut places: Vec<Option<u8>> = texts.iter().map(|t| place(t)).collect();
    // `A.` stands above `1.` where it comes first, below it where numbers go on after it, else it counts appendices.
    let first = |wanted: u8| places.iter().position(|p| *p == Some(wanted));
    let last_number = places.iter().rposition(|p| *p == Some(NUMBER));
    let capital = match (first(CAPITAL), first(NUMBER)) {
        (Some(capital), Some(number)) if capital > number => {
            if last_number.is_some_and(|last| last > capital) {
                LETTER
            } else {
                NUMBER
            }
        }
        _ => CAPITAL,
    };
    for found in places.iter_mut().flatten().filter(|p| **p == CAPITAL) {
        *found = capital;
    }
    let highest = places.iter().flatten().min().copied().unwrap_or_default();
    places.into_iter().map(|p| p.unwrap_or(highest)).collect()
}

fn place(text: &str) -> Option<u8> {
    let mark = marks::mark(text)?;
    let printed = mark.printed(text);
    let first = printed.chars().find(|c| c.is_alphanumeric());
    let (open, close) = (printed.starts_with(['(', '（', '[']), printed.ends_with([')', '）', ']']));
    Some(match mark.kind {
        MarkKind::Part(level) => level,
        MarkKind::Decimal(_) => NUMBER,
        MarkKind::Number if open => 10,
        MarkKind::Number if close => 8,
        MarkKind::Number if printed.starts_with(|c: char| c.is_ascii_digit()) => NUMBER,
        MarkKind::Number => 12,
        MarkKind::Letter if open => 11,
        MarkKind::Letter if close => 9,
        MarkKind::Letter if first.is_some_and(|c| c.is_ascii_uppercase()) => CAPITAL,
        MarkKind::Letter => LETTER,
        MarkKind::Bullet => 13,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn korean_marks_from_part_to_circle() {
        let texts = [
            "제1편 총칙",
            "제1장 목적",
            "제1절 범위",
            "1. 배경",
            "가. 현황",
            "1) 대상",
            "가) 절차",
            "(1) 신청",
            "(가) 서류",
            "① 원본",
            "부록",
        ];
        assert_eq!(depths(&texts), [1, 2, 3, 6, 7, 8, 9, 10, 11, 12, 1]);
    }

    #[test]
    fn capitals_stand_where_they_come() {
        assert_eq!(depths(&["A. Scope", "1. Aims", "2. Terms", "B. Data"]), [5, 6, 6, 5]);
        assert_eq!(depths(&["1. Scope", "A. Aims", "B. Terms", "2. Data"]), [6, 7, 7, 6]);
        assert_eq!(depths(&["1. Scope", "2. Data", "A. Proofs"]), [6, 6, 6]);
    }
}
