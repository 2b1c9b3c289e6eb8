//! Encryption dictionaries in forms that the object layer does not take: written into the trailer itself, with parts in
//! other objects, or encrypting attachments only. The file gets an update at its end that says the same plainly.

use std::io::Write;

use lopdf::{Dictionary, Document, LoadOptions, Object};

use super::limits::MAX_OBJECT_STREAM;
use super::objects;

/// Depth of an encryption dictionary.
const MAX_DEPTH: usize = 4;
/// Trailer entries that the update must not repeat: they belong to a cross-reference stream, or to one place.
const OWN_ENTRIES: [&[u8]; 9] =
    [b"Prev", b"XRefStm", b"Type", b"W", b"Index", b"Filter", b"DecodeParms", b"Length", b"Encrypt"];

/// A copy of an encrypted file whose encryption dictionary is an object of its own, without references; without any
/// where pages and strings are not encrypted. `doc` is what loading gave. `None` where that would change nothing.
pub(crate) fn plainly_encrypted(bytes: &[u8], doc: &Document) -> Option<Vec<u8>> {
    let locked = doc.trailer.has(b"Encrypt");
    if !locked && !has_indirect_filters(bytes) {
        return None;
    }
    let start = bytes.windows(5).position(|window| window == b"%PDF-")?;
    let bytes = bytes.get(start..)?;
    let trailer = read_trailer(bytes, doc)?;
    // Without the entry all objects load, their strings and streams still encrypted: never those of this dictionary.
    let open = update(bytes, &trailer, doc.xref_start, None)?;
    let options = LoadOptions { max_decompressed_size: Some(MAX_OBJECT_STREAM), ..LoadOptions::default() };
    let plain = Document::load_mem_with_options(&open, options).ok()?;
    let encrypt = trailer.get(b"Encrypt").ok()?;
    let direct = encrypt.as_dict().is_ok();
    let encrypt = objects::resolve(&plain, encrypt)?.as_dict().ok()?;
    if encrypts_attachments_only(&plain, encrypt) {
        return Some(open);
    }
    let indirect = encrypt.iter().any(|(_, value)| value.as_reference().is_ok());
    let Object::Dictionary(whole) = inlined(&plain, &Object::Dictionary(encrypt.clone()), 0)? else { return None };
    if direct || indirect { update(bytes, &trailer, doc.xref_start, Some(whole)) } else { None }
}

/// Whether the bytes hold `/CF` with a reference behind it.
fn has_indirect_filters(bytes: &[u8]) -> bool {
    bytes.windows(3).enumerate().filter(|(_, window)| window == b"/CF").any(|(at, _)| {
        let rest = bytes.get(at + 3..).unwrap_or_default();
        rest.iter().find(|byte| !byte.is_ascii_whitespace()).is_some_and(u8::is_ascii_digit)
    })
}

/// The trailer with its `/Encrypt`, which loading has taken out of a file that it could decrypt.
fn read_trailer(bytes: &[u8], doc: &Document) -> Option<Dictionary> {
    if doc.trailer.has(b"Encrypt") {
        return Some(doc.trailer.clone());
    }
    let at = bytes.windows(8).rposition(|window| window == b"/Encrypt")?;
    let mut words = bytes.get(at + 8..)?.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let mut number = || str::from_utf8(words.next()?).ok()?.parse::<u32>().ok();
    let id = (number()?, u16::try_from(number()?).ok()?);
    let mut trailer = doc.trailer.clone();
    trailer.set("Encrypt", id);
    Some(trailer)
}

/// Strings and streams are left as they are unless a filter of their own says otherwise.
fn encrypts_attachments_only(doc: &Document, encrypt: &Dictionary) -> bool {
    let crypt_filters = objects::get_number(doc, encrypt, b"V").is_some_and(|version| version >= 4.0);
    let identity = |key| objects::get_name(doc, encrypt, key).is_none_or(|name| name == b"Identity");
    crypt_filters && identity(b"StmF") && identity(b"StrF")
}

/// An object with what it refers to in place of the references.
fn inlined(doc: &Document, object: &Object, depth: usize) -> Option<Object> {
    if depth > MAX_DEPTH {
        return None;
    }
    Some(match objects::resolve(doc, object)? {
        Object::Dictionary(dict) => {
            let entries = dict.iter().filter_map(|(key, value)| Some((key.clone(), inlined(doc, value, depth + 1)?)));
            Object::Dictionary(Dictionary::from_iter(entries))
        }
        other => other.clone(),
    })
}

/// The file with an update behind it: a trailer with this encryption dictionary, or with none.
fn update(bytes: &[u8], trailer: &Dictionary, previous: usize, encrypt: Option<Dictionary>) -> Option<Vec<u8>> {
    let mut trailer = trailer.clone();
    for key in OWN_ENTRIES {
        trailer.remove(key);
    }
    let size = u32::try_from(objects::number(trailer.get(b"Size").ok()?)? as i64).ok()?;
    trailer.set("Prev", i64::try_from(previous).ok()?);
    trailer.set("Size", i64::from(size.checked_add(1)?));
    let mut out = bytes.to_vec();
    out.push(b'\n');
    let at = out.len();
    let mut section = "0 0\n".to_owned();
    if let Some(encrypt) = encrypt {
        trailer.set("Encrypt", Object::Reference((size, 0)));
        writeln!(out, "{size} 0 obj").ok()?;
        write_object(&mut out, &Object::Dictionary(encrypt))?;
        out.extend_from_slice(b"\nendobj\n");
        section = format!("{size} 1\n{at:010} 00000 n\r\n");
    }
    let table = out.len();
    write!(out, "xref\n{section}trailer\n").ok()?;
    write_object(&mut out, &Object::Dictionary(trailer))?;
    write!(out, "\nstartxref\n{table}\n%%EOF\n").ok()?;
    Some(out)
}

fn write_object(out: &mut Vec<u8>, object: &Object) -> Option<()> {
    match object {
        Object::Null => out.extend_from_slice(b"null"),
        Object::Boolean(value) => write!(out, "{value}").ok()?,
        Object::Integer(value) => write!(out, "{value}").ok()?,
        Object::Real(value) => write!(out, "{value}").ok()?,
        Object::Reference((number, generation)) => write!(out, "{number} {generation} R").ok()?,
        Object::Name(name) => {
            out.push(b'/');
            for byte in name {
                if byte.is_ascii_alphanumeric() { out.push(*byte) } else { write!(out, "#{byte:02X}").ok()? }
            }
        }
        Object::String(bytes, _) => {
            out.push(b'<');
            for byte in bytes {
                write!(out, "{byte:02X}").ok()?;
            }
            out.push(b'>');
        }
        Object::Array(items) => {
            out.push(b'[');
            for item in items {
                write_object(out, item)?;
                out.push(b' ');
            }
            out.push(b']');
        }
        Object::Dictionary(dict) => {
            out.extend_from_slice(b"<<");
            for (key, value) in dict {
                write_object(out, &Object::Name(key.clone()))?;
                out.push(b' ');
                write_object(out, value)?;
            }
            out.extend_from_slice(b">>");
        }
        Object::Stream(_) => return None,
    }
    Some(())
}
