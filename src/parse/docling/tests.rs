use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use super::*;
use crate::document::{BBox, Element, Page, Region};

fn parse(value: &Value) -> Document {
    DoclingParser.parse(value.to_string().as_bytes(), &ParseOptions::default()).unwrap()
}

fn fail(source: &[u8]) -> String {
    DoclingParser.parse(source, &ParseOptions::default()).unwrap_err().to_string()
}

fn references(pointers: &[&str]) -> Value {
    pointers.iter().map(|p| json!({"$ref": p})).collect()
}

/// Something on page 1 (600 × 800) whose top is `top` points below the page's top and that is 10 points high.
fn at(top: f32) -> Value {
    let bbox = json!({"l": 50, "t": 800.0 - top, "r": 550, "b": 790.0 - top, "coord_origin": "BOTTOMLEFT"});
    json!([{"page_no": 1, "bbox": bbox, "charspan": [0, 1]}])
}

fn text(label: &str, text: &str, top: f32) -> Value {
    json!({"label": label, "text": text, "orig": text, "prov": at(top), "children": []})
}

fn cell(row: usize, col: usize, text: &str, header: bool) -> Value {
    json!({"start_row_offset_idx": row, "end_row_offset_idx": row + 1, "start_col_offset_idx": col,
           "end_col_offset_idx": col + 1, "text": text, "column_header": header, "bbox": null})
}

fn file(body: &[&str], texts: Value, rest: Value) -> Value {
    let mut file = json!({
        "schema_name": "DoclingDocument", "version": "1.10.0", "body": {"children": references(body)}, "texts": texts,
        "pages": {"1": {"page_no": 1, "size": {"width": 600.0, "height": 800.0}}},
    });
    for (key, value) in rest.as_object().unwrap() {
        file[key] = value.clone();
    }
    file
}

/// Name of the kind and text of every element.
fn listed(document: &Document) -> Vec<(String, &str)> {
    let name = |e: &Element| serde_json::to_value(&e.kind).unwrap()["kind"].as_str().unwrap().to_owned();
    document.elements.iter().map(|e| (name(e), e.text.as_str())).collect()
}

fn strs<'a>(listed: &'a [(String, &'a str)]) -> Vec<(&'a str, &'a str)> {
    listed.iter().map(|(kind, text)| (kind.as_str(), *text)).collect()
}

fn messages(document: &Document) -> Vec<&str> {
    document.warnings.iter().map(|w| w.message.as_str()).collect()
}

#[test]
fn a_table_stands_between_its_captions_and_notes() {
    let table = json!({
        "label": "table", "prov": at(200.0), "captions": references(&["#/texts/3", "#/texts/1"]),
        "footnotes": references(&["#/texts/4"]), "children": references(&["#/texts/3", "#/texts/1", "#/texts/4"]),
        "data": {"num_rows": 2, "num_cols": 2, "table_cells": [
            cell(0, 0, "구분", false), cell(0, 1, "개정\n전", true), cell(1, 0, "가", false), cell(1, 1, "5", false)]},
    });
    let texts = json!([
        text("section_header", "1 Scope", 50.0),
        text("caption", "Table 1: Results", 180.0),
        text("text", "After.", 400.0),
        text("text", "continued below", 220.0),
        text("footnote", "주: 잠정치", 240.0),
    ]);
    let document = parse(&file(&["#/texts/0", "#/tables/0", "#/texts/2"], texts, json!({"tables": [table]})));
    let expected = [
        ("heading", "1 Scope"),
        ("caption", "Table 1: Results"),
        ("table", ""),
        ("caption", "continued below"),
        ("note", "주: 잠정치"),
        ("paragraph", "After."),
    ];
    assert_eq!(strs(&listed(&document)), expected);
    let table = document.elements[2].table().unwrap();
    assert_eq!((table.captions.as_slice(), table.footnotes.as_slice()), (&[1, 3][..], &[4][..]));
    assert_eq!(table.header_rows(), 1);
    assert_eq!(
        table.to_html(),
        "<table><thead><tr><th>구분</th><th>개정 전</th></tr></thead><tbody><tr><td>가</td><td>5</td></tr></tbody></table>"
    );
    let bbox = BBox { x0: 50.0, y0: 200.0, x1: 550.0, y1: 210.0 };
    assert_eq!(document.elements[2].regions, [Region { page: 1, bbox }]);
    assert_eq!(document.elements[2].section, Some(0));
    assert_eq!(document.pages, [Page { number: 1, width: 600.0, height: 800.0 }]);
    assert!(document.warnings.is_empty(), "{:?}", document.warnings);
}

#[test]
fn a_caption_read_before_its_table_is_linked_where_it_stands() {
    let table = json!({"label": "table", "captions": [{"cref": "#/texts/0"}],
                       "data": {"table_cells": [cell(0, 0, "x", false)]}});
    let texts = json!([text("text", "Table 1: A", 10.0), text("text", "between", 30.0)]);
    let document = parse(&file(&["#/texts/0", "#/texts/1", "#/tables/0"], texts, json!({"tables": [table]})));
    assert_eq!(strs(&listed(&document)), [("caption", "Table 1: A"), ("paragraph", "between"), ("table", "")]);
    assert_eq!(document.elements[2].table().unwrap().captions, [0]);
}

#[test]
fn lists_nest_and_parts_of_a_paragraph_are_joined() {
    let item = |text: &str, children: &[&str]| json!({"label": "list_item", "text": text, "enumerated": true, "children": references(children)});
    let texts = json!([
        item("one", &["#/groups/1"]),
        item("", &["#/groups/2"]),
        item("inner", &[]),
        {"label": "text", "text": "two"},
        {"label": "text", "text": "bold"},
    ]);
    let groups = json!([
        {"label": "list", "children": references(&["#/texts/0", "#/texts/1"])},
        {"label": "ordered_list", "children": references(&["#/texts/2"])},
        {"label": "inline", "children": references(&["#/texts/3", "#/texts/4"])},
    ]);
    let document = parse(&file(&["#/groups/0"], texts, json!({"groups": groups, "pages": {}})));
    let item = |depth, marker: &str, text: &str| Element {
        kind: ElementKind::ListItem { depth, marker: marker.into() },
        text: text.into(),
        regions: Vec::new(),
        section: None,
    };
    assert_eq!(document.elements, [item(0, "1.", "one"), item(1, "1.", "inner"), item(0, "2.", "two bold")]);
    assert_eq!(document.pages, [Page { number: 1, width: 0.0, height: 0.0 }]);
}

#[test]
fn texts_of_a_picture_are_its_lines() {
    let label = |text: &str, left: f32, top: f32| {
        let bbox = json!({"l": left, "t": top, "r": left + 20.0, "b": top + 10.0, "coord_origin": "TOPLEFT"});
        json!({"label": "text", "text": text, "prov": [{"page_no": 1, "bbox": bbox}]})
    };
    let texts = json!([
        text("caption", "Figure 1: Flow", 300.0),
        label("in", 10.0, 100.0),
        label("out", 50.0, 102.0),
        label("below", 10.0, 120.0),
    ]);
    let children = references(&["#/texts/0", "#/texts/1", "#/texts/2", "#/tables/0", "#/texts/3"]);
    let picture = json!({"label": "picture", "prov": at(90.0), "captions": references(&["#/texts/0"]),
                         "children": children});
    let table = json!({"label": "table", "data": {"table_cells": [cell(0, 0, "x", false)]}});
    let document = parse(&file(&["#/pictures/0"], texts, json!({"pictures": [picture], "tables": [table]})));
    let expected = [("picture", "in out\nbelow"), ("caption", "Figure 1: Flow"), ("table", "")];
    assert_eq!(strs(&listed(&document)), expected);
}

#[test]
fn cells_hold_what_they_refer_to() {
    let mut rich = cell(0, 0, "", false);
    rich["ref"] = json!({"$ref": "#/groups/0"});
    let mut said = cell(0, 1, "said", false);
    said["ref"] = json!({"$ref": "#/texts/2"});
    let table = json!({"label": "table", "data": {"table_cells": [rich, said]},
                       "children": references(&["#/groups/0", "#/texts/2", "#/texts/3"])});
    let texts = json!([
        text("text", "a", 0.0),
        text("list_item", "b", 0.0),
        text("text", "said", 0.0),
        text("text", "beside", 0.0)
    ]);
    let groups = json!([{"label": "unspecified", "children": references(&["#/texts/0", "#/texts/1"])}]);
    let document = parse(&file(&["#/tables/0"], texts, json!({"tables": [table], "groups": groups})));
    assert_eq!(strs(&listed(&document)), [("table", ""), ("paragraph", "beside")]);
    let table = document.elements[0].table().unwrap();
    assert_eq!(table.cells.iter().map(|c| c.text.as_str()).collect::<Vec<_>>(), ["a b", "said"]);
}

#[test]
fn contents_and_furniture_are_told_by_label_and_layer() {
    let index = json!({"label": "document_index", "prov": at(50.0), "data": {"table_cells": [
        cell(1, 0, "2 Methods . . . .", false), cell(1, 1, "3", false), cell(0, 0, "1 Scope", false),
        cell(0, 1, ". vii", false)]}});
    let mut logo = text("text", "ACME", 5.0);
    logo["content_layer"] = json!("furniture");
    let mut hidden = text("text", "secret", 5.0);
    hidden["content_layer"] = json!("invisible");
    let texts = json!([logo, hidden, text("page_footer", "7", 780.0), text("title", "Report", 20.0)]);
    let body = ["#/texts/0", "#/texts/1", "#/texts/3", "#/tables/0"];
    let furniture = json!({"children": references(&["#/texts/2"])});
    let document = parse(&file(&body, texts, json!({"tables": [index], "furniture": furniture})));
    let expected = [
        ("page_header", "ACME"),
        ("title", "Report"),
        ("contents", "1 Scope . vii\n2 Methods . . . . 3"),
        ("page_footer", "7"),
    ];
    assert_eq!(strs(&listed(&document)), expected);
    assert_eq!(document.title.as_deref(), Some("Report"));
    assert_eq!(messages(&document), ["1 invisible item(s) are left out"]);
}

#[test]
fn a_broken_tree_is_read_once_and_said() {
    let mut looped = text("text", "looped", 10.0);
    looped["children"] = references(&["#/texts/0", "#/groups/0"]);
    looped["captions"] = references(&["#/texts/0"]);
    let groups = json!([{"label": "list", "children": references(&["#/groups/0", "#/texts/0", "#/body"])}]);
    let body = ["#/texts/0", "#/texts/99", "#/texts/-1", "nowhere", "#/key_value_items/0"];
    let rest = json!({"groups": groups, "tables": [{"label": "table", "data": null}], "key_value_items": [{}]});
    let texts = json!([looped, text("text", "stray", 50.0)]);
    let document = parse(&file(&body, texts, rest));
    assert_eq!(strs(&listed(&document)), [("caption", "looped"), ("paragraph", "stray"), ("table", "")]);
    let expected = [
        "4 reference(s) lead nowhere, the first to \"#/body\"",
        "1 key-value and 0 form item(s) are not read",
        "3 item(s) stand in the tree more than once: read at the first place only",
        "2 item(s) stand outside the tree: added at the end",
        "1 table(s) have no cells",
    ];
    assert_eq!(messages(&document), expected);
}

#[test]
fn a_deep_tree_takes_no_stack() {
    let count = 50_000;
    let group = |i: usize| json!({"label": "list", "children": [{"$ref": format!("#/groups/{}", i + 1)}]});
    let groups: Vec<Value> = (0..count).map(group).chain([json!({"children": [{"$ref": "#/texts/0"}]})]).collect();
    let captioned =
        |i: usize| json!({"label": "code", "text": "x", "captions": [{"$ref": format!("#/texts/{}", i + 1)}]});
    let texts: Vec<Value> = (0..count).map(captioned).collect();
    let document = parse(&file(&["#/groups/0"], json!(texts), json!({"groups": groups})));
    assert_eq!(document.elements.len(), count);
}

#[test]
fn a_table_of_ten_thousand_rows_is_read_whole() {
    let cells: Vec<Value> =
        (0..10_000).flat_map(|row| (0..8).map(move |col| cell(row, col, "1,234", row == 0))).collect();
    let table = json!({"label": "table", "prov": at(50.0), "data": {"table_cells": cells}});
    let source = file(&["#/tables/0"], json!([]), json!({"tables": [table]})).to_string();
    let document = DoclingParser.parse(source.as_bytes(), &ParseOptions::default()).unwrap();
    let table = document.elements[0].table().unwrap();
    assert_eq!((table.rows, table.cols, table.cells.len()), (10_000, 8, 80_000));
}

#[test]
fn cells_far_outside_any_grid_are_lines() {
    let table = json!({"label": "table", "data": {"table_cells": [
        cell(4_000_000_000, 1, "b", false), cell(4_000_000_000, 0, "a", false), cell(0, 4_000_000_000, "first", false)]}});
    let document = parse(&file(&["#/tables/0"], json!([]), json!({"tables": [table]})));
    let table = document.elements[0].table().unwrap();
    assert_eq!(table.to_html(), "<table><tbody><tr><td>first</td></tr><tr><td>a | b</td></tr></tbody></table>");
    assert_eq!(messages(&document), ["1 table(s) have cells far outside any grid: read as lines of text"]);
}

#[test]
fn what_is_no_docling_document_is_said() {
    let not = "not a DoclingDocument JSON";
    for source in ["", "{", "[]", "{}", "%PDF-1.7", r#"{"schema_name": "Other"}"#, r#"{"pages": 3}"#, "null"] {
        assert_eq!(fail(source.as_bytes()), not, "{source}");
    }
    assert_eq!(fail(b"\xff\xfe{"), not);
    let whole = file(&[], json!([]), json!({})).to_string();
    let cut = fail(&whole.as_bytes()[..whole.len() - 1]);
    assert!(cut.starts_with("damaged DoclingDocument JSON: EOF while parsing"), "{cut}");
    let wrong = fail(br#"{"schema_name": "DoclingDocument", "texts": 5}"#);
    assert!(wrong.contains("invalid type: integer `5`") && wrong.contains("line 1"), "{wrong}");
}

#[test]
fn nulls_and_missing_parts_are_nothing() {
    let bare = DoclingParser.parse(b"\xEF\xBB\xBF{\"schema_name\": \"DoclingDocument\"}", &ParseOptions::default());
    assert!(bare.unwrap().elements.is_empty());
    let document = parse(&json!({
        "schema_name": "DoclingDocument", "version": "2.0.0", "body": {"children": references(&["#/texts/0"])},
        "furniture": null, "pages": null, "tables": null, "added": {"later": [1, 2]},
        "texts": [{"label": null, "text": "계속", "children": null, "prov": null, "captions": null, "level": null}],
    }));
    assert_eq!(strs(&listed(&document)), [("paragraph", "계속")]);
    assert_eq!(document.lang.as_deref(), Some("ko"));
    assert_eq!(messages(&document), ["schema version 2.0.0 is not 1.x: read as far as it is alike"]);
}

#[test]
fn only_the_wanted_pages_are_read() {
    let on = |page: u32, text: &str| json!({"label": "text", "text": text, "prov": [{"page_no": page}]});
    let size = json!({"size": {"width": 100, "height": 100}});
    let rest = json!({"pages": {"1": size, "2": size, "3": size}});
    let source = file(&["#/texts/0", "#/texts/1", "#/texts/2"], json!([on(1, "a"), on(2, "b"), on(3, "c")]), rest);
    let pages = |range| ParseOptions { pages: Some(range), ..ParseOptions::default() };
    let document = DoclingParser.parse(source.to_string().as_bytes(), &pages(2..=9)).unwrap();
    assert_eq!(strs(&listed(&document)), [("paragraph", "b"), ("paragraph", "c")]);
    assert_eq!(document.pages.iter().map(|p| p.number).collect::<Vec<_>>(), [2, 3]);
    assert_eq!(messages(&document), ["pages up to 9 were asked for, but it ends with page 3"]);
    // A part of a document keeps its numbers.
    let part = file(&["#/texts/0"], json!([on(7, "g")]), json!({"pages": {"7": size}})).to_string();
    let document = DoclingParser.parse(part.as_bytes(), &pages(6..=7)).unwrap();
    assert_eq!(messages(&document), [""; 0]);
    let error = DoclingParser.parse(source.to_string().as_bytes(), &pages(4..=9)).unwrap_err();
    assert!(matches!(error, ParseError::PageRange { count: 3 }), "{error}");
}

#[test]
fn the_schema_is_told_by_the_first_bytes() {
    assert!(names_schema(b"{\n  \"schema_name\" : \"DoclingDocument\", \"ver"));
    assert!(!names_schema(b"{\"schema_name\": \"Other\", \"name\": \"DoclingDocument\""));
    assert!(!names_schema(b"{\"text\": \"\\\"schema_name\\\": \\\"DoclingDocument\\\"\"}"));
    assert!(!names_schema(b""));
}

/// A pointer to something that may exist, in a file of three items a kind.
fn any_pointer() -> impl Strategy<Value = String> {
    (0..6_usize, 0..4_usize).prop_map(|(kind, index)| match kind {
        0..=2 => format!("#/texts/{index}"),
        3 => format!("#/tables/{index}"),
        4 => format!("#/pictures/{index}"),
        _ => format!("#/groups/{index}"),
    })
}

fn any_references() -> impl Strategy<Value = Value> {
    vec(any_pointer(), 0..4).prop_map(|pointers| pointers.iter().map(|p| json!({"$ref": p})).collect())
}

/// An item with a word of its own, and any references.
fn any_item(labels: &'static [&'static str], name: &'static str) -> impl Strategy<Value = Vec<Value>> {
    let item = (select(labels), any_references(), any_references(), any_references(), any_pointer(), 0..900_u32);
    vec(item, 3).prop_map(move |items| {
        let item =
            |(index, (label, children, captions, footnotes, content, top)): (usize, (_, _, _, _, String, u32))| {
                let word = format!("{name}{index}");
                let mut inner = cell(index, 1, &format!("{word}cell"), false);
                inner["ref"] = json!({"$ref": content});
                let (text, cells) = if name == "text" { (word.as_str(), json!([])) } else { ("", json!([inner])) };
                json!({"label": label, "text": text, "children": children, "captions": captions, "footnotes": footnotes,
                   "prov": at(top as f32), "data": {"table_cells": cells}})
            };
        items.into_iter().enumerate().map(item).collect::<Vec<Value>>()
    })
}

proptest! {
    #[test]
    fn whatever_the_references_every_text_is_read_once(
        body in any_references(),
        texts in any_item(&["text", "list_item", "caption", "code", "section_header"], "text"),
        tables in any_item(&["table", "document_index"], "table"),
        pictures in any_item(&["picture"], "picture"),
        groups in any_item(&["list", "inline", "unspecified"], "group"),
    ) {
        let rest = json!({"body": {"children": body}, "tables": tables, "pictures": pictures, "groups": groups});
        let document = parse(&file(&[], json!(texts), rest));
        let cells = document.elements.iter().filter_map(Element::table).flat_map(|t| t.cells.iter().map(|c| &c.text));
        let all: Vec<&String> = document.elements.iter().map(|e| &e.text).chain(cells).collect();
        let all = all.iter().flat_map(|t| t.split_whitespace()).collect::<Vec<_>>();
        for index in 0..3 {
            let times = all.iter().filter(|w| **w == format!("text{index}")).count();
            prop_assert!(times == 1, "text{index} {times} times: {all:?}");
            let times = all.iter().filter(|w| **w == format!("table{index}cell")).count();
            prop_assert!(times == 1, "table{index} {times} times: {all:?}");
        }
    }

    #[test]
    fn no_damage_makes_it_panic(at in 0..10_000_usize, byte in any::<u8>(), cut in any::<bool>()) {
        let table = json!({"label": "table", "prov": super::tests::at(50.0), "data": {"table_cells": [cell(0, 0, "x", true)]},
                           "captions": references(&["#/texts/0"])});
        let texts = json!([text("caption", "표 1 요약", 10.0)]);
        let mut source = file(&["#/tables/0"], texts, json!({"tables": [table]})).to_string().into_bytes();
        let at = at % source.len();
        source[at] = byte;
        source.truncate(if cut { at } else { source.len() });
        if let Err(error) = DoclingParser.parse(&source, &ParseOptions::default()) {
            prop_assert!(!error.to_string().is_empty());
        }
    }
}

#[test]
fn a_hundred_thousand_cells_at_one_place_and_parts_of_a_cell_are_kept() {
    let count = 100_000;
    let part = |_| json!({"label": "text", "text": "part"});
    let mut rich = cell(0, 1, "said", false);
    rich["ref"] = json!({"$ref": "#/groups/0"});
    let cells: Vec<Value> = std::iter::once(rich).chain((0..count).map(|_| cell(0, 0, "cell", false))).collect();
    let children: Value = (0..count).map(|i| json!({"$ref": format!("#/texts/{i}")})).collect();
    let texts: Vec<Value> = (0..count).map(part).collect();
    let rest =
        json!({"tables": [{"label": "table", "data": {"table_cells": cells}}], "groups": [{"children": children}]});
    let source = file(&["#/tables/0"], json!(texts), rest).to_string();
    let document = DoclingParser.parse(source.as_bytes(), &ParseOptions::default()).unwrap();
    let sizes: Vec<usize> = document.elements[0].table().unwrap().cells.iter().map(|c| c.text.len()).collect();
    assert_eq!(sizes, [5 * count - 1, 5 * count + 4]);
}
