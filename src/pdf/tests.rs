//! Whole files: small ones built here, and the shared corpus where it is present.

mod damage;
mod drawing;
mod encryption;
mod page_boxes;
mod text;
mod visibility;

use std::path::{Path, PathBuf};

use lopdf::{Dictionary, Document, Object, ObjectId, Stream, dictionary};

use super::*;
use crate::document::BBox;

/// A one-page PDF of 600 × 800 points with the content and the fonts of its resources.
fn pdf(content: &[u8], fonts: Dictionary, extend: impl FnOnce(&mut Document, ObjectId)) -> Vec<u8> {
    let mut doc = Document::with_version("1.7");
    let content = doc.add_object(Stream::new(Dictionary::new(), content.to_vec()));
    let pages = doc.new_object_id();
    let page = doc.add_object(dictionary! {
        "Type" => "Page",
        "Parent" => pages,
        "Contents" => content,
        "Resources" => dictionary! { "Font" => fonts },
    });
    // The box stands on the parent: pages inherit it.
    doc.objects.insert(
        pages,
        dictionary! {
            "Type" => "Pages",
            "Count" => 1,
            "Kids" => vec![page.into()],
            "MediaBox" => vec![0.into(), 0.into(), 600.into(), 800.into()],
        }
        .into(),
    );
    let catalog =
        doc.add_object(dictionary! { "Type" => "Catalog", "Pages" => pages, "Lang" => Object::string_literal("ko") });
    doc.trailer.set("Root", catalog);
    extend(&mut doc, page);
    let mut bytes = Vec::new();
    doc.save_to(&mut bytes).unwrap();
    bytes
}

fn helvetica() -> Dictionary {
    dictionary! {
        "F1" => dictionary! {
            "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica-Bold", "Encoding" => "WinAnsiEncoding",
        },
    }
}

fn first_page(bytes: &[u8]) -> PageContent {
    PdfFile::open(bytes, None).unwrap().page(1).unwrap()
}

fn texts(page: &PageContent) -> Vec<&str> {
    page.words.iter().map(|word| word.text.as_str()).collect()
}

#[test]
fn words_rules_fills_and_images_of_a_page() {
    let content = b"q 0.9 g 100 600 200 20 re f Q
        1 w 100 500 m 300 500 l S
        q 50 0 0 40 400 700 cm BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q
        BT /F1 10 Tf 100 700 Td (Caf\xE9 au) Tj 0 -20 Td [(la) -400 (it)] TJ ET";
    let page = first_page(&pdf(content, helvetica(), |_, _| {}));
    assert_eq!(texts(&page), ["Café", "au", "la", "it"]);
    let word = &page.words[0];
    assert!(word.bold && !word.italic && !word.mono);
    assert_eq!((word.size, word.baseline, word.angle, word.bbox.x0), (10.0, 100.0, 0, 100.0));
    assert_eq!(page.fills, [Fill { bbox: BBox::new(100.0, 180.0, 300.0, 200.0), rgb: [230, 230, 230] }]);
    assert_eq!(page.rules, [Rule { bbox: BBox::new(100.0, 300.0, 300.0, 300.0), width: 1.0, horizontal: true }]);
    assert_eq!(page.images, [BBox::new(400.0, 60.0, 450.0, 100.0)]);
    assert_eq!((page.width, page.height, page.glyphs, page.unmapped), (600.0, 800.0, 10, 0));
}

#[test]
fn forms_nest_with_their_matrix_and_never_endlessly() {
    let bytes = pdf(b"q 1 0 0 1 0 100 cm /Fm Do Q", helvetica(), |doc, page| {
        let form = doc.new_object_id();
        let dict = dictionary! {
            "Type" => "XObject",
            "Subtype" => "Form",
            "BBox" => vec![0.into(), 0.into(), 600.into(), 800.into()],
            "Matrix" => vec![2.into(), 0.into(), 0.into(), 2.into(), 0.into(), 0.into()],
            "Resources" => dictionary! { "Font" => helvetica(), "XObject" => dictionary! { "Fm" => form } },
        };
        let stream = Stream::new(dict, b"BT /F1 10 Tf 10 20 Td (in) Tj ET /Fm Do".to_vec());
        doc.objects.insert(form, stream.into());
        let resources = doc.get_dictionary_mut(page).unwrap().get_mut(b"Resources").unwrap().as_dict_mut().unwrap();
        resources.set("XObject", dictionary! { "Fm" => form });
    });
    let page = first_page(&bytes);
    assert_eq!(page.words[0].text, "in");
    assert_eq!((page.words[0].bbox.x0, page.words[0].baseline, page.words[0].size), (20.0, 660.0, 20.0));
}

#[test]
fn differences_and_to_unicode() {
    let bytes = pdf(b"BT /F2 10 Tf 10 700 Td (AB\x03\x04) Tj ET", Dictionary::new(), |doc, page| {
        let map = doc.add_object(Stream::new(Dictionary::new(), b"1 beginbfchar <04> <AC00> endbfchar".to_vec()));
        let font = dictionary! {
            "Type" => "Font",
            "Subtype" => "TrueType",
            "BaseFont" => "ABCDEF+Some-Italic",
            "ToUnicode" => map,
            "FirstChar" => 3,
            "Widths" => vec![Object::from(500); 70],
            "Encoding" => dictionary! {
                "Differences" => vec![66.into(), Object::Name(b"Euro".to_vec()), 3.into(), Object::Name(b"g99".to_vec())],
            },
        };
        let resources = doc.get_dictionary_mut(page).unwrap().get_mut(b"Resources").unwrap().as_dict_mut().unwrap();
        resources.set("Font", dictionary! { "F2" => font });
    });
    let page = first_page(&bytes);
    assert_eq!(texts(&page), ["A€\u{FFFD}가"]);
    assert_eq!((page.glyphs, page.unmapped), (4, 1));
    assert!(page.words[0].italic);
    assert_eq!((page.words[0].bbox.x0, page.words[0].bbox.x1), (10.0, 30.0));
}

#[test]
fn text_without_a_font_is_still_read() {
    let page = first_page(&pdf(b"BT /Nowhere 10 Tf 10 700 Td (found) Tj ET", Dictionary::new(), |_, _| {}));
    assert_eq!(texts(&page), ["found"]);
}

#[test]
fn invisible_text_is_marked() {
    let page = first_page(&pdf(b"BT /F1 10 Tf 3 Tr 10 700 Td (ocr) Tj ET", helvetica(), |_, _| {}));
    assert!(page.words[0].invisible);
}

#[test]
fn field_values_show_and_hidden_layers_do_not() {
    let content = b"/OC /L BDC BT /F1 10 Tf 10 700 Td (draft) Tj ET EMC BT /F1 10 Tf 10 600 Td (Name:) Tj ET";
    let bytes = pdf(content, helvetica(), |doc, page| {
        let layer = doc.add_object(dictionary! { "Type" => "OCG" });
        let config = dictionary! { "OFF" => vec![layer.into()] };
        doc.catalog_mut().unwrap().set("OCProperties", dictionary! { "OCGs" => vec![layer.into()], "D" => config });
        let form = dictionary! {
            "Subtype" => "Form",
            "BBox" => vec![0.into(), 0.into(), 50.into(), 10.into()],
            "Resources" => dictionary! { "Font" => helvetica() },
        };
        let form = doc.add_object(Stream::new(form, b"BT /F1 5 Tf 0 2 Td (Kim) Tj ET".to_vec()));
        let field = |flags: i64| {
            dictionary! {
                "Subtype" => "Widget",
                "F" => flags,
                "Rect" => vec![100.into(), 600.into(), 200.into(), 620.into()],
                "AP" => dictionary! { "N" => form },
            }
        };
        let page = doc.get_dictionary_mut(page).unwrap();
        page.set("Annots", vec![field(4).into(), field(2).into()]);
        let resources = page.get_mut(b"Resources").unwrap().as_dict_mut().unwrap();
        resources.set("Properties", dictionary! { "L" => layer });
    });
    let page = first_page(&bytes);
    assert_eq!(texts(&page), ["Name:", "Kim"]);
    assert_eq!((page.words[1].bbox.x0, page.words[1].baseline, page.words[1].size), (100.0, 196.0, 10.0));
}

#[test]
fn actual_text_stands_in_for_unknown_glyphs() {
    let content = b"BT /F1 10 Tf 10 700 Td (n) Tj /Span <</ActualText (ffi)>> BDC (\x01\x02) Tj EMC (x) Tj ET";
    let page = first_page(&pdf(content, helvetica(), |_, _| {}));
    assert_eq!(texts(&page), ["nffix"]);
    assert_eq!(page.unmapped, 0);
}

#[test]
fn title_language_and_outline() {
    let bytes = pdf(b"", Dictionary::new(), |doc, page| {
        let child = doc.new_object_id();
        let destination = vec![page.into(), Object::Name(b"Fit".to_vec())];
        let top = doc.add_object(dictionary! {
            "Title" => Object::string_literal(b"\xFE\xFF\xC7\xA5".to_vec()), "Dest" => destination, "First" => child,
        });
        // The child names itself as the next entry.
        let entry = dictionary! { "Title" => Object::string_literal("1.1"), "Next" => child };
        doc.objects.insert(child, entry.into());
        let outlines = doc.add_object(dictionary! { "First" => top });
        doc.catalog_mut().unwrap().set("Outlines", outlines);
        let info = doc.add_object(dictionary! { "Title" => Object::string_literal("A title ") });
        doc.trailer.set("Info", info);
    });
    let info = PdfFile::open(&bytes, None).unwrap().info();
    let item = |title: &str, level, page| OutlineItem { title: title.into(), level, page };
    assert_eq!(info.title.as_deref(), Some("A title"));
    assert_eq!(info.lang.as_deref(), Some("ko"));
    assert_eq!(info.outline, [item("장", 1, Some(1)), item("1.1", 2, None)]);
}

#[test]
fn what_cannot_be_opened_says_why() {
    assert!(matches!(PdfFile::open(b"", None), Err(PdfError::NotPdf)));
    assert!(matches!(PdfFile::open(b"PK\x03\x04 something else", None), Err(PdfError::NotPdf)));
    assert!(matches!(PdfFile::open(b"%PDF-1.7\nnothing", None), Err(PdfError::Broken { .. })));
    let whole = pdf(b"BT ET", Dictionary::new(), |_, _| {});
    let file = PdfFile::open(&whole, None).unwrap();
    assert!(matches!(file.page(0), Err(PdfError::Page { page: 0, .. })));
    assert!(matches!(file.page(2), Err(PdfError::Page { page: 2, .. })));
}

#[test]
fn a_lost_cross_reference_table_is_rebuilt() {
    let mut bytes = pdf(b"BT /F1 10 Tf 10 700 Td (saved) Tj ET", helvetica(), |_, _| {});
    let table = bytes.windows(5).rposition(|w| w == b"xref\n").unwrap();
    bytes.splice(table..table + 4, *b"xxxx");
    assert_eq!(texts(&first_page(&bytes)), ["saved"]);
}

#[test]
fn passwords() {
    use lopdf::{EncryptionState, EncryptionVersion, Permissions};
    let plain = pdf(b"BT /F1 10 Tf 10 700 Td (secret) Tj ET", helvetica(), |doc, _| {
        let id = Object::string_literal("0123456789abcdef");
        doc.trailer.set("ID", vec![id.clone(), id]);
    });
    let locked = |user_password: &str| {
        let mut doc = Document::load_mem(&plain).unwrap();
        let version = EncryptionVersion::V2 {
            document: &doc,
            owner_password: "owner",
            user_password,
            key_length: 128,
            permissions: Permissions::all(),
        };
        let state = EncryptionState::try_from(version).unwrap();
        doc.encrypt(&state).unwrap();
        let mut bytes = Vec::new();
        doc.save_to(&mut bytes).unwrap();
        bytes
    };
    let with_password = locked("user");
    assert!(matches!(PdfFile::open(&with_password, None), Err(PdfError::NeedsPassword)));
    assert!(matches!(PdfFile::open(&with_password, Some("wrong")), Err(PdfError::NeedsPassword)));
    let file = PdfFile::open(&with_password, Some("user")).unwrap();
    assert_eq!(texts(&file.page(1).unwrap()), ["secret"]);
    assert_eq!(texts(&first_page(&locked(""))), ["secret"]);
}

#[test]
fn cut_and_scrambled_files_never_panic() {
    let whole = pdf(b"BT /F1 10 Tf 10 700 Td (text) Tj ET 10 10 m 90 10 l S", helvetica(), |_, _| {});
    let read = |bytes: &[u8]| {
        if let Ok(file) = PdfFile::open(bytes, None) {
            let _ = (file.page(1), file.info());
        }
    };
    for end in (0..whole.len()).step_by(7) {
        read(&whole[..end]);
    }
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x15;
        read(&bytes);
    }
}

#[test]
fn pages_are_read_from_several_threads() {
    fn assert_sync<T: Sync + Send>(_: &T) {}
    let file = PdfFile::open(&pdf(b"BT /F1 10 Tf 10 700 Td (one) Tj ET", helvetica(), |_, _| {}), None).unwrap();
    assert_sync(&file);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| file.page(1).unwrap().words)).collect();
        for thread in threads {
            assert_eq!(thread.join().unwrap()[0].text, "one");
        }
    });
}

// --- the shared corpus ---

/// The shared corpus, or `None` with a visible note.
fn corpus(part: &str) -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    let path = std::env::var_os("EVINDEX_SHARED").map_or_else(beside, PathBuf::from).join("corpus").join(part);
    if path.is_dir() {
        return Some(path);
    }
    eprintln!("skipped: {} is not there", path.display());
    None
}

fn pdfs(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|ext| ext == "pdf")).collect();
    found.sort();
    found
}

#[test]
fn korean_fonts_without_to_unicode() {
    let Some(dir) = corpus("korean/synthetic") else { return };
    let expected: serde_json::Value =
        serde_json::from_slice(&std::fs::read(dir.join("expected.json")).unwrap()).unwrap();
    let rows = expected["table"].as_array().unwrap().iter().flat_map(|row| row.as_array().unwrap());
    let parts = [&expected["caption"]].into_iter().chain(rows).chain([&expected["footnote"]]);
    let expected: Vec<&str> = parts.flat_map(|part| part.as_str().unwrap().split_whitespace()).collect();
    let files = pdfs(&dir);
    assert_eq!(files.len(), 7);
    for file in files {
        let page = first_page(&std::fs::read(&file).unwrap());
        let mut words: Vec<String> = Vec::new();
        for word in &page.words {
            match words.last_mut() {
                Some(last) if !word.space_before => last.push_str(&word.text),
                _ => words.push(word.text.clone()),
            }
        }
        assert_eq!(words, expected, "{}", file.display());
        assert_eq!(page.unmapped, 0);
    }
}

#[test]
fn glyphs_that_draw_nothing_part_words() {
    let Some(dir) = corpus("rag-multi-corpus/Velvera Technologies/pdf") else { return };
    let page = first_page(&std::fs::read(dir.join("promotional_offers.pdf")).unwrap());
    // The font has no rupee sign: an empty glyph stands before each price.
    let prices: Vec<&str> = texts(&page).into_iter().filter(|text| text.starts_with("1,")).collect();
    assert_eq!(prices[..4], ["1,37,998", "1,19,999", "1,48,998", "1,29,999"]);
    assert_eq!(page.unmapped, 0);
}

#[test]
fn hostile_files_end_without_panic() {
    let Some(dir) = corpus("robust") else { return };
    let (mut opened, mut locked) = (0, 0);
    for path in pdfs(&dir) {
        match PdfFile::open(&std::fs::read(&path).unwrap(), None) {
            Ok(file) => {
                opened += 1;
                let _ = file.info();
                for number in (1u32..).take(file.page_count().min(50)) {
                    let _ = file.page(number);
                }
            }
            Err(PdfError::NeedsPassword) => locked += 1,
            Err(_) => {}
        }
    }
    assert!(opened >= 205, "only {opened} files open");
    assert!(locked >= 24, "only {locked} files are known to need a password");
}
