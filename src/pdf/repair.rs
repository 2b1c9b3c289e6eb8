//! Damage that loading passes over: streams whose length is lost, and data that is not what its filter takes.

mod syntax;

use lopdf::{Document, Object};

use super::objects;
pub(crate) use syntax::with_plain_syntax;

const END: &[u8] = b"endstream";
/// Bytes that are looked at to tell whether data is plain content.
const HEAD: usize = 512;

/// Gives streams that were loaded without data, for want of a length, what stands before their end in the file.
pub(crate) fn restore_streams(doc: &mut Document, bytes: &[u8]) {
    if doc.encryption_state.is_some() {
        return;
    }
    let lost = doc.objects.iter().filter_map(|(id, object)| match object {
        Object::Stream(stream) if stream.content.is_empty() => {
            let length = objects::get_number(doc, &stream.dict, b"Length");
            if length == Some(0.0) { None } else { Some((*id, stream.start_position?)) }
        }
        _ => None,
    });
    for (id, start) in lost.collect::<Vec<_>>() {
        let rest = bytes.get(start..).unwrap_or_default();
        let Some(end) = rest.windows(END.len()).position(|window| window == END) else { continue };
        if let (Some(Object::Stream(stream)), Some(data)) = (doc.objects.get_mut(&id), rest.get(..end)) {
            stream.set_content(data.trim_ascii_end().to_vec());
        }
    }
}

/// The file with an end for streams that have none before the end of their object; `None` where all have one.
pub(crate) fn with_closed_streams(bytes: &[u8]) -> Option<Vec<u8>> {
    const START: &[u8] = b"stream";
    const OBJECT_END: &[u8] = b"endobj";
    let mut out = Vec::with_capacity(bytes.len());
    let (mut rest, mut open, mut changed) = (bytes, false, false);
    while let Some((first, after)) = rest.split_first() {
        let mark = if rest.starts_with(END) {
            END
        } else if rest.starts_with(START) {
            START
        } else {
            OBJECT_END
        };
        if !rest.starts_with(mark) {
            out.push(*first);
            rest = after;
            continue;
        }
        if mark == OBJECT_END && open {
            out.extend_from_slice(b"\nendstream\n");
            changed = true;
        }
        open = mark == START;
        out.extend_from_slice(mark);
        rest = rest.get(mark.len()..).unwrap_or_default();
    }
    changed.then_some(out)
}

/// Whether data is content as it stands, whatever filter it is said to need.
pub(crate) fn is_plain_content(data: &[u8]) -> bool {
    let head = data.get(..data.len().min(HEAD)).unwrap_or_default();
    let text = head.iter().all(|byte| matches!(byte, b'\t' | b'\n' | b'\r' | 0x20..=0x7E));
    let operators = [&b"BT"[..], b"Tf", b"re", b"cm", b"Do"];
    text && operators.iter().any(|operator| head.split(u8::is_ascii_whitespace).any(|word| word == *operator))
}

/// Hexadecimal data without the characters that do not belong there.
pub(crate) fn hexadecimal(data: &[u8]) -> Vec<u8> {
    data.iter().copied().take_while(|byte| *byte != b'>').filter(u8::is_ascii_hexdigit).chain([b'>']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_closed_before_their_object_ends() {
        let closed = with_closed_streams(b"1 0 obj<<>>stream\nabc\nendobj 2 0 obj<<>>stream\nd\nendstream endobj");
        let expected = b"1 0 obj<<>>stream\nabc\n\nendstream\nendobj 2 0 obj<<>>stream\nd\nendstream endobj";
        assert_eq!(closed.as_deref(), Some(&expected[..]));
        assert_eq!(with_closed_streams(b"stream endstream endobj 3 0 obj 7 endobj"), None);
    }

    #[test]
    fn content_is_told_from_data() {
        assert!(is_plain_content(b"q 1 0 0 1 0 0 cm BT (x) Tj ET"));
        assert!(!is_plain_content(b"x\x9c\x01BT "));
        assert!(!is_plain_content(b"some other text"));
        assert_eq!(hexadecimal(b"30x 2E>zz"), b"302E>");
    }
}
