//! Access to `lopdf` objects that follows references and never fails on a wrong type.

use lopdf::{Dictionary, Document, Object, ObjectId, Stream};

use super::repair;

/// The object, or what it refers to; `None` for a dangling reference or null.
pub(crate) fn resolve<'a>(doc: &'a Document, object: &'a Object) -> Option<&'a Object> {
    doc.dereference(object).ok().map(|(_, object)| object).filter(|object| !object.is_null())
}

/// An entry of a dictionary, resolved.
pub(crate) fn get<'a>(doc: &'a Document, dict: &'a Dictionary, key: &[u8]) -> Option<&'a Object> {
    resolve(doc, dict.get(key).ok()?)
}

/// A dictionary entry; a stream gives its dictionary.
pub(crate) fn get_dict<'a>(doc: &'a Document, dict: &'a Dictionary, key: &[u8]) -> Option<&'a Dictionary> {
    as_dict(get(doc, dict, key)?)
}

/// A dictionary, or a stream's dictionary.
pub(crate) fn as_dict(object: &Object) -> Option<&Dictionary> {
    match object {
        Object::Dictionary(dict) => Some(dict),
        Object::Stream(stream) => Some(&stream.dict),
        _ => None,
    }
}

/// A name entry.
pub(crate) fn get_name<'a>(doc: &'a Document, dict: &'a Dictionary, key: &[u8]) -> Option<&'a [u8]> {
    get(doc, dict, key)?.as_name().ok()
}

/// A finite number entry.
pub(crate) fn get_number(doc: &Document, dict: &Dictionary, key: &[u8]) -> Option<f32> {
    number(get(doc, dict, key)?)
}

/// An array entry.
pub(crate) fn get_array<'a>(doc: &'a Document, dict: &'a Dictionary, key: &[u8]) -> Option<&'a [Object]> {
    get(doc, dict, key)?.as_array().ok().map(Vec::as_slice)
}

/// A stream entry.
pub(crate) fn get_stream<'a>(doc: &'a Document, dict: &'a Dictionary, key: &[u8]) -> Option<&'a Stream> {
    get(doc, dict, key)?.as_stream().ok()
}

/// The numbers of an array entry, references resolved; `None` where one is no number.
pub(crate) fn get_numbers(doc: &Document, dict: &Dictionary, key: &[u8]) -> Option<Vec<f32>> {
    get_array(doc, dict, key)?.iter().map(|object| number(resolve(doc, object)?)).collect()
}

/// The id behind an entry that is a reference.
pub(crate) fn get_id(dict: &Dictionary, key: &[u8]) -> Option<ObjectId> {
    dict.get(key).ok()?.as_reference().ok()
}

/// A finite number.
pub(crate) fn number(object: &Object) -> Option<f32> {
    object.as_float().ok().filter(|value| value.is_finite())
}

/// The decoded bytes of a stream, at most `limit`; `None` where a filter is unknown, its data unusable or the limit
/// exceeded.
pub(crate) fn stream_data(doc: &Document, stream: &Stream, limit: usize) -> Option<Vec<u8>> {
    let indirect = [&b"Filter"[..], b"DecodeParms", b"F", b"DP"].iter().any(|key| match stream.dict.get(key) {
        Ok(Object::Reference(_)) => true,
        Ok(Object::Array(items)) => items.iter().any(|item| item.as_reference().is_ok()),
        _ => false,
    });
    let abbreviated = filter_names(stream).any(|name| long_filter_name(name).is_some());
    if !indirect && !abbreviated {
        return decode(stream, limit);
    }
    let mut dict = Dictionary::new();
    if let Some(filter) = get(doc, &stream.dict, b"Filter") {
        dict.set("Filter", expand(doc, filter));
    }
    if let Some(params) = get(doc, &stream.dict, b"DecodeParms") {
        dict.set("DecodeParms", expand(doc, params));
    }
    decode(&Stream::new(dict, stream.content.clone()), limit)
}

fn decode(stream: &Stream, limit: usize) -> Option<Vec<u8>> {
    // The identity crypt filter is the only one left after decryption.
    if filter_names(stream).any(|name| name == b"Crypt") {
        return (stream.content.len() <= limit).then(|| stream.content.clone());
    }
    stream.get_plain_content_with_limit(limit).ok().or_else(|| {
        let first = filter_names(stream).next()?;
        let data = (first == b"ASCIIHexDecode").then(|| repair::hexadecimal(&stream.content))?;
        Stream::new(stream.dict.clone(), data).get_plain_content_with_limit(limit).ok()
    })
}

fn filter_names(stream: &Stream) -> impl Iterator<Item = &[u8]> {
    stream.filters().unwrap_or_default().into_iter()
}

/// Filter names and parameters with references followed and abbreviations written out.
fn expand(doc: &Document, object: &Object) -> Object {
    match object {
        Object::Array(items) => Object::Array(
            items.iter().map(|item| resolve(doc, item).map_or(Object::Null, |item| expand_item(doc, item))).collect(),
        ),
        other => expand_item(doc, other),
    }
}

fn expand_item(doc: &Document, object: &Object) -> Object {
    match object {
        Object::Name(name) => Object::Name(long_filter_name(name).unwrap_or(name).to_vec()),
        Object::Dictionary(dict) => {
            let entries = dict.iter().filter_map(|(key, value)| Some((key.clone(), resolve(doc, value)?.clone())));
            Object::Dictionary(Dictionary::from_iter(entries))
        }
        other => other.clone(),
    }
}

/// The full name of a filter abbreviated as in inline images, which some writers use for streams too.
fn long_filter_name(name: &[u8]) -> Option<&'static [u8]> {
    Some(match name {
        b"Fl" => b"FlateDecode",
        b"LZW" => b"LZWDecode",
        b"A85" => b"ASCII85Decode",
        b"AHx" => b"ASCIIHexDecode",
        b"RL" => b"RunLengthDecode",
        _ => return None,
    })
}
