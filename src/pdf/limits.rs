//! Bounds on what is taken from untrusted files. Real documents stay far below them.

use std::time::Duration;

const MIB: usize = 1 << 20;

/// Time that running a page's content may take.
pub(crate) const MAX_PAGE_TIME: Duration = Duration::from_secs(20);
/// Time that reading the pages of a file may take, on all threads together.
pub(crate) const MAX_FILE_TIME: Duration = Duration::from_secs(1800);
/// Operators between two looks at the clock.
pub(crate) const OPERATORS_A_LOOK: usize = 4096;

/// Bytes of a file.
pub(crate) const MAX_FILE: usize = 2048 * MIB;
/// Bytes that one object or cross-reference stream may decompress to while loading.
pub(crate) const MAX_OBJECT_STREAM: usize = 256 * MIB;
/// Bytes that a page's content, or a form's, may decompress to.
pub(crate) const MAX_CONTENT: usize = 256 * MIB;
/// Bytes that an embedded font program may decompress to.
pub(crate) const MAX_FONT_FILE: usize = 64 * MIB;
/// Bytes that a CMap or CIDToGIDMap may decompress to.
pub(crate) const MAX_CMAP: usize = 16 * MIB;
/// Mappings kept of one CMap or width array.
pub(crate) const MAX_MAPPINGS: usize = 1 << 18;
/// Pages of a document.
pub(crate) const MAX_PAGES: usize = 1 << 20;
/// Depth of the page tree.
pub(crate) const MAX_PAGE_TREE_DEPTH: usize = 64;
/// Operators of a page, forms included.
pub(crate) const MAX_OPERATORS: usize = 20_000_000;
/// Glyphs of a page.
pub(crate) const MAX_GLYPHS: usize = 2_000_000;
/// Painted segments, fills and images of a page.
pub(crate) const MAX_MARKS: usize = 1_000_000;
/// Points of one path.
pub(crate) const MAX_PATH_POINTS: usize = 1_000_000;
/// Depth of forms inside forms.
pub(crate) const MAX_FORM_DEPTH: usize = 16;
/// Form executions of a page: bounds forms that fan out.
pub(crate) const MAX_FORMS: usize = 20_000;
/// Depth of saved graphics states.
pub(crate) const MAX_STATE_DEPTH: usize = 1 << 16;
/// Operands of one operator.
pub(crate) const MAX_OPERANDS: usize = 4096;
/// Depth of arrays and dictionaries inside content.
pub(crate) const MAX_NESTING: usize = 32;
/// Entries of the outline.
pub(crate) const MAX_OUTLINE: usize = 50_000;
/// Elements and content items of the structure tree, and their depth.
pub(crate) const MAX_TAGS: usize = 2_000_000;
pub(crate) const MAX_TAG_DEPTH: usize = 128;
/// Page labels and embedded files listed.
pub(crate) const MAX_LISTED: usize = 10_000;
