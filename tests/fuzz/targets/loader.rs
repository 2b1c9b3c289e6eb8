//! Bytes as a file: opened, with all that is read of it.
#![no_main]

use evindex_fuzz::MAX_PAGES;
use evindex_fuzz::pdf::PdfFile;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(file) = PdfFile::open(data, None) {
        let _ = (file.info(), file.tags());
        for number in (1..).take(file.page_count().min(MAX_PAGES)) {
            let _ = file.page(number);
        }
    }
});
