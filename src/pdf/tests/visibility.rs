//! What is seen: clips, colours, opacity.

use super::*;

fn seen(content: &str) -> Vec<(String, bool)> {
    let page = first_page(&pdf(content.as_bytes(), helvetica(), |_, _| {}));
    page.words.into_iter().map(|word| (word.text, word.invisible)).collect()
}

fn shown(words: &[&str]) -> Vec<(String, bool)> {
    words.iter().map(|word| ((*word).to_owned(), false)).collect()
}

/// `text` of 10 points at a place in user space.
fn at(x: i32, y: i32, text: &str) -> String {
    format!(" BT /F1 10 Tf {x} {y} Td ({text}) Tj ET ")
}

#[test]
fn text_outside_the_clip_is_dropped() {
    let both = at(100, 700, "in") + &at(100, 500, "out");
    assert_eq!(seen(&format!("q 90 690 100 30 re W n {both} Q {}", at(300, 500, "after"))), shown(&["in", "after"]));
    assert_eq!(seen(&format!("q 90 690 100 30 re W* n {both} Q")), shown(&["in"]));
    // A clip narrows only: the second one does not bring back what the first one hides.
    assert_eq!(seen(&format!("90 690 100 30 re W n 0 0 600 800 re W n {both}")), shown(&["in"]));
    // Two that have nothing in common, and one without extent, leave nothing.
    assert_eq!(seen(&format!("90 690 100 30 re W n 90 490 100 30 re W n {both}")), []);
    assert_eq!(seen(&format!("100 700 0 0 re W n {both}")), []);
    // Saved states nest.
    let nested = format!("q 90 690 100 30 re W n q 90 490 100 30 re W n {} Q {} Q {}", both, both, at(100, 300, "end"));
    assert_eq!(seen(&nested), shown(&["in", "end"]));
}

#[test]
fn text_that_the_clip_cuts_stays() {
    // Letters of about 7 points: the clip ends inside the second one, and its top edge cuts through both.
    assert_eq!(seen(&format!("100 690 10 14 re W n {}", at(100, 700, "ABCD"))), shown(&["AB"]));
    // A line that reaches into the clip with its descent only is not seen.
    assert_eq!(seen(&format!("0 690 600 10 re W n {}", at(100, 700, "low"))), shown(&["low"]));
    assert_eq!(seen(&format!("0 690 600 8 re W n {}", at(100, 700, "low"))), []);
}

#[test]
fn clipped_spaces_still_part_words() {
    // The clip of each word ends where the space begins.
    let content = "q 0 690 112.7 30 re W n BT /F1 10 Tf 100 700 Td (AB ) Tj ET Q BT /F1 10 Tf 115 700 Td (CD) Tj ET";
    assert_eq!(seen(content), shown(&["AB", "CD"]));
}

#[test]
fn clips_are_transformed_and_hold_their_curves() {
    assert_eq!(seen(&format!("q 2 0 0 2 0 0 cm 45 345 50 15 re W n Q {}", at(100, 700, "x"))), shown(&["x"]));
    assert_eq!(seen(&format!("q 1 0 0 1 0 200 cm 90 490 50 30 re W n {}", at(100, 500, "x"))), shown(&["x"]));
    // The ends of the curve lie on one line; its bulge holds the text.
    assert_eq!(seen(&format!("90 650 m 90 750 200 750 200 650 c W n {}", at(110, 690, "x"))), shown(&["x"]));
    // Without a path there is no clip.
    assert_eq!(seen(&format!("W n {}", at(100, 700, "x"))), shown(&["x"]));
}

#[test]
fn white_text_shows_on_coloured_ground_only() {
    let white = format!("1 g {}", at(100, 700, "white"));
    let hidden = [("white".to_owned(), true)];
    assert_eq!(seen(&white), hidden);
    assert_eq!(seen(&format!("0 0 0.5 rg 90 690 100 30 re f {white}")), shown(&["white"]));
    // The colour of the ground that was painted last counts, where the text stands.
    assert_eq!(seen(&format!("0 g 90 690 100 30 re f 1 g 90 690 100 30 re f {white}")), hidden);
    assert_eq!(seen(&format!("0 g 300 690 100 30 re f {white}")), hidden);
    assert_eq!(seen(&format!("{white} 0 g 90 690 100 30 re f")), hidden);
    // A disc, a picture, a line as thick as a bar.
    let disc = "0 g 95 705 m 95 730 145 730 145 705 c 145 680 95 680 95 705 c f";
    assert_eq!(seen(&format!("{disc} {white}")), shown(&["white"]));
    let picture = "q 200 0 0 100 50 650 cm BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q";
    assert_eq!(seen(&format!("{picture} {white}")), shown(&["white"]));
    assert_eq!(seen(&format!("q 20 w 90 703 m 200 703 l S Q {white}")), shown(&["white"]));
    // Outlined text is seen by its outline, clipped ground not at all.
    assert_eq!(seen(&format!("2 Tr {white}")), shown(&["white"]));
    assert_eq!(seen(&format!("q 300 300 10 10 re W n 0 g 90 690 100 30 re f Q {white}")), hidden);
    assert_eq!(seen(&format!("0 1 1 0 k {}", at(100, 700, "red"))), shown(&["red"]));
    assert_eq!(seen(&format!("0 0 0 0 k {}", at(100, 700, "white"))), hidden);
}

#[test]
fn white_copies_of_text_are_dropped() {
    let black = format!("0 g {}", at(100, 700, "shadow"));
    let white = format!("1 g {}", at(101, 701, "shadow"));
    let page = first_page(&pdf(format!("{white} {black}").as_bytes(), helvetica(), |_, _| {}));
    assert_eq!((page.words.len(), page.words[0].invisible), (1, false));
    assert_eq!(seen(&format!("{black} {white}")), shown(&["shadow"]));
}

#[test]
fn text_without_opacity_is_invisible() {
    let content = format!("q /G gs {} Q {}", at(100, 700, "none"), at(100, 600, "some"));
    let page = first_page(&pdf(content.as_bytes(), helvetica(), |doc, page| {
        let resources = doc.get_dictionary_mut(page).unwrap().get_mut(b"Resources").unwrap().as_dict_mut().unwrap();
        resources.set("ExtGState", dictionary! { "G" => dictionary! { "ca" => 0 } });
    }));
    let seen: Vec<(&str, bool)> = page.words.iter().map(|word| (word.text.as_str(), word.invisible)).collect();
    assert_eq!(seen, [("none", true), ("some", false)]);
}

#[test]
fn every_rendering_mode() {
    for (mode, invisible) in
        [(0, false), (1, false), (2, false), (3, true), (4, false), (5, false), (6, false), (7, true)]
    {
        let words = seen(&format!("{mode} Tr {}", at(100, 700, "x")));
        assert_eq!(words, [("x".to_owned(), invisible)], "mode {mode}");
    }
}

#[test]
fn text_beside_the_page_is_dropped() {
    let around = [at(-50, 700, "left"), at(700, 700, "right"), at(100, 900, "above"), at(100, -20, "below")].concat();
    assert_eq!(seen(&format!("{around}{}", at(100, 700, "on"))), shown(&["on"]));
}

#[test]
fn letters_with_an_outline_are_bold() {
    let plain = "BT /F1 10 Tf 100 700 Td (x) Tj ET";
    let bold = |content: String| {
        let fonts = dictionary! { "F1" => dictionary! { "Type" => "Font", "BaseFont" => "Helvetica" } };
        first_page(&pdf(content.as_bytes(), fonts, |_, _| {})).words[0].bold
    };
    assert!(bold(format!("0.3 w 2 Tr {plain}")));
    assert!(!bold(format!("0 w 2 Tr {plain}")));
    assert!(!bold(format!("0.3 w {plain}")));
    assert!(!bold(format!("0.3 w 1 Tr {plain}")));
}
