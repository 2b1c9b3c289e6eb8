//! Opening a file and reading its pages.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use lopdf::{Dictionary, Document, LoadOptions, Object, ObjectId};

use super::annotations;
use super::encryption::plainly_encrypted;
use super::error::PdfError;
use super::fonts::{Font, Style};
use super::info::{self, DocumentInfo};
use super::interpreter::{Drawing, FontKey, FontSource, Interpreter};
use super::layers::Layers;
use super::limits::{MAX_CONTENT, MAX_FILE, MAX_FILE_TIME, MAX_OBJECT_STREAM, MAX_PAGE_TIME, MAX_PAGES};
use super::objects;
use super::page_tree::{PageNode, find_pages};
use super::repair;
use super::rules::rules_and_fills;
use super::tags::{self, Tag};
use super::types::PageContent;
use super::words;
use crate::document::BBox;

/// Bytes that an empty content stream may take in any filter: more that decode to nothing are damaged.
const NOTHING: usize = 32;

/// An open PDF. Pages can be read from several threads at once.
pub struct PdfFile {
    doc: Document,
    pages: Vec<PageNode>,
    fonts: FontCache,
    layers: Layers,
    /// Milliseconds spent on pages, on all threads together.
    pub(super) spent: AtomicU64,
    /// Time that one page may take.
    pub(super) page_time: Duration,
}

impl PdfFile {
    /// Opens a PDF from its bytes; damaged files are repaired where possible. The empty password is always tried.
    pub fn open(bytes: &[u8], password: Option<&str>) -> Result<Self, PdfError> {
        if bytes.len() > MAX_FILE {
            return Err(PdfError::TooLarge { what: "the file", limit: MAX_FILE });
        }
        let headed = with_header(bytes);
        let bytes = headed.as_deref().unwrap_or(bytes);
        let (doc, pages) = load_repaired(bytes, password)?;
        if pages.is_empty() {
            return Err(if is_locked(&doc) { PdfError::NeedsPassword } else { PdfError::NoPages });
        }
        if pages.len() >= MAX_PAGES {
            return Err(PdfError::TooLarge { what: "the number of pages", limit: MAX_PAGES });
        }
        let layers = Layers::load(&doc);
        Ok(Self { doc, pages, fonts: FontCache::default(), layers, spent: AtomicU64::new(0), page_time: MAX_PAGE_TIME })
    }

    /// Number of pages, at least one.
    pub fn page_count(&self) -> usize {
        self.pages.len()
    }

    /// Reads a page by its 1-based number.
    pub fn page(&self, number: u32) -> Result<PageContent, PdfError> {
        let failed = |reason: &str| PdfError::Page { page: number, reason: reason.to_owned() };
        if Duration::from_millis(self.spent.load(Ordering::Relaxed)) > MAX_FILE_TIME {
            return Err(failed(&format!("the pages before it took longer than {} s", MAX_FILE_TIME.as_secs())));
        }
        let start = Instant::now();
        let index = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
        let node = index.and_then(|index| self.pages.get(index)).ok_or_else(|| failed("there is no such page"))?;
        let dict = node.dict(&self.doc).ok_or_else(|| failed("its object is missing"))?;
        let (view, width, height) = node.view();
        let page = BBox { x0: 0.0, y0: 0.0, x1: width, y1: height };
        let content = self.content(dict, number)?;
        let source = CachedFonts { doc: &self.doc, cache: &self.fonts };
        let mut interpreter = Interpreter::new(&self.doc, &source, &self.layers, view, page, start + self.page_time);
        interpreter.run_page(&content, node.resources(&self.doc));
        for appearance in annotations::appearances(&self.doc, dict, &self.layers) {
            interpreter.run_appearance(appearance.form, appearance.rect);
        }
        let drawing = interpreter.finish();
        let whole = !drawing.timed_out;
        let page = whole.then(|| page_content(number, width, height, drawing));
        self.spent.fetch_add(u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX), Ordering::Relaxed);
        page.ok_or_else(|| failed(&format!("reading it takes longer than {} s", self.page_time.as_secs())))
    }

    /// What the file says about itself: title, language, outline and more.
    pub fn info(&self) -> DocumentInfo {
        info::read(&self.doc, &self.page_numbers())
    }

    /// The structure tree of a tagged file; empty for others.
    pub fn tags(&self) -> Vec<Tag> {
        tags::read(&self.doc, &self.page_numbers())
    }

    fn page_numbers(&self) -> HashMap<ObjectId, u32> {
        self.pages.iter().map(|page| page.id).zip(1..).collect()
    }

    /// The page's content streams, one after the other; what cannot be decoded is left out.
    fn content(&self, page: &Dictionary, number: u32) -> Result<Vec<u8>, PdfError> {
        let streams = match objects::get(&self.doc, page, b"Contents") {
            Some(Object::Array(parts)) => parts.iter().filter_map(|part| objects::resolve(&self.doc, part)).collect(),
            Some(object) => vec![object],
            None => Vec::new(),
        };
        let mut content = Vec::new();
        let mut lost = 0usize;
        for stream in streams.iter().filter_map(|object| object.as_stream().ok()) {
            let left = MAX_CONTENT - content.len().min(MAX_CONTENT);
            let plain = || repair::is_plain_content(&stream.content).then(|| stream.content.clone());
            let data = objects::stream_data(&self.doc, stream, left).or_else(plain);
            // Nothing at all comes of damaged data too.
            match data.filter(|data| !data.is_empty() || stream.content.len() <= NOTHING) {
                Some(data) if content.is_empty() => content = data,
                Some(data) => {
                    content.push(b'\n');
                    content.extend_from_slice(&data);
                }
                None => lost += 1,
            }
        }
        if content.is_empty() && lost > 0 {
            let reason = "its content cannot be decoded, or is larger than the limit".to_owned();
            return Err(PdfError::Page { page: number, reason });
        }
        Ok(content)
    }
}

fn page_content(number: u32, width: f32, height: f32, drawing: Drawing) -> PageContent {
    let styles: Vec<&Style> = drawing.fonts.iter().map(|font| &font.style).collect();
    let assembled = words::assemble(drawing.glyphs, &styles, width, height);
    let (rules, fills) = rules_and_fills(&drawing.marks);
    PageContent {
        number,
        width,
        height,
        words: assembled.words,
        rules,
        fills,
        images: drawing.marks.images,
        glyphs: assembled.glyphs,
        unmapped: assembled.unmapped,
        outlined: drawing.marks.outlined.count(),
    }
}

type Loaded = (Document, Vec<PageNode>);

fn load(bytes: &[u8], password: Option<&str>, force_reconstruct: bool) -> Result<Loaded, PdfError> {
    let options = LoadOptions {
        password: password.map(str::to_owned),
        max_decompressed_size: Some(MAX_OBJECT_STREAM),
        force_reconstruct,
        ..LoadOptions::default()
    };
    let mut doc = Document::load_mem_with_options(bytes, options).map_err(|error| load_error(bytes, error))?;
    repair::restore_streams(&mut doc, bytes);
    let pages = find_pages(&doc);
    Ok((doc, pages))
}

/// Gives the bytes of a file repaired, or nothing where there is nothing to repair.
type Repair = fn(&[u8]) -> Option<Cow<'_, [u8]>>;

/// Loads a file as it is, or where that leaves pages without what they need, by the repair that saves most of them.
fn load_repaired(bytes: &[u8], password: Option<&str>) -> Result<Loaded, PdfError> {
    let mut best = load_encrypted(bytes, password);
    // The cross-reference table may be readable and still wrong.
    let repairs: [Repair; 3] = [
        |bytes| Some(Cow::Borrowed(bytes)),
        |bytes| repair::with_closed_streams(bytes).map(Cow::Owned),
        |bytes| repair::with_plain_syntax(bytes).map(Cow::Owned),
    ];
    for repair in repairs {
        if best.as_ref().is_ok_and(|(doc, pages)| is_complete(doc, pages)) {
            break;
        }
        let Some(Ok(next)) = repair(bytes).map(|bytes| load(&bytes, password, true)) else { continue };
        if best.as_ref().ok().is_none_or(|best| readable(&next) > readable(best)) {
            best = Ok(next);
        }
    }
    best
}

/// A file that has lost its header, with one.
fn with_header(bytes: &[u8]) -> Option<Vec<u8>> {
    const HEADER: &[u8] = b"%PDF-1.7\n";
    let has = |mark: &[u8]| bytes.windows(mark.len()).any(|window| window == mark);
    (!has(b"%PDF-") && has(b" obj") && has(b"endobj")).then(|| [HEADER, bytes].concat())
}

/// Loads a file, a second time where its encryption dictionary has to be written plainly first.
fn load_encrypted(bytes: &[u8], password: Option<&str>) -> Result<Loaded, PdfError> {
    let loaded = load(bytes, password, false)?;
    let encrypted = is_locked(&loaded.0) || loaded.0.encryption_state.is_some();
    match encrypted.then(|| plainly_encrypted(bytes, &loaded.0)).flatten() {
        Some(plain) => Ok(load(&plain, password, false).unwrap_or(loaded)),
        None => Ok(loaded),
    }
}

fn load_error(bytes: &[u8], error: lopdf::Error) -> PdfError {
    match error {
        lopdf::Error::InvalidPassword => PdfError::NeedsPassword,
        lopdf::Error::Decryption(lopdf::encryption::DecryptionError::IncorrectPassword) => PdfError::NeedsPassword,
        lopdf::Error::Decryption(error) => PdfError::Encrypted { reason: error.to_string() },
        lopdf::Error::Decompress(lopdf::DecompressError::MemoryLimitExceeded { limit }) => {
            PdfError::TooLarge { what: "an object stream", limit }
        }
        // Its message sends readers to the makers of the library.
        lopdf::Error::Unimplemented(what) => PdfError::Broken { reason: format!("{what} cannot be read") },
        _ if !bytes.windows(5).any(|window| window == b"%PDF-") => PdfError::NotPdf,
        error => PdfError::Broken { reason: error.to_string() },
    }
}

/// Whether the file waits for a password: it names an encryption dictionary, but nothing was decrypted.
fn is_locked(doc: &Document) -> bool {
    doc.trailer.has(b"Encrypt") && doc.encryption_state.is_none()
}

/// Whether nothing that the pages need is plainly missing; a locked file is as complete as it gets.
fn is_complete(doc: &Document, pages: &[PageNode]) -> bool {
    is_locked(doc) || !pages.is_empty() && pages.iter().all(|page| has_content(doc, page))
}

/// How many pages have what they need.
fn readable((doc, pages): &Loaded) -> usize {
    pages.iter().filter(|page| has_content(doc, page)).count()
}

/// Whether the page's content, if it names any, is there.
fn has_content(doc: &Document, page: &PageNode) -> bool {
    let is_stream = |object: &Object| matches!(objects::resolve(doc, object), Some(Object::Stream(_)));
    page.dict(doc).is_some_and(|dict| match dict.get(b"Contents").map(|object| objects::resolve(doc, object)) {
        Ok(Some(Object::Array(parts))) => parts.iter().all(is_stream),
        Ok(Some(object)) => is_stream(object),
        Ok(None) => false,
        Err(_) => true,
    })
}

/// Fonts met so far; each is loaded once, by the first thread that needs it.
#[derive(Default)]
struct FontCache(Mutex<HashMap<FontKey, Arc<OnceLock<Arc<Font>>>>>);

struct CachedFonts<'a> {
    doc: &'a Document,
    cache: &'a FontCache,
}

impl FontSource for CachedFonts<'_> {
    fn font(&self, key: FontKey, dict: &Dictionary) -> Arc<Font> {
        let slot = Arc::clone(self.cache.0.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default());
        Arc::clone(slot.get_or_init(|| Arc::new(Font::load(self.doc, dict))))
    }
}
