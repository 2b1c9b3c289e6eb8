//! Document ids: readable, stable, never shared by two files.

use std::collections::{BTreeMap, BTreeSet};

use unicode_normalization::is_nfc;

/// Hex digits of the digest that tells apart ids which would otherwise be equal: 2^32 values.
const DIGEST_DIGITS: usize = 8;

/// The id that a file has unless another document already has it.
///
/// The path below the root without `.pdf`, other extensions joined with `-`. Letters and digits of any script and `-_./`
/// stay; a run of anything else becomes `_`, and then (or where the path is not NFC) a digest of the path follows, since two
/// paths might become or look equal.
pub fn candidate(relative: &str) -> String {
    let stem = match relative.rsplit_once('.') {
        Some((stem, ext)) if ext.eq_ignore_ascii_case("pdf") => stem.to_owned(),
        Some((stem, ext)) => format!("{stem}-{}", ext.to_lowercase()),
        None => relative.to_owned(),
    };
    let mut id = String::with_capacity(stem.len());
    let mut lossy = !is_nfc(&stem);
    for c in stem.chars() {
        if c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/') {
            id.push(c);
        } else {
            lossy = true;
            if !id.ends_with('_') {
                id.push('_');
            }
        }
    }
    if lossy { with_digest(&id, relative) } else { id }
}

fn with_digest(id: &str, of: &str) -> String {
    let digest = blake3::hash(of.as_bytes()).to_hex();
    format!("{id}~{}", digest.get(..DIGEST_DIGITS).unwrap_or_default())
}

/// Ids for `sources` (root, relative path; each pair once), given the ids that documents of the collection already have.
///
/// A stored document keeps its id for ever; a new file whose [`candidate`] is taken gets a digest of its root and path.
pub fn assign(sources: &[(&str, &str)], stored: &BTreeMap<(String, String), String>) -> Vec<String> {
    let mut taken: BTreeSet<String> = stored.values().cloned().collect();
    sources
        .iter()
        .map(|&(root, relative)| {
            if let Some(id) = stored.get(&(root.to_owned(), relative.to_owned())) {
                return id.clone();
            }
            let mut id = candidate(relative);
            if taken.contains(&id) {
                id = with_digest(&id, &format!("{root}\0{relative}"));
            }
            taken.insert(id.clone());
            id
        })
        .collect()
}
