//! The parts of a DoclingDocument that are read. Everything may be missing or null; unknown fields are passed over.
//!
//! Numbers are read as `f64`: `as` then turns what no count can be into the nearest one.

use std::collections::BTreeMap;

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};

/// The whole file.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Docling {
    #[serde(deserialize_with = "nullable")]
    pub(super) schema_name: String,
    #[serde(deserialize_with = "nullable")]
    pub(super) version: String,
    #[serde(deserialize_with = "nullable")]
    pub(super) body: Item,
    #[serde(deserialize_with = "nullable")]
    pub(super) furniture: Item,
    #[serde(deserialize_with = "nullable")]
    pub(super) groups: Vec<Item>,
    #[serde(deserialize_with = "nullable")]
    pub(super) texts: Vec<Item>,
    #[serde(deserialize_with = "nullable")]
    pub(super) tables: Vec<Item>,
    #[serde(deserialize_with = "nullable")]
    pub(super) pictures: Vec<Item>,
    #[serde(deserialize_with = "nullable")]
    pub(super) key_value_items: Vec<IgnoredAny>,
    #[serde(deserialize_with = "nullable")]
    pub(super) form_items: Vec<IgnoredAny>,
    /// By number.
    #[serde(deserialize_with = "nullable")]
    pub(super) pages: BTreeMap<String, PageItem>,
}

/// A text, table, picture or group; each has only some of the fields.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Item {
    #[serde(deserialize_with = "nullable")]
    pub(super) label: String,
    #[serde(deserialize_with = "nullable")]
    pub(super) content_layer: String,
    #[serde(deserialize_with = "nullable")]
    pub(super) children: Vec<Reference>,
    #[serde(deserialize_with = "nullable")]
    pub(super) prov: Vec<Provenance>,
    #[serde(deserialize_with = "nullable")]
    pub(super) text: String,
    /// The text before clean-up, with the marker of a list item.
    #[serde(deserialize_with = "nullable")]
    pub(super) orig: String,
    /// Of a section header, from 1.
    pub(super) level: Option<f64>,
    #[serde(deserialize_with = "nullable")]
    pub(super) enumerated: bool,
    #[serde(deserialize_with = "nullable")]
    pub(super) marker: String,
    #[serde(deserialize_with = "nullable")]
    pub(super) captions: Vec<Reference>,
    #[serde(deserialize_with = "nullable")]
    pub(super) footnotes: Vec<Reference>,
    #[serde(deserialize_with = "nullable")]
    pub(super) data: TableData,
}

/// A JSON pointer such as `#/texts/12`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Reference {
    /// Schema 1.0 calls it `cref`.
    #[serde(rename = "$ref", alias = "cref", deserialize_with = "nullable")]
    pub(super) pointer: String,
}

/// Where (a part of) an item stands.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Provenance {
    pub(super) page_no: Option<f64>,
    pub(super) bbox: Option<Corners>,
}

/// A box in points.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Corners {
    pub(super) l: Option<f64>,
    pub(super) t: Option<f64>,
    pub(super) r: Option<f64>,
    pub(super) b: Option<f64>,
    pub(super) coord_origin: Origin,
}

/// Where `y` is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
pub(super) enum Origin {
    /// At the bottom of the page.
    #[serde(rename = "BOTTOMLEFT")]
    BottomLeft,
    /// At its top.
    #[default]
    #[serde(other)]
    TopLeft,
}

/// The cells of a table.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct TableData {
    #[serde(deserialize_with = "nullable")]
    pub(super) table_cells: Vec<TableCell>,
}

/// One cell. Offsets are 0-based, ends exclusive.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct TableCell {
    pub(super) bbox: Option<Corners>,
    pub(super) start_row_offset_idx: Option<f64>,
    pub(super) end_row_offset_idx: Option<f64>,
    pub(super) start_col_offset_idx: Option<f64>,
    pub(super) end_col_offset_idx: Option<f64>,
    #[serde(deserialize_with = "nullable")]
    pub(super) text: String,
    #[serde(deserialize_with = "nullable")]
    pub(super) column_header: bool,
    #[serde(deserialize_with = "nullable")]
    pub(super) row_header: bool,
    #[serde(deserialize_with = "nullable")]
    pub(super) row_section: bool,
    /// Of a cell that holds more than text: the group of what is in it.
    #[serde(rename = "ref")]
    pub(super) content: Option<Reference>,
}

/// A page.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct PageItem {
    #[serde(deserialize_with = "nullable")]
    pub(super) size: Size,
}

/// Width and height in points.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Size {
    pub(super) width: Option<f64>,
    pub(super) height: Option<f64>,
}

/// Reads null as the default.
fn nullable<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(deserializer: D) -> Result<T, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

impl Item {
    /// Its text; what was read at first where clean-up has left nothing, as of formulas that were not decoded.
    pub(super) fn content(&self) -> &str {
        let text = self.text.trim();
        if text.is_empty() { self.orig.trim() } else { text }
    }

    /// Running heads, watermarks: no part of the body.
    pub(super) fn is_furniture(&self) -> bool {
        matches!(self.content_layer.as_str(), "furniture" | "background")
    }

    /// Not shown to readers.
    pub(super) fn is_invisible(&self) -> bool {
        self.content_layer == "invisible"
    }

    /// A group whose members are parts of one paragraph.
    pub(super) fn is_inline(&self) -> bool {
        self.label == "inline"
    }
}
