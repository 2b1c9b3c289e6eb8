//! Text as it is read: mappings that are wrong in part, scripts, directions, marks.

use super::*;

/// One line of a font whose codes 1, 2, … are the characters of `text`, each half an em wide.
fn spelled(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let map: String = (1..).zip(&chars).map(|(code, c)| format!("<{code:02X}> <{}>", utf16(*c))).collect();
    let map = format!("{} beginbfchar {map} endbfchar", chars.len());
    let codes: String = (1..=chars.len()).map(|code| format!("{code:02X}")).collect();
    let content = format!("BT /F2 10 Tf 10 700 Td <{codes}> Tj ET");
    mapped(&content, &map, None).words.into_iter().map(|word| word.text).collect()
}

fn utf16(c: char) -> String {
    c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("{unit:04X}")).collect()
}

/// A page in a font F2 with this ToUnicode map and these `/Differences`.
fn mapped(content: &str, map: &str, differences: Option<Vec<Object>>) -> PageContent {
    first_page(&pdf(content.as_bytes(), Dictionary::new(), |doc, page| {
        let map = doc.add_object(Stream::new(Dictionary::new(), map.as_bytes().to_vec()));
        let mut font = dictionary! {
            "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "ABCDEF+Some", "ToUnicode" => map, "FirstChar" => 0,
            "Widths" => vec![Object::from(500); 256],
        };
        if let Some(differences) = differences {
            font.set("Encoding", dictionary! { "Differences" => differences });
        }
        let resources = doc.get_dictionary_mut(page).unwrap().get_mut(b"Resources").unwrap().as_dict_mut().unwrap();
        resources.set("Font", dictionary! { "F2" => font });
    }))
}

#[test]
fn maps_that_are_wrong_in_part_give_way_to_names() {
    let names: Vec<Object> =
        [1.into()].into_iter().chain(["A", "B", "C", "D", "hyphen"].map(|name| Object::Name(name.into()))).collect();
    let map = "6 beginbfchar <01> <0000> <02> <FFFD> <03> <0007> <04> <F8E5> <05> <00AD> <06> <0041> endbfchar";
    let page = mapped("BT /F2 10 Tf 10 700 Td <010203040506> Tj ET", map, Some(names));
    assert_eq!((texts(&page).as_slice(), page.unmapped), (&["ABCD-A"][..], 0));
}

#[test]
fn what_nothing_is_known_of_is_counted() {
    let map = "4 beginbfchar <01> <0000> <02> <FFFF> <03> <E123> <04> <0041> endbfchar";
    let page = mapped("BT /F2 10 Tf 10 700 Td <01020304> Tj ET", map, None);
    assert_eq!(texts(&page), ["\u{FFFD}\u{FFFD}\u{E123}A"]);
    assert_eq!((page.glyphs, page.unmapped), (4, 3));
}

#[test]
fn composed_characters_and_ligatures() {
    assert_eq!(spelled("\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}"), ["한글"]);
    assert_eq!(spelled("Cafe\u{301} u\u{308}ber"), ["Café", "über"]);
    assert_eq!(spelled("e\u{FB03}cient \u{FB01}\u{FB02}\u{FB00}\u{FB04}"), ["efficient", "fiflffffl"]);
    assert_eq!(spelled("co\u{AD}operate"), ["co-operate"]);
    assert_eq!(spelled("😀한"), ["😀한"]);
}

#[test]
fn right_to_left_words_are_in_reading_order() {
    // "שנת 2024 טובה", "مرحبا 12,5 بك" as they are seen from left to right.
    assert_eq!(spelled("הבוט 2024 תנש"), ["שנת", "2024", "טובה"]);
    assert_eq!(spelled("كب 12,5 ابحرم"), ["مرحبا", "12,5", "بك"]);
    assert_eq!(spelled("abc םולש def"), ["abc", "שלום", "def"]);
    assert_eq!(spelled("ב2024ב"), ["ב2024ב"]);
}

#[test]
fn vertical_writing_runs_downwards() {
    let vertical = |text: &str| {
        let codes: String = text.chars().map(utf16).collect();
        first_page(&pdf(
            format!("BT /F2 10 Tf 300 700 Td <{codes}> Tj ET").as_bytes(),
            Dictionary::new(),
            |doc, page| {
                let info = dictionary! {
                    "Registry" => Object::string_literal("Adobe"), "Ordering" => Object::string_literal("Korea1"),
                    "Supplement" => 1,
                };
                let descendant =
                    dictionary! { "Subtype" => "CIDFontType0", "BaseFont" => "HYSMyeongJo", "CIDSystemInfo" => info };
                let font = dictionary! {
                    "Type" => "Font", "Subtype" => "Type0", "BaseFont" => "HYSMyeongJo", "Encoding" => "UniKS-UTF16-V",
                    "DescendantFonts" => vec![descendant.into()],
                };
                let resources =
                    doc.get_dictionary_mut(page).unwrap().get_mut(b"Resources").unwrap().as_dict_mut().unwrap();
                resources.set("Font", dictionary! { "F2" => font });
            },
        ))
    };
    let page = vertical("세로쓰기");
    assert_eq!(texts(&page), ["세로쓰기"]);
    let word = &page.words[0];
    assert_eq!((word.bbox, word.angle), (BBox::new(295.0, 100.0, 305.0, 140.0), 270));
}

#[test]
fn text_at_every_angle() {
    let turned = |matrix: &str| {
        let content = format!("BT /F1 10 Tf {matrix} Tm (one two) Tj ET");
        let page = first_page(&pdf(content.as_bytes(), helvetica(), |_, _| {}));
        let words: Vec<String> = page.words.iter().map(|word| word.text.clone()).collect();
        assert_eq!(words, ["one", "two"], "{matrix}");
        page.words[0].angle
    };
    assert_eq!(turned("1 0 0 1 300 400"), 0);
    assert_eq!(turned("0 1 -1 0 300 400"), 90);
    assert_eq!(turned("-1 0 0 -1 300 400"), 180);
    assert_eq!(turned("0 -1 1 0 300 400"), 270);
    assert_eq!(turned("0.7071 0.7071 -0.7071 0.7071 300 400"), 45);
    assert_eq!(turned("0.9998 0.0175 -0.0175 0.9998 300 400"), 0);
}

#[test]
fn superscripts_are_marked() {
    let content = b"BT /F1 10 Tf 100 700 Td (x) Tj /F1 6 Tf 4 Ts (2) Tj /F1 10 Tf 0 Ts (y) Tj /F1 6 Tf -2 Ts (i) Tj ET";
    let page = first_page(&pdf(content, helvetica(), |_, _| {}));
    let seen: Vec<(&str, bool, bool)> =
        page.words.iter().map(|word| (word.text.as_str(), word.superscript, word.space_before)).collect();
    assert_eq!(seen, [("x", false, true), ("2", true, false), ("y", false, false), ("i", false, false)]);
}

#[test]
fn marked_content_gives_identifiers_and_artifacts() {
    let content = b"/P <</MCID 3>> BDC BT /F1 10 Tf 100 700 Td (body) Tj ET
        /Span <</Lang (ko)>> BDC BT /F1 10 Tf 100 680 Td (inner) Tj ET EMC EMC
        /Artifact <</Type /Pagination>> BDC BT /F1 10 Tf 100 30 Td (12) Tj ET EMC
        /P /Props BDC BT /F1 10 Tf 100 660 Td (named) Tj ET EMC
        /Artifact BMC BT /F1 10 Tf 100 40 Td (head) Tj ET EMC BT /F1 10 Tf 100 640 Td (bare) Tj ET";
    let page = first_page(&pdf(content, helvetica(), |doc, page| {
        let resources = doc.get_dictionary_mut(page).unwrap().get_mut(b"Resources").unwrap().as_dict_mut().unwrap();
        resources.set("Properties", dictionary! { "Props" => dictionary! { "MCID" => 5 } });
    }));
    let seen: Vec<(&str, Option<u32>, bool)> =
        page.words.iter().map(|word| (word.text.as_str(), word.mcid, word.artifact)).collect();
    let expected = [
        ("body", Some(3), false),
        ("inner", Some(3), false),
        ("12", None, true),
        ("named", Some(5), false),
        ("head", None, true),
        ("bare", None, false),
    ];
    assert_eq!(seen, expected);
}

#[test]
fn text_without_a_size_keeps_its_words() {
    for font in ["/F1 0 Tf", "/F1 -0.0 Tf", "/F1 1e38 Tf", ""] {
        let content = format!("BT {font} 72 700 Td (Hello) Tj 0 -20 Td (all of it) Tj ET");
        let page = first_page(&pdf(content.as_bytes(), helvetica(), |_, _| {}));
        assert_eq!(texts(&page), ["Hello", "all", "of", "it"], "{font}");
        let word = &page.words[0];
        assert_eq!((word.size, word.baseline, word.bbox.x0), (1.0, 100.0, 72.0), "{font}");
        assert!(word.bbox.x1 > 73.5 && word.bbox.x1 < 76.0, "{font}: {:?}", word.bbox);
    }
}
