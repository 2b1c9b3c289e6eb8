//! The conditions of a query as SQL.

use crate::store::Filter;
use crate::store::schema::{DOCUMENT, kind_name};

/// A string literal.
pub(super) fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// `column IN (…)`; never true for an empty list.
pub(super) fn any_of(column: &str, values: &[String]) -> String {
    if values.is_empty() {
        return "false".into();
    }
    let values: Vec<String> = values.iter().map(|value| quote(value)).collect();
    format!("{column} IN ({})", values.join(", "))
}

/// Rows of one kind.
pub(super) fn of_kind(kind: &str) -> String {
    format!("kind = {}", quote(kind))
}

/// Rows that are units.
pub(super) fn is_unit() -> String {
    format!("kind != {}", quote(DOCUMENT))
}

/// The units that a search may find.
pub(super) fn searched(filter: &Filter) -> String {
    let mut all = vec![filter.kind.map_or_else(is_unit, |kind| of_kind(kind_name(kind)))];
    if !filter.doc_ids.is_empty() {
        all.push(any_of("doc_id", &filter.doc_ids));
    }
    all.extend(filter.page.map(|page| format!("array_has(pages, {page})")));
    all.join(" AND ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::UnitKind;

    #[test]
    fn text_cannot_leave_its_literal() {
        assert_eq!(quote("O'Brien"), "'O''Brien'");
        assert_eq!(
            any_of("doc_id", &["보고서".into(), "x') OR ('1'='1".into()]),
            "doc_id IN ('보고서', 'x'') OR (''1''=''1')"
        );
        assert_eq!(any_of("doc_id", &[]), "false");
    }

    #[test]
    fn a_filter_is_a_conjunction() {
        assert_eq!(searched(&Filter::default()), "kind != 'document'");
        let filter = Filter { doc_ids: vec!["a".into()], page: Some(3), kind: Some(UnitKind::Eu) };
        assert_eq!(searched(&filter), "kind = 'eu' AND doc_id IN ('a') AND array_has(pages, 3)");
    }
}
