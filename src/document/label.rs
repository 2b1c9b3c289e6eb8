//! Numbered labels: `Table 3`, `TABLE IV`, `표 Ⅰ-1`, `<표 2>`, `Fig. 4`; at the start of a caption and in running text.

/// What the label of a caption or a mention names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Label {
    /// Whether it names a table; otherwise a figure.
    pub(crate) table: bool,
    /// The series that it is numbered in (`supplementary`, `별`), or empty.
    pub(crate) series: &'static str,
    /// The number in one spelling: upper case, ASCII, `-` for all dashes.
    pub(crate) number: String,
}

/// Words that name a table before its number, lower case; longer ones before their beginnings.
const TABLE_WORDS: [&str; 24] = [
    "tables",
    "tableau",
    "tabelle",
    "tabella",
    "tabell",
    "tabela",
    "tabel",
    "tabla",
    "tablo",
    "tablica",
    "tabulka",
    "table",
    "tab.",
    "taulukko",
    "táblázat",
    "exhibit",
    "таблица",
    "табл.",
    "πίνακας",
    "bảng",
    "표",
    "附表",
    "表",
    "ตาราง",
];

/// Words that name a figure before its number.
const FIGURE_WORDS: [&str; 32] = [
    "figures",
    "figure",
    "figura",
    "fig.",
    "fig",
    "abbildung",
    "abb.",
    "chart",
    "scheme",
    "plate",
    "photo",
    "box",
    "graphic",
    "graph",
    "diagram",
    "map",
    "image",
    "listing",
    "illustration",
    "рисунок",
    "рис.",
    "그림",
    "도표",
    "도면",
    "차트",
    "그래프",
    "사진",
    "도",
    "图",
    "圖",
    "図",
    "hình",
];

/// Words before the label that make it a series of its own.
const SERIES: [(&str, &str); 8] = [
    ("supplementary", "supplementary"),
    ("supplemental", "supplementary"),
    ("appendix", "appendix"),
    ("extended data", "extended data"),
    ("online", "online"),
    ("부록", "appendix"),
    ("별첨", "appendix"),
    ("별", "annex"),
];

/// The label that `text` starts with, and what follows it. Brackets around the label and bullets before it are passed
/// over.
pub(crate) fn leading(text: &str) -> Option<(Label, &str)> {
    let decoration = |c: char| c.is_whitespace() || "<[(〈《【「〔≪＜［（■□▶◆●○•·*".contains(c);
    let mut rest = text.trim_start_matches(decoration);
    let mut series = "";
    if let Some((tail, name)) = SERIES.iter().find_map(|(word, name)| Some((strip(rest, word)?, *name))) {
        rest = tail.trim_start();
        series = name;
    }
    let (table, tail) = kind(rest)?;
    let (number, tail) = number(skip_to_number(tail))?;
    let closed =
        tail.trim_start().trim_start_matches(['>', ']', ')', '〉', '》', '】', '」', '〕', '≫', '＞', '］', '）']);
    let rest = if closed.len() < tail.trim_start().len() { closed } else { tail };
    Some((Label { table, series, number }, rest))
}

/// All tables that running text names: `Tables 2 and 3`, `표 1-2에서`, `Tables 4–6`.
pub(crate) fn mentions(text: &str) -> Vec<Label> {
    let mut found: Vec<Label> = Vec::new();
    let mut before: Option<char> = None;
    let mut skip_to = 0;
    for (at, c) in text.char_indices() {
        let starts_word = before.is_none_or(|b| !b.is_alphanumeric());
        before = Some(c);
        let Some(here) = text.get(at..).filter(|_| at >= skip_to) else { continue };
        let annex = c == '별' && starts_word;
        let word = if annex { here.get(c.len_utf8()..).unwrap_or_default() } else { here };
        let Some((true, tail)) = kind(word).filter(|_| starts_word) else { continue };
        let series = if annex { "annex" } else { series_before(text.get(..at).unwrap_or_default()) };
        // `Tables 4-6` is a range, `Table 4-6` the sixth table of chapter 4.
        let plural = strip(word, "tables").is_some();
        let mut rest = skip_to_number(tail);
        let mut last: Option<String> = None;
        let mut range = false;
        while let Some((number, tail)) = number(rest) {
            let mut span = last.filter(|_| range).map(|from| between(&from, &number)).unwrap_or_default();
            span.push(number.clone());
            if let Some((from, to)) = number.split_once('-').filter(|_| plural) {
                span.extend(between(from, to));
                span.extend([from.to_owned(), to.to_owned()]);
            }
            for number in span {
                let label = Label { table: true, series, number };
                if !found.contains(&label) && found.len() < 64 {
                    found.push(label);
                }
            }
            skip_to = text.len() - tail.len();
            last = Some(number);
            let Some((next, is_range)) = conjunction(tail) else { break };
            rest = next;
            range = is_range;
        }
    }
    found
}

/// Passes over `text` past one of the table or figure words.
fn kind(text: &str) -> Option<(bool, &str)> {
    let word = |words: &[&str]| words.iter().find_map(|w| strip(text, w));
    word(&TABLE_WORDS).map(|t| (true, t)).or_else(|| word(&FIGURE_WORDS).map(|t| (false, t)))
}

/// `text` without `word` at its start, upper and lower case alike.
fn strip<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let mut chars = text.chars();
    for expected in word.chars() {
        let c = chars.next()?;
        if c != expected && !c.to_lowercase().eq([expected]) {
            return None;
        }
    }
    Some(chars.as_str())
}

fn skip_to_number(text: &str) -> &str {
    let text = text.trim_start();
    let text = text.strip_prefix('.').unwrap_or(text).trim_start();
    ["no.", "nr.", "№", "제"].iter().find_map(|w| strip(text, w)).unwrap_or(text).trim_start()
}

fn series_before(text: &str) -> &'static str {
    let text = text.trim_end();
    let ends_with = |word: &str| {
        let tail = text.len().checked_sub(word.len()).and_then(|at| text.get(at..));
        tail.is_some_and(|tail| tail.to_lowercase() == word)
    };
    SERIES.iter().find(|(word, _)| ends_with(word)).map_or("", |(_, name)| name)
}

/// One character of a number in its ASCII spelling.
fn ascii(c: char) -> Option<char> {
    match c {
        '０'..='９' => char::from_digit(u32::from(c) - u32::from('０'), 10),
        '–' | '—' | '‑' | '‐' | '−' | '－' => Some('-'),
        c if c.is_ascii() => Some(c),
        _ => None,
    }
}

/// `Ⅰ` to `Ⅻ` in letters.
fn roman(c: char) -> Option<&'static str> {
    const NUMERALS: [&str; 12] = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"];
    u32::from(c).checked_sub(0x2160).and_then(|n| NUMERALS.get(n as usize)).copied()
}

/// Reads a number (`3`, `3.2`, `1-2`, `IV`, `A-1`, `S1`, `4a`, `Ⅰ-1`) and returns it with what follows.
fn number(text: &str) -> Option<(String, &str)> {
    let (mut number, mut rest) = group(text)?;
    // A number and a letter: 4a, 8.7A.
    let lettered = |rest: &str| {
        let mut chars = rest.chars();
        let letter = chars.next().filter(char::is_ascii_alphabetic)?;
        let after = chars.as_str();
        (!after.starts_with(|c: char| c.is_alphanumeric())).then(|| (letter.to_ascii_uppercase(), chars.as_str().len()))
    };
    for _ in 0..4 {
        let mut chars = rest.chars();
        let Some(separator) = chars.next().and_then(ascii).filter(|c| ".-".contains(*c)) else { break };
        let Some((part, tail)) = group(chars.as_str()) else { break };
        number.push(separator);
        number.push_str(&part);
        rest = tail;
    }
    if number.ends_with(|c: char| c.is_ascii_digit())
        && let Some((letter, left)) = lettered(rest)
    {
        number.push(letter);
        rest = rest.get(rest.len() - left..).unwrap_or_default();
    }
    // Letters alone are a number only if they are a numeral or stand alone.
    let letters = number.chars().all(|c| c.is_ascii_uppercase());
    let numeral = number.chars().all(|c| "IVXLC".contains(c));
    let word_goes_on = rest.starts_with(|c: char| c.is_ascii_alphanumeric());
    (!word_goes_on && (!letters || numeral || number.len() == 1)).then_some((number, rest))
}

/// Digits, a Roman numeral, or up to three capitals with the digits right behind them.
fn group(text: &str) -> Option<(String, &str)> {
    let mut chars = text.chars();
    if let Some(numeral) = chars.next().and_then(roman) {
        return Some((numeral.to_owned(), chars.as_str()));
    }
    let take = |text: &str, test: fn(&char) -> bool, most: usize| -> (String, usize) {
        let taken: Vec<(char, usize)> =
            text.chars().map_while(|c| ascii(c).filter(test).map(|a| (a, c.len_utf8()))).take(most).collect();
        (taken.iter().map(|(c, _)| c).collect(), taken.iter().map(|(_, n)| n).sum())
    };
    let (capitals, at) = take(text, char::is_ascii_uppercase, 6);
    let (digits, more) = take(text.get(at..).unwrap_or_default(), char::is_ascii_digit, 6);
    let rest = text.get(at + more..).unwrap_or_default();
    let number = capitals + &digits;
    (!number.is_empty()).then_some((number, rest))
}

/// What stands between two numbers of one mention: the rest, and whether it means a range.
fn conjunction(text: &str) -> Option<(&str, bool)> {
    let text = text.trim_start();
    if let Some(rest) = text.strip_prefix(['–', '—', '~', '∼', '～', '-']) {
        return Some((rest.trim_start(), true));
    }
    if let Some(rest) = ["to ", "부터 "].iter().find_map(|w| text.strip_prefix(w)) {
        return Some((rest.trim_start(), true));
    }
    let comma = text.strip_prefix([',', '·', '、']).map(str::trim_start);
    let rest = comma.unwrap_or(text);
    let word =
        ["and ", "or ", "& ", "및 ", "과 ", "와 ", "und ", "et ", "y "].iter().find_map(|w| rest.strip_prefix(w));
    let rest = word.or(comma)?.trim_start();
    // `표 1과 표 2`, `Table 1 and Table 2` are found by their own words.
    Some((rest, false))
}

/// The whole numbers strictly between two, where there are few.
fn between(from: &str, to: &str) -> Vec<String> {
    let (Ok(from), Ok(to)) = (from.parse::<u32>(), to.parse::<u32>()) else { return Vec::new() };
    if to <= from || to - from > 20 {
        return Vec::new();
    }
    (from + 1..to).map(|n| n.to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> Option<(bool, String, String)> {
        leading(text).map(|(l, rest)| (l.table, format!("{}{}", l.series, l.number), rest.to_owned()))
    }

    #[test]
    fn labels_of_many_styles() {
        for (text, number, rest) in [
            ("Table 3. Results", "3", ". Results"),
            ("TABLE IV", "IV", ""),
            ("Tab. 3: x", "3", ": x"),
            ("Table A-1 Survey", "A-1", " Survey"),
            ("Table S1", "S1", ""),
            ("Table 3.2 – Costs", "3.2", " – Costs"),
            ("Table 4a. x", "4A", ". x"),
            ("Supplementary Table 4: y", "supplementary4", ": y"),
            ("표 3 재무 현황", "3", " 재무 현황"),
            ("표 Ⅰ-1. 개요", "I-1", ". 개요"),
            ("<표 2> 매출", "2", " 매출"),
            ("[표 1-2] 매출", "1-2", " 매출"),
            ("별표 1", "annex1", ""),
            ("表1 売上", "1", " 売上"),
            ("Tabelle 2: Kosten", "2", ": Kosten"),
            ("Tableau 5", "5", ""),
            ("Exhibit 7", "7", ""),
            ("Table 8.7A-C A horn", "8.7A", "-C A horn"),
        ] {
            assert_eq!(named(text), Some((true, number.to_owned(), rest.to_owned())), "{text}");
        }
        assert_eq!(named("Diagram 2 Institutions"), Some((false, "2".into(), " Institutions".into())));
        assert_eq!(named("그림 2. 구조"), Some((false, "2".into(), ". 구조".into())));
        assert_eq!(named("Fig. 4 Overview"), Some((false, "4".into(), " Overview".into())));
        for text in
            ["suitable 3 options", "Tablet 3", "Table of contents", "표준 3", "Table Income", "발표 3", "표시 2"]
        {
            assert_eq!(named(text), None, "{text}");
        }
    }

    #[test]
    fn mentions_with_lists_and_ranges() {
        let numbers =
            |text: &str| mentions(text).into_iter().map(|l| l.series.to_owned() + &l.number).collect::<Vec<_>>();
        assert_eq!(numbers("As Tables 2 and 3 show, Table 7 is larger."), ["2", "3", "7"]);
        assert_eq!(numbers("Tables 4–6 list the rest."), ["4-6", "5", "4", "6"]);
        assert_eq!(numbers("Table 4-6 lists the rest."), ["4-6"]);
        assert_eq!(numbers("표 3에서 보듯이 <표 1-2>와 다르다."), ["3", "1-2"]);
        assert_eq!(numbers("도표 3 참조. 발표 3건."), Vec::<String>::new());
        assert_eq!(numbers("See Supplementary Table 4."), ["supplementary4"]);
        assert_eq!(numbers("[별표 2] 참조"), ["annex2"]);
        assert_eq!(numbers("a suitable 3 options, vegetable 5"), Vec::<String>::new());
    }
}
