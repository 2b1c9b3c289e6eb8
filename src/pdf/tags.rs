//! The structure tree of a tagged PDF: what its author says of headings, tables, figures and reading order.

use std::collections::{HashMap, HashSet};

use lopdf::{Dictionary, Document, Object, ObjectId};

use super::limits::{MAX_TAG_DEPTH, MAX_TAGS};
use super::{objects, text_string};

/// An element of the structure tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tag {
    /// Standard structure type, such as `P`, `H1`, `Table`, `TR`, `TH`, `TD`, `Caption`, `Figure`, `Note`, `Lbl`; what the
    /// file calls it where its role map leads to none.
    pub role: String,
    /// Text that stands in for the content.
    pub actual_text: Option<String>,
    /// Description of a figure.
    pub alt: Option<String>,
    /// Language, where it differs from the parent's.
    pub lang: Option<String>,
    /// Rows that a cell spans, at least 1.
    pub row_span: u16,
    /// Columns that a cell spans, at least 1.
    pub col_span: u16,
    /// What a header cell heads: `Row`, `Column` or `Both`.
    pub scope: Option<String>,
    /// What is below, in reading order.
    pub kids: Vec<Kid>,
}

/// What stands below an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kid {
    /// Another element.
    Tag(Tag),
    /// Marked content: the words of that page with this [`mcid`](super::Word::mcid).
    Content {
        /// 1-based page.
        page: u32,
        /// Marked-content identifier, unique within the page.
        mcid: u32,
    },
}

/// The standard structure types, ISO 32000-1, 14.8.4, and those that ISO 32000-2 adds.
const STANDARD: [&str; 56] = [
    "Document",
    "DocumentFragment",
    "Part",
    "Art",
    "Sect",
    "Div",
    "Aside",
    "BlockQuote",
    "Caption",
    "TOC",
    "TOCI",
    "Index",
    "NonStruct",
    "Private",
    "P",
    "H",
    "H1",
    "H2",
    "H3",
    "H4",
    "H5",
    "H6",
    "Title",
    "FENote",
    "Sub",
    "L",
    "LI",
    "Lbl",
    "LBody",
    "Table",
    "TR",
    "TH",
    "TD",
    "THead",
    "TBody",
    "TFoot",
    "Span",
    "Quote",
    "Note",
    "Reference",
    "BibEntry",
    "Code",
    "Link",
    "Annot",
    "Ruby",
    "RB",
    "RT",
    "RP",
    "Warichu",
    "WT",
    "WP",
    "Figure",
    "Formula",
    "Form",
    "Em",
    "Strong",
];

/// The structure tree's elements below its root; none for a file without tags.
pub(crate) fn read(doc: &Document, page_numbers: &HashMap<ObjectId, u32>) -> Vec<Tag> {
    let root = doc.catalog().ok().and_then(|catalog| objects::get_dict(doc, catalog, b"StructTreeRoot"));
    let Some(root) = root else { return Vec::new() };
    let mut reader = Reader {
        doc,
        page_numbers,
        roles: objects::get_dict(doc, root, b"RoleMap"),
        classes: objects::get_dict(doc, root, b"ClassMap"),
        seen: HashSet::new(),
        left: MAX_TAGS,
    };
    let kids = reader.kids(root, None, 0);
    kids.into_iter().filter_map(|kid| if let Kid::Tag(tag) = kid { Some(tag) } else { None }).collect()
}

struct Reader<'a> {
    doc: &'a Document,
    page_numbers: &'a HashMap<ObjectId, u32>,
    roles: Option<&'a Dictionary>,
    classes: Option<&'a Dictionary>,
    /// Elements met so far: one that stands in several places, or below itself, counts once.
    seen: HashSet<ObjectId>,
    /// Elements and content items that may still be read.
    left: usize,
}

impl<'a> Reader<'a> {
    fn kids(&mut self, parent: &'a Dictionary, page: Option<u32>, depth: usize) -> Vec<Kid> {
        let items = match parent.get(b"K").ok().map(|kids| (kids, objects::resolve(self.doc, kids))) {
            Some((_, Some(Object::Array(items)))) => items.as_slice(),
            Some((item, Some(_))) => std::slice::from_ref(item),
            _ => &[],
        };
        items.iter().filter_map(|item| self.kid(item, page, depth)).collect()
    }

    fn kid(&mut self, item: &'a Object, page: Option<u32>, depth: usize) -> Option<Kid> {
        self.left = self.left.checked_sub(1)?;
        if depth > MAX_TAG_DEPTH {
            return None;
        }
        let dict = match objects::resolve(self.doc, item)? {
            Object::Integer(mcid) => {
                return Some(Kid::Content { page: page?, mcid: u32::try_from(*mcid).ok()? });
            }
            object => objects::as_dict(object)?,
        };
        let page = self.page_of(dict).or(page);
        match objects::get_name(self.doc, dict, b"Type") {
            Some(b"MCR") => {
                let mcid = objects::get_number(self.doc, dict, b"MCID").filter(|mcid| *mcid >= 0.0)?;
                Some(Kid::Content { page: page?, mcid: mcid as u32 })
            }
            // An annotation or a form field: no words of the page's own.
            Some(b"OBJR") => None,
            _ => {
                if let Ok(id) = item.as_reference()
                    && !self.seen.insert(id)
                {
                    return None;
                }
                Some(Kid::Tag(self.tag(dict, page, depth)))
            }
        }
    }

    fn page_of(&self, dict: &Dictionary) -> Option<u32> {
        self.page_numbers.get(&objects::get_id(dict, b"Pg")?).copied()
    }

    fn tag(&mut self, dict: &'a Dictionary, page: Option<u32>, depth: usize) -> Tag {
        let text = |key| {
            let text = objects::get(self.doc, dict, key)?.as_str().ok().map(text_string::decode)?;
            (!text.is_empty()).then_some(text)
        };
        let span = |key| {
            let span = self.attribute(dict, key).and_then(objects::number);
            span.map_or(1, |span| span.clamp(1.0, 1000.0) as u16)
        };
        let scope = self.attribute(dict, b"Scope").and_then(|scope| scope.as_name().ok());
        let tag = Tag {
            role: self.role(objects::get_name(self.doc, dict, b"S").unwrap_or_default()),
            actual_text: text(b"ActualText"),
            alt: text(b"Alt"),
            lang: text(b"Lang"),
            row_span: span(b"RowSpan"),
            col_span: span(b"ColSpan"),
            scope: scope.map(|scope| String::from_utf8_lossy(scope).into_owned()),
            kids: Vec::new(),
        };
        Tag { kids: self.kids(dict, page, depth + 1), ..tag }
    }

    /// The standard type that a type stands for.
    fn role(&self, name: &[u8]) -> String {
        let mut role = name;
        for _ in 0..8 {
            let standard = STANDARD.iter().any(|standard| standard.as_bytes() == role);
            match self.roles.filter(|_| !standard).and_then(|roles| objects::get_name(self.doc, roles, role)) {
                Some(next) => role = next,
                None => break,
            }
        }
        String::from_utf8_lossy(role).into_owned()
    }

    /// An attribute, from the element itself or from its classes.
    fn attribute(&self, dict: &'a Dictionary, key: &[u8]) -> Option<&'a Object> {
        let own = objects::get(self.doc, dict, b"A").and_then(|owner| self.in_attributes(owner, key, 0));
        own.or_else(|| {
            let names = match objects::get(self.doc, dict, b"C")? {
                Object::Array(names) => names.as_slice(),
                name => std::slice::from_ref(name),
            };
            names.iter().find_map(|name| {
                let class = objects::resolve(self.doc, name)?.as_name().ok()?;
                self.in_attributes(objects::get(self.doc, self.classes?, class)?, key, 0)
            })
        })
    }

    fn in_attributes(&self, object: &'a Object, key: &[u8], depth: usize) -> Option<&'a Object> {
        match object {
            Object::Array(items) if depth < 2 => {
                items.iter().find_map(|item| self.in_attributes(objects::resolve(self.doc, item)?, key, depth + 1))
            }
            other => objects::get(self.doc, objects::as_dict(other)?, key),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lopdf::dictionary;

    #[test]
    fn a_table_with_roles_spans_and_content() {
        let mut doc = Document::new();
        let page = doc.add_object(dictionary! { "Type" => "Page" });
        let cell = doc.new_object_id();
        let attributes = dictionary! { "O" => "Table", "ColSpan" => 2, "Scope" => "Column" };
        let content = dictionary! { "Type" => "MCR", "MCID" => 7, "Pg" => page };
        // The cell names itself as its second kid.
        let kids = vec![content.into(), cell.into()];
        doc.objects.insert(cell, dictionary! { "S" => "Head", "A" => attributes, "K" => kids }.into());
        let row = doc.add_object(dictionary! { "S" => "TR", "Pg" => page, "K" => vec![cell.into(), 3.into()] });
        let alt = Object::string_literal("Sales");
        let table = doc.add_object(dictionary! { "S" => "Table", "K" => row, "Alt" => alt });
        let roles = dictionary! { "Head" => "MyHead", "MyHead" => "TH" };
        let root = doc.add_object(dictionary! { "K" => table, "RoleMap" => roles });
        let catalog = doc.add_object(dictionary! { "StructTreeRoot" => root });
        doc.trailer.set("Root", catalog);
        let plain = |role: &str, kids| Tag { role: role.into(), row_span: 1, col_span: 1, kids, ..Tag::default() };
        let header =
            Tag { col_span: 2, scope: Some("Column".into()), ..plain("TH", vec![Kid::Content { page: 4, mcid: 7 }]) };
        let row = plain("TR", vec![Kid::Tag(header), Kid::Content { page: 4, mcid: 3 }]);
        let expected = Tag { alt: Some("Sales".into()), ..plain("Table", vec![Kid::Tag(row)]) };
        assert_eq!(read(&doc, &HashMap::from([(page, 4)])), [expected]);
    }

    #[test]
    fn spans_by_attributes_and_classes_with_captions_and_notes() {
        let mut doc = Document::new();
        let page = doc.add_object(dictionary! { "Type" => "Page" });
        let mut leaf = |role: &str, mcid: i64, extra: Dictionary| {
            let mut dict = dictionary! { "S" => Object::Name(role.into()), "K" => mcid };
            extra.iter().for_each(|(key, value)| dict.set(key.clone(), value.clone()));
            Object::from(doc.add_object(dict))
        };
        let owners = vec![
            dictionary! { "O" => "Layout", "Width" => 10 }.into(),
            dictionary! { "O" => "Table", "RowSpan" => 3, "ColSpan" => -2 }.into(),
        ];
        let both = leaf("TH", 1, dictionary! { "A" => Object::Array(owners), "C" => "Wide" });
        let wide =
            leaf("TD", 2, dictionary! { "C" => vec![Object::Name(b"None".to_vec()), Object::Name(b"Wide".to_vec())] });
        let huge = leaf("TD", 3, dictionary! { "A" => dictionary! { "ColSpan" => 99_999 } });
        let caption = leaf("Caption", 4, Dictionary::new());
        let label = leaf("Lbl", 5, Dictionary::new());
        let note = doc.add_object(dictionary! { "S" => "Note", "K" => vec![label, 6.into()] });
        let row = doc.add_object(dictionary! { "S" => "TR", "K" => vec![both, wide, huge] });
        let kids = vec![caption, row.into(), note.into()];
        let table = doc.add_object(dictionary! { "S" => "Table", "Pg" => page, "K" => kids });
        let classes = dictionary! { "Wide" => dictionary! { "O" => "Table", "ColSpan" => 2 } };
        let root = doc.add_object(dictionary! { "K" => vec![table.into()], "ClassMap" => classes });
        let catalog = doc.add_object(dictionary! { "StructTreeRoot" => root });
        doc.trailer.set("Root", catalog);
        fn flat(tag: &Tag, depth: usize, out: &mut Vec<String>) {
            out.push(format!("{depth} {} {}x{}", tag.role, tag.row_span, tag.col_span));
            for kid in &tag.kids {
                match kid {
                    Kid::Tag(tag) => flat(tag, depth + 1, out),
                    Kid::Content { page, mcid } => out.push(format!("{} p{page} {mcid}", depth + 1)),
                }
            }
        }
        let mut found = Vec::new();
        read(&doc, &HashMap::from([(page, 2)])).iter().for_each(|tag| flat(tag, 0, &mut found));
        let expected = [
            "0 Table 1x1",
            "1 Caption 1x1",
            "2 p2 4",
            "1 TR 1x1",
            "2 TH 3x1",
            "3 p2 1",
            "2 TD 1x2",
            "3 p2 2",
            "2 TD 1x1000",
            "3 p2 3",
            "1 Note 1x1",
            "2 Lbl 1x1",
            "3 p2 5",
            "2 p2 6",
        ];
        assert_eq!(found, expected);
    }
}
