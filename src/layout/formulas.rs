//! Displayed formulas: pieces of mathematics that stand apart from the text, fractions and all.

use crate::document::{BBox, script};

use super::lines::{Line, dominant};
use super::marks;

/// Signs that make a piece of text mathematics.
const OPERATORS: &str = "=≤≥≈≡≠±∓×÷∑∏∫√∂∇→⇒⇔∈∪∩⊂⊆≪≫∞∝≅";
/// What some fonts' `=` and `+` are read as, as words of their own.
const MISREAD: [&str; 2] = ["¼", "þ"];
/// Names of functions, which are no prose.
const FUNCTIONS: [&str; 16] =
    ["sin", "cos", "tan", "log", "exp", "lim", "max", "min", "mod", "det", "dim", "arg", "inf", "sup", "sinh", "cosh"];
/// Letters that make a word of prose.
const PROSE_LETTERS: usize = 3;
/// Font sizes of formulas by that of the page.
const SIZES: std::ops::Range<f32> = 0.85..1.25;
/// Prose this close beside a piece, in font sizes, makes it a part of the text.
const BESIDE: f32 = 2.5;
/// A formula is set in from the text above it, or apart from it, by this many font sizes.
const SET_IN: f32 = 1.0;
const SET_APART: f32 = 0.45;
/// Parts of a fraction are this close to each other, in font sizes.
const PART_ACROSS: f32 = 1.2;
const PART_DOWN: f32 = 0.3;
/// Pieces of one row of a formula are this close, in font sizes.
const PIECE: f32 = 3.0;
/// More formulas on a page are noise.
const MOST: usize = 120;
/// Rounds in which parts of parts are taken in.
const ROUNDS: usize = 4;
/// Longest number of a formula, in characters.
const LONGEST_NUMBER: usize = 9;

/// A formula: its lines, its number last where it has one, and the box of the formula without the number.
#[derive(Clone, Debug)]
pub(crate) struct Formula {
    pub lines: Vec<Line>,
    pub bbox: BBox,
}

/// Takes the formulas out of the lines of a page.
pub(crate) fn take(lines: Vec<Line>) -> (Vec<Formula>, Vec<Line>) {
    let seeds: Vec<usize> = lines.iter().enumerate().filter(|(_, l)| has_operator(l)).map(|(at, _)| at).collect();
    if seeds.is_empty() {
        return (Vec::new(), lines);
    }
    let em = dominant(lines.iter().map(|l| (l.size, l.chars()))).max(1.0);
    let mathematics: Vec<bool> = lines.iter().map(|l| !l.mono && !is_prose(l)).collect();
    let is_math = |at: usize| mathematics.get(at).copied().unwrap_or(false);
    let seeds = seeds
        .into_iter()
        .filter(|&at| is_math(at) && lines.get(at).is_some_and(|l| is_displayed(l, &lines, &mathematics, em)));
    let mut groups: Vec<(Vec<usize>, BBox)> = Vec::new();
    for at in seeds.take(MOST) {
        let Some(line) = lines.get(at) else { continue };
        groups.push((vec![at], line.bbox));
    }
    merge(&mut groups, em);
    for _ in 0..ROUNDS {
        let mut grown = false;
        for at in 0..lines.len() {
            let Some(line) = lines.get(at).filter(|l| is_math(at) && !is_number(&l.text())) else { continue };
            if groups.iter().any(|(of, _)| of.contains(&at)) {
                continue;
            }
            if let Some((of, bbox)) = groups.iter_mut().find(|(_, b)| is_part(&line.bbox, b, em)) {
                of.push(at);
                *bbox = bbox.union(&line.bbox);
                grown = true;
            }
        }
        merge(&mut groups, em);
        if !grown {
            break;
        }
    }
    let letters =
        |of: &[usize]| of.iter().filter_map(|&at| lines.get(at)).any(|l| l.text().contains(char::is_alphabetic));
    groups.retain(|(of, _)| letters(of));
    for at in 0..lines.len() {
        let Some(line) = lines.get(at).filter(|l| is_number(&l.text())) else { continue };
        if let Some((of, _)) = groups.iter_mut().find(|(_, b)| b.overlap_y(&line.bbox) > 0.5 * line.bbox.height()) {
            of.push(at);
        }
    }
    let mut owner: Vec<Option<usize>> = vec![None; lines.len()];
    for (number, (of, _)) in groups.iter().enumerate() {
        of.iter().for_each(|&at| owner.get_mut(at).into_iter().for_each(|o| *o = Some(number)));
    }
    let mut formulas: Vec<Formula> = groups.into_iter().map(|(_, bbox)| Formula { lines: Vec::new(), bbox }).collect();
    let mut rest = Vec::with_capacity(lines.len());
    for (line, owner) in lines.into_iter().zip(owner) {
        match owner.and_then(|number| formulas.get_mut(number)) {
            Some(formula) => formula.lines.push(line),
            None => rest.push(line),
        }
    }
    formulas.iter_mut().for_each(|f| f.lines.sort_by_key(|l| is_number(&l.text())));
    (formulas, rest)
}

/// Joins the groups that overlap or stand beside each other on one row.
fn merge(groups: &mut Vec<(Vec<usize>, BBox)>, em: f32) {
    let mut at = 0;
    while at < groups.len() {
        let Some((_, bbox)) = groups.get(at) else { break };
        let bbox = *bbox;
        let same = |b: &BBox| {
            let down = bbox.overlap_y(b);
            let across = bbox.overlap_x(b);
            let lower = bbox.height().min(b.height());
            down > 0.5 * lower && across > -PIECE * em || down > 0.25 * lower && across > 0.0
        };
        let twin = groups.iter().enumerate().skip(at + 1).find(|(_, (_, b))| same(b)).map(|(other, _)| other);
        let Some(twin) = twin else {
            at += 1;
            continue;
        };
        let (of, b) = groups.swap_remove(twin);
        if let Some((into, bbox)) = groups.get_mut(at) {
            into.extend(of);
            *bbox = bbox.union(&b);
        }
    }
}

/// Whether a piece is a part of the formula in this box: above, below or right beside it.
fn is_part(piece: &BBox, formula: &BBox, em: f32) -> bool {
    let (down, across) = (piece.overlap_y(formula), piece.overlap_x(formula));
    let beside = down > 0.4 * piece.height().min(formula.height()) && across > -PIECE * em;
    beside || down > -PART_DOWN * em && across > -PART_ACROSS * em && piece.width() < formula.width() + 2.0 * em
}

fn has_operator(line: &Line) -> bool {
    line.words.iter().any(|w| w.text.contains(|c| OPERATORS.contains(c)) || MISREAD.contains(&w.text.as_str()))
}

/// Whether a line holds words of prose; scripts are none.
fn is_prose(line: &Line) -> bool {
    let text = |of: &dyn Fn(&&crate::pdf::Word) -> bool| -> String {
        line.words.iter().filter(|w| of(w)).flat_map(|w| [if w.space_before { " " } else { "" }, &w.text]).collect()
    };
    let full = text(&|w| w.size > 0.85 * line.size);
    let prose = full.split(|c: char| !c.is_alphabetic()).any(|word| {
        let letters = word.chars().count();
        let known = FUNCTIONS.contains(&word);
        let hangul = word.chars().any(script::is_hangul);
        hangul || letters >= PROSE_LETTERS && !known && !word.chars().skip(1).all(char::is_uppercase)
    });
    prose || marks::mark(&full).is_some()
}

/// Whether a piece is set apart from the text, as displayed formulas are.
fn is_displayed(line: &Line, lines: &[Line], mathematics: &[bool], em: f32) -> bool {
    if !SIZES.contains(&(line.size / em)) {
        return false;
    }
    let b = &line.bbox;
    let prose = || lines.iter().zip(mathematics).filter(|(_, math)| !**math).map(|(l, _)| l);
    let beside = prose().any(|l| l.bbox.overlap_y(b) > 0.5 * b.height() && l.bbox.overlap_x(b) > -BESIDE * em);
    let above = prose()
        .filter(|l| l.baseline < line.baseline && l.bbox.overlap_x(b) > 0.0)
        .max_by(|x, y| x.baseline.total_cmp(&y.baseline));
    let below = prose()
        .filter(|l| l.baseline > line.baseline && l.bbox.overlap_x(b) > 0.0)
        .min_by(|x, y| x.baseline.total_cmp(&y.baseline));
    let set_in = |l: &Line| b.x0 > l.bbox.x0 + SET_IN * em && b.x1 < l.bbox.x1.max(b.x1 - 0.1);
    let apart_above = above.is_none_or(|l| set_in(l) || b.y0 - l.bbox.y1 > SET_APART * em);
    let apart_below = below.is_none_or(|l| set_in(l) || l.bbox.y0 - b.y1 > 0.5 * SET_APART * em);
    !beside && (above.is_some() || below.is_some()) && apart_above && apart_below
}

/// `(4)`, `(3.15a)`, `[2]`: the number of a formula.
fn is_number(text: &str) -> bool {
    let inner = text.strip_prefix('(').and_then(|t| t.strip_suffix(')'));
    inner.is_some_and(|t| {
        t.starts_with(|c: char| c.is_ascii_digit() || c.is_ascii_uppercase())
            && t.contains(|c: char| c.is_ascii_digit())
            && t.len() <= LONGEST_NUMBER
            && t.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-'))
    })
}

/// The formula on one line: rows from top to bottom, exponents behind `^`.
pub(crate) fn text(lines: &[Line]) -> String {
    let mut out = String::new();
    for line in lines {
        if !out.is_empty() {
            out.push(' ');
        }
        for (at, part) in line.words.chunk_by(|a, b| a.superscript == b.superscript).enumerate() {
            let text: String = part
                .iter()
                .enumerate()
                .flat_map(|(i, w)| [if w.space_before && at + i > 0 { " " } else { "" }, &w.text])
                .collect();
            match part.first() {
                Some(word) if word.superscript && text.chars().count() > 1 => {
                    out.push_str(&format!("^{{{}}}", text.trim()));
                }
                Some(word) if word.superscript => out.push_str(&format!("^{text}")),
                _ => out.push_str(&text),
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::lines::tests::{cut, set};
    use super::*;

    fn formulas(lines: &[(&str, f32, f32, f32)]) -> (Vec<String>, Vec<String>) {
        let words = lines.iter().flat_map(|(text, x, y, size)| set(text, *x, *y, *size)).collect();
        let (found, rest) = take(cut(words));
        (found.iter().map(|f| text(&f.lines)).collect(), rest.iter().map(Line::text).collect())
    }

    const PROSE: (&str, f32, f32, f32) = ("the Reynolds number of such a flow is given by", 50.0, 100.0, 10.0);

    #[test]
    fn a_fraction_is_one_formula_with_its_number() {
        let (found, rest) = formulas(&[
            PROSE,
            ("D v", 126.0, 124.0, 10.0),
            ("Re =", 100.0, 131.0, 10.0),
            ("n", 128.0, 138.0, 10.0),
            ("(1.2)", 280.0, 131.0, 10.0),
            ("in which the letters mean what they did before", 50.0, 160.0, 10.0),
        ]);
        assert_eq!(found, ["D v Re = n (1.2)"]);
        assert_eq!(rest, [PROSE.0, "in which the letters mean what they did before"]);
    }

    #[test]
    fn mathematics_in_the_text_stays_there() {
        let (found, _) = formulas(&[PROSE, ("x = 3", 50.0, 112.0, 10.0), ("and so on, it goes", 50.0, 124.0, 10.0)]);
        assert_eq!(found, [""; 0]);
        let (found, _) = formulas(&[PROSE, ("where n = 5 holds", 100.0, 130.0, 10.0)]);
        assert_eq!(found, [""; 0]);
    }

    #[test]
    fn exponents_are_marked() {
        let mut words = set("h", 50.0, 100.0, 10.0);
        let mut exponent = set("p+1", 55.0, 96.0, 7.0);
        exponent.iter_mut().for_each(|w| (w.superscript, w.space_before) = (true, false));
        words.extend(exponent);
        words.extend(set("= 2", 70.0, 100.0, 10.0));
        assert_eq!(text(&[Line::new(words).unwrap()]), "h^{p+1} = 2");
    }

    #[test]
    fn numbers_of_formulas() {
        for yes in ["(4)", "(3.15a)", "(A1)", "(15.20)"] {
            assert!(is_number(yes), "{yes}");
        }
        for no in ["(x)", "(2022a, b)", "4", "(see 4)"] {
            assert!(!is_number(no), "{no}");
        }
    }
}
