//! Files with damage that is repaired, and time that runs out.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::*;

const CONTENT: &[u8] = b"BT /F1 10 Tf 10 700 Td (saved text) Tj ET";

fn whole() -> Vec<u8> {
    pdf(CONTENT, helvetica(), |_, _| {})
}

/// The first place of `from` replaced.
fn replaced(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let at = bytes.windows(from.len()).position(|window| window == from).expect("what is to be damaged is there");
    [&bytes[..at], to, &bytes[at + from.len()..]].concat()
}

fn assert_saved(bytes: &[u8]) {
    assert_eq!(texts(&first_page(bytes)), ["saved", "text"]);
}

#[test]
fn junk_before_the_header() {
    assert_saved(&[b"HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n", whole().as_slice()].concat());
    assert_saved(&[b"\xEF\xBB\xBF", whole().as_slice()].concat());
    assert_saved(&[vec![0; 5000], whole()].concat());
}

#[test]
fn junk_behind_the_end_and_a_lost_header() {
    assert_saved(&[whole(), vec![0; 5000]].concat());
    assert_saved(&[whole(), b"\n<html>not found</html>".repeat(100)].concat());
    assert_saved(&replaced(&whole(), b"%PDF-1.7", b"garbage!"));
}

#[test]
fn wrong_lengths_of_streams() {
    let length = format!("/Length {}", CONTENT.len()).into_bytes();
    for wrong in [&b"/Length 0"[..], b"/Length 5", b"/Length 99999", b"/Length 77 0 R", b"/Length -1", b"/Lingth 9"] {
        let page = first_page(&replaced(&whole(), &length, wrong));
        assert_eq!(texts(&page), ["saved", "text"], "{}", String::from_utf8_lossy(wrong));
    }
}

#[test]
fn pages_that_are_not_written_as_pdf_asks() {
    let seen = |entry: &[u8]| {
        let page = first_page(&replaced(&whole(), b"/Parent ", &[entry, b"/Parent "].concat()));
        assert_eq!(texts(&page), ["saved", "text"], "{}", String::from_utf8_lossy(entry));
        (page.width, page.height)
    };
    assert_eq!(seen(b"/MediaBox [0 0 6e2 7.5E2]"), (600.0, 750.0));
    // Of no use: the parent's box, and the usual unit.
    assert_eq!(seen(b"/MediaBox [0 0 1e30 1e30]"), (600.0, 800.0));
    assert_eq!(seen(b"/UserUnit 1e20"), (600.0, 800.0));
    assert_eq!(seen(&[b"/A <<".repeat(50_000), b">>".repeat(50_000)].concat()), (600.0, 800.0));
}

#[test]
fn a_missing_endstream() {
    assert_saved(&replaced(&whole(), b"endstream", b""));
}

#[test]
fn wrong_cross_references() {
    let bytes = whole();
    let at = bytes.windows(9).rposition(|window| window == b"startxref").unwrap();
    for tail in [&b"startxref\n0\n%%EOF"[..], b"startxref\n99999999\n%%EOF", b"startxref\n17\n%%EOF", b"startxref", b""]
    {
        assert_saved(&[&bytes[..at], tail].concat());
    }
    // Every offset of the table is wrong.
    assert_saved(&replaced(&bytes, b"%PDF-1.7", b"%PDF-1.7\n%one more line"));
}

#[test]
fn data_cut_short_gives_what_is_there() {
    let content: String = (0..2000).map(|i| format!("BT /F1 10 Tf 10 {} Td (word{i}) Tj ET\n", i % 790)).collect();
    let mut stream = Stream::new(Dictionary::new(), content.into_bytes());
    stream.compress().unwrap();
    let data = stream.content[..stream.content.len() / 2].to_vec();
    let bytes = pdf(b"", helvetica(), |doc, page| {
        let cut = doc.add_object(Stream::new(dictionary! { "Filter" => "FlateDecode" }, data));
        doc.get_dictionary_mut(page).unwrap().set("Contents", cut);
    });
    let page = first_page(&bytes);
    assert!((500..1500).contains(&page.words.len()), "{} words", page.words.len());
    assert_eq!(page.words.iter().filter(|word| word.text == "word7").count(), 1);
}

#[test]
fn data_of_which_nothing_is_left_is_no_empty_page() {
    let page = |data: &[u8]| {
        let bytes = pdf(b"", helvetica(), |doc, page| {
            let stream = Stream::new(dictionary! { "Filter" => "FlateDecode" }, data.to_vec());
            let contents = doc.add_object(stream);
            doc.get_dictionary_mut(page).unwrap().set("Contents", contents);
        });
        PdfFile::open(&bytes, None).unwrap().page(1).map(|page| page.words.len()).map_err(|error| error.to_string())
    };
    let lost = "page 1: its content cannot be decoded, or is larger than the limit".to_owned();
    assert_eq!(page(&b"no data of that filter ".repeat(4)), Err(lost));
    let mut empty = Stream::new(Dictionary::new(), Vec::new());
    empty.compress().unwrap();
    assert_eq!(page(&empty.content), Ok(0));
}

#[test]
fn a_page_that_takes_too_long_says_so() {
    let long = b"0 0 m ".repeat(50_000);
    let mut file = PdfFile::open(&pdf(&long, Dictionary::new(), |_, _| {}), None).unwrap();
    assert!(file.page(1).is_ok());
    file.page_time = Duration::ZERO;
    assert_eq!(file.page(1).unwrap_err().to_string(), "page 1: reading it takes longer than 0 s");
}

#[test]
fn a_file_that_takes_too_long_says_so() {
    let file = PdfFile::open(&whole(), None).unwrap();
    file.spent.store(1_800_001, Ordering::Relaxed);
    assert_eq!(file.page(1).unwrap_err().to_string(), "page 1: the pages before it took longer than 1800 s");
}
