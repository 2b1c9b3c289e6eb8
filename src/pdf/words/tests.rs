use super::*;

/// Glyphs of half an em each, from x, with `gap` after every one.
fn glyphs(text: &str, x: f32, y: f32, gap: f32) -> Vec<PlacedGlyph> {
    let mut at = x;
    text.chars()
        .map(|c| {
            let start = at;
            at += 5.0 + gap;
            PlacedGlyph {
                text: if c == '?' { GlyphText::Unknown } else { GlyphText::Char(c) },
                start: (start, y),
                end: (start + 5.0, y),
                up: (0.0, -8.0),
                down: (0.0, 2.0),
                size: 10.0,
                space: Some(2.5),
                angle: 0,
                font: 0,
                invisible: false,
                heavy: false,
                mcid: None,
                artifact: false,
            }
        })
        .collect()
}

fn texts(glyphs: Vec<PlacedGlyph>) -> Vec<String> {
    assemble(glyphs, &[], 600.0, 800.0).words.into_iter().map(|w| w.text).collect()
}

#[test]
fn words_part_at_spaces_and_at_gaps() {
    assert_eq!(texts(glyphs("ab cd", 10.0, 100.0, 0.0)), ["ab", "cd"]);
    let apart = [glyphs("ab", 10.0, 100.0, 0.0), glyphs("cd", 22.0, 100.0, 0.0)].concat();
    assert_eq!(texts(apart), ["ab", "cd"]);
    let touching = [glyphs("ab", 10.0, 100.0, 0.0), glyphs("cd", 20.5, 100.0, 0.0)].concat();
    assert_eq!(texts(touching), ["abcd"]);
}

#[test]
fn letter_spaced_words_stay_whole() {
    assert_eq!(texts(glyphs("LETTERS", 10.0, 100.0, 3.0)), ["LETTERS"]);
    let two = [glyphs("WIDE", 10.0, 100.0, 3.0), glyphs("TEXT", 48.0, 100.0, 3.0)].concat();
    assert_eq!(texts(two), ["WIDE", "TEXT"]);
    let tight = [glyphs("좁은", 10.0, 100.0, -1.5), glyphs("글자", 18.5, 100.0, -1.5)].concat();
    assert_eq!(texts(tight), ["좁은", "글자"]);
    assert_eq!(texts(glyphs("0101", 10.0, 100.0, 3.0)), ["0", "1", "0", "1"]);
}

#[test]
fn box_baseline_and_unmapped_count() {
    let page = assemble(glyphs("a?", 10.0, 100.0, 0.0), &[], 600.0, 800.0);
    assert_eq!(page.words[0].text, "a\u{FFFD}");
    assert_eq!(page.words[0].bbox, BBox::new(10.0, 92.0, 20.0, 102.0));
    assert_eq!(page.words[0].baseline, 100.0);
    assert_eq!((page.glyphs, page.unmapped), (2, 1));
    assert!(page.words[0].space_before);
}

#[test]
fn off_page_glyphs_are_dropped() {
    let page = assemble(glyphs("abc", 590.0, 100.0, 0.0), &[], 600.0, 800.0);
    assert_eq!(page.words[0].text, "ab");
    assert_eq!(page.glyphs, 2);
    assert!(texts(glyphs("abc", 10.0, -50.0, 0.0)).is_empty());
}

#[test]
fn overprinted_text_is_one_bold_word() {
    let twice = [glyphs("Bold", 10.0, 100.0, 0.0), glyphs("Bold", 10.3, 100.0, 0.0)].concat();
    let words = assemble(twice, &[], 600.0, 800.0).words;
    assert_eq!(words.len(), 1);
    assert!(words[0].bold);
    let doubled: Vec<PlacedGlyph> = glyphs("ab", 10.0, 100.0, 0.0)
        .into_iter()
        .flat_map(|g| {
            let mut copy = g.clone();
            copy.start.0 += 0.3;
            copy.end.0 += 0.3;
            [g, copy]
        })
        .collect();
    let words = assemble(doubled, &[], 600.0, 800.0).words;
    assert_eq!((words.len(), words[0].text.as_str(), words[0].bold), (1, "ab", true));
}

#[test]
fn superscripts_and_font_changes_join_without_space() {
    let mut raised = glyphs("2", 20.0, 96.0, 0.0);
    raised[0].size = 6.0;
    let words = assemble([glyphs("m=", 10.0, 100.0, 0.0), raised].concat(), &[], 600.0, 800.0).words;
    let seen: Vec<(&str, bool, bool)> =
        words.iter().map(|w| (w.text.as_str(), w.space_before, w.superscript)).collect();
    assert_eq!(seen, [("m=", true, false), ("2", false, true)]);
}

#[test]
fn ligatures_soft_hyphens_and_composition() {
    assert_eq!(texts(glyphs("ﬁne", 10.0, 100.0, 0.0)), ["fine"]);
    assert_eq!(texts(glyphs("co\u{AD}op\u{AD}", 10.0, 100.0, 0.0)), ["co-op-"]);
    assert_eq!(texts(glyphs("\u{1112}\u{1161}\u{11AB}", 10.0, 100.0, 0.0)), ["한"]);
}

#[test]
fn a_glyph_that_maps_to_several_words_is_divided() {
    let mut glyph = glyphs("x", 10.0, 100.0, 0.0);
    glyph[0].text = GlyphText::Many("가 나".into());
    glyph[0].end.0 = 40.0;
    let words = assemble(glyph, &[], 600.0, 800.0).words;
    let seen: Vec<(&str, f32, f32)> = words.iter().map(|w| (w.text.as_str(), w.bbox.x0, w.bbox.x1)).collect();
    assert_eq!(seen, [("가", 10.0, 20.0), ("나", 30.0, 40.0)]);
}

#[test]
fn rotated_text_runs_along_its_own_baseline() {
    let rotated = |c: char, y: f32| PlacedGlyph {
        text: GlyphText::Char(c),
        start: (100.0, y),
        end: (100.0, y - 5.0),
        up: (-8.0, 0.0),
        down: (2.0, 0.0),
        size: 10.0,
        space: None,
        angle: 90,
        font: 0,
        invisible: false,
        heavy: false,
        mcid: None,
        artifact: false,
    };
    let words = assemble(vec![rotated('a', 300.0), rotated('b', 295.0), rotated('c', 280.0)], &[], 600.0, 800.0);
    let seen: Vec<&str> = words.words.iter().map(|w| w.text.as_str()).collect();
    assert_eq!(seen, ["ab", "c"]);
    assert_eq!(words.words[0].angle, 90);
    assert_eq!(words.words[0].bbox, BBox::new(92.0, 290.0, 102.0, 300.0));
}

#[test]
fn text_drawn_as_seen_is_read_from_right_to_left() {
    // "שלום (12) abc" as it is seen in a Hebrew line.
    let line = glyphs("abc (12) םולש", 10.0, 100.0, 0.0);
    assert_eq!(texts(line), ["שלום", "(12)", "abc"]);
    // Letters drawn one to the left of the other are in reading order already.
    let leftward: Vec<PlacedGlyph> =
        "של".chars().zip([20.0, 15.0]).flat_map(|(c, x)| glyphs(&c.to_string(), x, 100.0, 0.0)).collect();
    assert_eq!(texts(leftward), ["של"]);
    assert_eq!(texts(glyphs("\u{FEFB}\u{FE91}", 10.0, 100.0, 0.0)), ["بلا"]);
}

#[test]
fn accents_over_letters_are_part_of_them() {
    let over =
        |accent: &str, letter: &str| [glyphs(accent, 10.5, 100.0, 0.0), glyphs(letter, 10.0, 100.0, 0.0)].concat();
    assert_eq!(texts(over("¨", "o")), ["ö"]);
    assert_eq!(texts(over("´", "ı")), ["í"]);
    assert_eq!(texts([glyphs("e", 10.0, 100.0, 0.0), glyphs("`", 10.2, 98.5, 0.0)].concat()), ["è"]);
    assert_eq!(texts(glyphs("a^b", 10.0, 100.0, 0.0)), ["a^b"]);
    let mut negated = over("\u{338}", "=");
    negated.iter_mut().take(1).for_each(|stroke| stroke.font = 1);
    assert_eq!(texts(negated), ["≠"]);
}

#[test]
fn words_that_are_overprinted_in_part_are_one() {
    let seen = |glyphs: Vec<Vec<PlacedGlyph>>| -> Vec<(String, bool, bool)> {
        let words = assemble(glyphs.concat(), &[], 600.0, 800.0).words;
        words.into_iter().map(|w| (w.text, w.bold, w.space_before)).collect()
    };
    let word = |text: &str, bold| (text.to_owned(), bold, true);
    let plain = || glyphs("Total", 10.0, 100.0, 0.0);
    // The second print covers a part: most of the word, or little of it.
    assert_eq!(seen(vec![plain(), glyphs("Tota", 10.3, 100.0, 0.0)]), [word("Total", true)]);
    assert_eq!(seen(vec![plain(), glyphs("al", 25.3, 100.2, 0.0)]), [word("Total", false)]);
    assert_eq!(seen(vec![plain(), glyphs("otal", 15.3, 100.0, 0.0)]), [word("Total", true)]);
    // The first print comes in parts.
    let parts = vec![glyphs("Tot", 10.0, 100.0, 0.0), glyphs("zz", 10.0, 300.0, 0.0), glyphs("al", 25.0, 100.0, 0.0)];
    assert_eq!(seen([parts, vec![plain()]].concat()), [word("Total", true), word("zz", false)]);
    // The same letters elsewhere are another word.
    assert_eq!(seen(vec![plain(), glyphs("Tot", 100.0, 100.0, 0.0)]), [word("Total", false), word("Tot", false)]);
    // A print of another size over it, too.
    let mut small = glyphs("Tot", 10.0, 100.0, 0.0);
    small.iter_mut().for_each(|glyph| glyph.size = 6.0);
    assert_eq!(seen(vec![plain(), small]).len(), 2);
}

#[test]
fn rotated_overprints_merge_too() {
    let upwards = |text: &str, y: f32| -> Vec<PlacedGlyph> {
        let turn = |(i, glyph): (usize, PlacedGlyph)| {
            let y = y - 5.0 * i as f32;
            let (start, end) = ((100.0, y), (100.0, y - 5.0));
            PlacedGlyph { start, end, up: (-8.0, 0.0), down: (2.0, 0.0), angle: 90, ..glyph }
        };
        glyphs(text, 0.0, 0.0, 0.0).into_iter().enumerate().map(turn).collect()
    };
    assert_eq!(texts([upwards("가격표", 300.0), upwards("격표", 295.3)].concat()), ["가격표"]);
}

#[test]
fn spaces_are_kept_as_marks_of_the_words_before_them() {
    let lines = [glyphs("ab cd ", 10.0, 100.0, 0.0), glyphs("ef", 10.0, 115.0, 0.0), glyphs("gh", 30.0, 115.0, 0.0)];
    let words = assemble(lines.concat(), &[], 600.0, 800.0).words;
    let marks: Vec<(&str, bool)> = words.iter().map(|w| (w.text.as_str(), w.space_after)).collect();
    assert_eq!(marks, [("ab", true), ("cd", true), ("ef", false), ("gh", false)]);
}

#[test]
fn cells_that_run_over_the_next_one_are_parted() {
    let over = |first: &str, second: &str, back: f32| {
        let x = 10.0 + 5.0 * first.chars().count() as f32 - back;
        texts([glyphs(first, 10.0, 100.0, 0.0), glyphs(second, x, 100.0, 0.0)].concat())
    };
    assert_eq!(over("Mumbai", "Maharashtra", 8.0), ["Mumbai", "Maharashtra"]);
    assert_eq!(over("서울특별시", "02", 2.0), ["서울특별시", "02"]);
    assert_eq!(over("State/UT", "Address", 9.0), ["State/UT", "Address"]);
    // Kerning, and letters that words go on with.
    assert_eq!(over("TheLaT", "eXset", 2.0), ["TheLaTeXset"]);
    assert_eq!(over("Mumbai", "Maharashtra", 1.4), ["MumbaiMaharashtra"]);
    assert_eq!(over("through", "out", 2.0), ["throughout"]);
    assert_eq!(over("2024", "24", 2.0), ["202424"]);
    assert_eq!(over("자동", "업데이트", 2.0), ["자동업데이트"]);
    // Digits of another font than the letters.
    let mut digits = glyphs("3조", 53.0, 100.0, 0.0);
    digits[0].font = 1;
    let words = assemble([glyphs("이보험약관의제", 20.0, 100.0, 0.0), digits].concat(), &[], 600.0, 800.0).words;
    let seen: Vec<(&str, bool)> = words.iter().map(|word| (word.text.as_str(), word.space_before)).collect();
    assert_eq!(seen, [("이보험약관의제", true), ("3", false), ("조", false)]);
    // Wrong widths: letters go back everywhere.
    let squeezed = [("ab", 10.0), ("Cd", 15.5), ("Ef", 21.0), ("Gh", 26.5)];
    assert_eq!(texts(squeezed.iter().flat_map(|(text, x)| glyphs(text, *x, 100.0, 0.0)).collect()), ["abCdEfGh"]);
}

#[test]
fn cells_that_touch_are_parted_where_lines_begin() {
    let page = |text: &str, gap: f32, below: &[f32]| {
        let first = [glyphs("5000mAh", 10.0, 100.0, 0.0), glyphs(text, 45.0 + gap, 100.0, 0.0)].concat();
        let lines = below.iter().zip(1u8..).flat_map(|(x, line)| {
            [
                glyphs("x", 10.0, 100.0 + 12.0 * f32::from(line), 0.0),
                glyphs("HD", *x, 100.0 + 12.0 * f32::from(line), 0.0),
            ]
        });
        texts([first, lines.flatten().collect()].concat()).into_iter().filter(|text| text.len() > 2).collect::<Vec<_>>()
    };
    assert_eq!(page("6.5in", 0.1, &[45.1, 45.1]), ["5000mAh", "6.5in"]);
    // One line, lines elsewhere or far away, letters that words go on with, and text shown in one go.
    assert_eq!(page("6.5in", 0.1, &[45.1]), ["5000mAh6.5in"]);
    assert_eq!(page("6.5in", 0.1, &[45.3, 45.3]), ["5000mAh6.5in"]);
    assert_eq!(page("6.5in", 0.1, &[80.0, 80.0, 80.0, 80.0, 80.0, 80.0, 80.0, 45.1, 45.1]), ["5000mAh6.5in"]);
    assert_eq!(page("ours", 0.1, &[45.1, 45.1]), ["5000mAhours"]);
    assert_eq!(page("6.5in", 0.0, &[45.0, 45.0]), ["5000mAh6.5in"]);
}
