//! References between the items of a file.

use super::schema::{Docling, Item};

/// A list that items are kept in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum List {
    Texts,
    Tables,
    Pictures,
    Groups,
    /// Key-value and form items, which are not read.
    Forms,
}

/// What a reference points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Target {
    pub(super) list: List,
    pub(super) index: usize,
}

impl Target {
    /// Reads `#/texts/12`.
    pub(super) fn parse(pointer: &str) -> Option<Self> {
        let (list, index) = pointer.strip_prefix("#/")?.split_once('/')?;
        let list = match list {
            "texts" => List::Texts,
            "tables" => List::Tables,
            "pictures" => List::Pictures,
            "groups" => List::Groups,
            "key_value_items" | "form_items" => List::Forms,
            _ => return None,
        };
        Some(Self { list, index: index.parse().ok()? })
    }
}

impl Docling {
    /// The item there; `None` for forms too.
    pub(super) fn item(&self, target: Target) -> Option<&Item> {
        let items = match target.list {
            List::Texts => &self.texts,
            List::Tables => &self.tables,
            List::Pictures => &self.pictures,
            List::Groups => &self.groups,
            List::Forms => return None,
        };
        items.get(target.index)
    }
}
