//! Bytes as the content of a page with fonts of each kind.
#![no_main]

use evindex_fuzz::pdf::PdfFile;
use evindex_fuzz::pdf_around;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let file = PdfFile::open(&pdf_around(data), None).unwrap();
    let page = file.page(1).unwrap();
    assert!(page.words.iter().all(|word| word.bbox.x0.is_finite() && word.bbox.y1.is_finite()));
});
