//! Rules, fills and images from paths, forms and inline images.

use super::*;

/// The page of some content; `resources` go beside the fonts.
fn page_of(content: &str, resources: impl FnOnce(&mut Document) -> Dictionary) -> PageContent {
    first_page(&pdf(content.as_bytes(), helvetica(), |doc, page| {
        let extra = resources(doc);
        let dict = doc.get_dictionary_mut(page).unwrap().get_mut(b"Resources").unwrap().as_dict_mut().unwrap();
        for (key, value) in &extra {
            dict.set(key.clone(), value.clone());
        }
    }))
}

fn drawn(content: &str) -> PageContent {
    page_of(content, |_| Dictionary::new())
}

fn horizontal(x0: f32, x1: f32, y: f32, width: f32) -> Rule {
    Rule { bbox: BBox::new(x0, y, x1, y), width, horizontal: true }
}

fn vertical(x: f32, y0: f32, y1: f32, width: f32) -> Rule {
    Rule { bbox: BBox::new(x, y0, x, y1), width, horizontal: false }
}

#[test]
fn dashes_and_short_segments_are_whole_rules() {
    // A dash pattern is the line that it dashes.
    assert_eq!(drawn("[3 2] 0 d 0.5 w 100 700 m 300 700 l S").rules, [horizontal(100.0, 300.0, 100.0, 0.5)]);
    // Dashes that are lines, or boxes, of their own.
    let dashes: String = (0..50).map(|i| format!("{} 700 m {} 700 l S ", 100 + 4 * i, 103 + 4 * i)).collect();
    assert_eq!(drawn(&dashes).rules, [horizontal(100.0, 299.0, 100.0, 1.0)]);
    let dots: String = (0..100).map(|i| format!("{} 700 1 1 re f ", 100 + 2 * i)).collect();
    assert_eq!(drawn(&dots).rules, []);
    let steps: String = (0..200).map(|i| format!("{} 700 m {} 700 l S ", 100 + i, 101 + i)).collect();
    assert_eq!(drawn(&steps).rules, [horizontal(100.0, 300.0, 100.0, 1.0)]);
    let polyline: String = (1..=200).map(|i| format!("{} 700 l ", 100 + i)).collect();
    assert_eq!(drawn(&format!("100 700 m {polyline} S")).rules, [horizontal(100.0, 300.0, 100.0, 1.0)]);
}

#[test]
fn double_lines_are_two_and_overlaid_ones_are_one() {
    let double = drawn("0.5 w 100 700 m 300 700 l 100 698 m 300 698 l S");
    assert_eq!(double.rules, [horizontal(100.0, 300.0, 100.0, 0.5), horizontal(100.0, 300.0, 102.0, 0.5)]);
    let again = drawn("0.5 w 100 700 m 300 700 l S 1 w 100 700.2 m 250 700.2 l S");
    assert_eq!(again.rules, [horizontal(100.0, 300.0, 100.0, 1.0)]);
}

#[test]
fn thin_shapes_are_rules() {
    let bar = drawn("100 700 200 0.5 re f 100 500 1 150 re f");
    assert_eq!(bar.rules, [horizontal(100.0, 300.0, 99.75, 0.5), vertical(100.5, 150.0, 300.0, 1.0)]);
    assert_eq!(bar.fills, []);
    // Negative sizes, and a picture of a line.
    assert_eq!(drawn("300 700 -200 -1 re f").rules, [horizontal(100.0, 300.0, 100.5, 1.0)]);
    assert_eq!(
        drawn("q 200 0 0 1 100 700 cm BI /W 1 /H 1 /IM true ID x EI Q").rules,
        [horizontal(100.0, 300.0, 99.5, 1.0)]
    );
    let scaled = drawn("q 0.5 0 0 0.5 0 0 cm 2 w 200 1400 m 600 1400 l S Q");
    assert_eq!(scaled.rules, [horizontal(100.0, 300.0, 100.0, 1.0)]);
}

#[test]
fn curves_leave_no_rules() {
    let page =
        drawn("100 700 m 150 701 250 699 300 700 c S 100 600 m 200 600 300 600 v S 100 500 m 200 500 300 500 y S");
    assert_eq!(page.rules, []);
    // Of a box with rounded corners the straight parts stay.
    let rounded = "110 700 m 290 700 l 300 700 300 700 300 690 c 300 610 l 300 600 300 600 290 600 c 110 600 l \
                   100 600 100 600 100 610 c 100 690 l 100 700 100 700 110 700 c S";
    let edges = [horizontal(110.0, 290.0, 100.0, 1.0), horizontal(110.0, 290.0, 200.0, 1.0)];
    let sides = [vertical(100.0, 110.0, 190.0, 1.0), vertical(300.0, 110.0, 190.0, 1.0)];
    assert_eq!(drawn(rounded).rules, [edges, sides].concat());
}

#[test]
fn colours_of_fills() {
    let fill = |rgb| [Fill { bbox: BBox::new(100.0, 80.0, 300.0, 100.0), rgb }];
    let colors = |doc: &mut Document| {
        let reals = |values: &[f32]| Object::Array(values.iter().map(|value| Object::Real(*value)).collect());
        let tint = dictionary! {
            "FunctionType" => 2, "Domain" => reals(&[0.0, 1.0]), "N" => 1, "C0" => reals(&[1.0, 1.0, 1.0]),
            "C1" => reals(&[0.0, 0.4, 0.8]),
        };
        let profile = doc.add_object(Stream::new(dictionary! { "N" => 3 }, Vec::new()));
        let name = |name: &str| Object::Name(name.into());
        let shading = dictionary! { "ShadingType" => 2, "ColorSpace" => "DeviceRGB", "Function" => tint.clone() };
        let spaces = dictionary! {
            "Icc" => vec![name("ICCBased"), profile.into()],
            "Spot" => vec![name("Separation"), name("Blue"), name("DeviceRGB"), tint.into()],
            "Table" => vec![name("Indexed"), name("DeviceGray"), 1.into(), Object::string_literal(vec![255, 51])],
            "Tiles" => vec![name("Pattern"), name("DeviceRGB")],
        };
        let patterns = dictionary! {
            "Shade" => dictionary! { "PatternType" => 2, "Shading" => shading.clone() },
            "Plain" => dictionary! { "PatternType" => 1, "PaintType" => 2 },
        };
        dictionary! { "ColorSpace" => spaces, "Pattern" => patterns, "Shading" => dictionary! { "Sh" => shading } }
    };
    let shape = "100 700 200 20 re";
    for (color, rgb) in [
        ("/Icc cs 1 0.8 0.6 sc", [255, 204, 153]),
        ("/Spot cs 0.5 scn", [128, 179, 230]),
        ("/Table cs 1 sc", [51, 51, 51]),
        ("/Tiles cs 0.2 0.4 0.6 /Plain scn", [51, 102, 153]),
        ("/Pattern cs /Shade scn", [128, 179, 230]),
        ("/Pattern cs /Nowhere scn", [200, 200, 200]),
        ("0 0.2 0.4 0 k", [255, 204, 153]),
    ] {
        assert_eq!(page_of(&format!("{color} {shape} f"), colors).fills, fill(rgb), "{color}");
    }
    assert_eq!(page_of(&format!("/Table cs 0 sc {shape} f"), colors).fills, []);
    assert_eq!(page_of(&format!("{shape} W n /Sh sh"), colors).fills, fill([128, 179, 230]));
    assert_eq!(page_of("/Sh sh", colors).fills, []);
}

#[test]
fn forms_that_draw_each_other_end() {
    let page = page_of("/A Do 0.5 w 100 700 m 300 700 l S", |doc| {
        let [a, b] = [doc.new_object_id(), doc.new_object_id()];
        let form = |other: ObjectId, name: &str, content: &str| {
            let resources = dictionary! { "Font" => helvetica(), "XObject" => dictionary! { name => other } };
            let dict = dictionary! {
                "Subtype" => "Form", "BBox" => vec![0.into(), 0.into(), 600.into(), 800.into()], "Resources" => resources,
            };
            Stream::new(dict, content.as_bytes().to_vec())
        };
        let inner = "/A Do 0 0 1 RG q 1 0 0 1 0 -50 cm BT /F1 10 Tf 100 700 Td (b) Tj ET Q";
        doc.objects.insert(a, form(b, "B", "3 w /B Do BT /F1 10 Tf 100 700 Td (a) Tj ET").into());
        doc.objects.insert(b, form(a, "A", inner).into());
        dictionary! { "XObject" => dictionary! { "A" => a } }
    });
    let words: Vec<(&str, f32)> = page.words.iter().map(|word| (word.text.as_str(), word.baseline)).collect();
    assert_eq!(words, [("b", 150.0), ("a", 100.0)]);
    assert_eq!(page.rules, [horizontal(100.0, 300.0, 100.0, 0.5)]);
}

#[test]
fn inline_images_in_every_spelling() {
    let image = [BBox::new(400.0, 60.0, 450.0, 100.0)];
    for dict in [
        &b"/W 4 /H 2 /BPC 8 /CS /G ID a EI bcd"[..],
        b"/Width 4 /Height 2 /BitsPerComponent 8 /ColorSpace /DeviceGray ID a EI bcd",
        b"/W 2 /H 1 /BPC 8 /CS /RGB ID \n EI a\nEI",
        b"/W 2 /H 1 /BPC 8 /CS /CMYK ID \n EI a\nEI",
        b"/W 16 /H 4 /IM true /D [1 0] ID \xFF EI \x00\xFF\x01",
        b"/W 8 /H 1 /IM false /BPC 8 /CS /G ID ab EI cd",
        b"/W 4 /H 1 /BPC 8 /CS [/I /RGB 1 <000000FFFFFF>] ID  EI ",
        b"/W 9 /H 9 /BPC 8 /CS /Cs1 /F null ID \x01\x02 EI \x99\x98\x97",
        b"/W 9 /H 9 /F [/A85 /Fl] /DP [null <</Predictor 15>>] ID GhQ EI*~>",
        b"/W 9 /H 9 /F /AHx ID 00 11 EI0>",
        b"/W 9 /H 9 /L 12 /F /DCT ID \xFF\xD8 EI Q BT ab",
        b"/W 9 /H 9 /F /LZW /I true ID \x80\x0B EI\x99\x00\x01",
        b"/W 9 /H 9 /F /RL ID \x80\x0B\nEI\n\x99\x00\x01",
        b"/W 9 /H 9 /F /CCF /DP <</K -1 /Columns 9>> ID \x80 EI \xFFQ\x01",
    ] {
        let content = [b"q 50 0 0 40 400 700 cm BI ", dict, b"\nEI Q BT /F1 10 Tf 100 700 Td (text) Tj ET"].concat();
        let page = first_page(&pdf(&content, helvetica(), |_, _| {}));
        let shown = String::from_utf8_lossy(dict);
        assert_eq!(texts(&page), ["text"], "{shown}");
        assert_eq!(page.images, image, "{shown}");
        assert_eq!(page.words[0].bbox.x0, 100.0, "{shown}");
    }
}
