//! Character codes to CIDs, and CIDs to Unicode, by predefined and embedded CMaps.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use hayro_cmap::{BfString, CMap, CMapName, CidFamily, WritingMode, load_embedded};
use lopdf::{Document, Object};

use super::super::glyph::GlyphText;
use super::super::limits::MAX_CMAP;
use super::super::objects;

/// Predefined CMaps parsed so far, shared by all files: there are 61 of them.
static PREDEFINED: LazyLock<Mutex<HashMap<Vec<u8>, Arc<CMap>>>> = LazyLock::new(Mutex::default);

/// How the bytes of a string divide into codes, and the CID of each.
pub(crate) enum CodeMap {
    /// Two bytes, the CID itself.
    Identity {
        /// Vertical writing.
        vertical: bool,
    },
    /// By CMap.
    Mapped {
        /// The CMap.
        cmap: Arc<CMap>,
        /// Codes are UTF-16 or UCS-2 (`Uni*`).
        unicode: bool,
    },
}

/// One code of a string.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Code {
    pub(crate) value: u32,
    pub(crate) len: usize,
    pub(crate) cid: u32,
}

impl CodeMap {
    /// From a Type 0 font's `/Encoding`; a missing or unknown one is taken for Identity-H.
    pub(crate) fn load(doc: &Document, encoding: Option<&Object>) -> Self {
        match encoding {
            Some(Object::Name(name)) => Self::by_name(name),
            Some(Object::Stream(stream)) => {
                let data = objects::stream_data(doc, stream, MAX_CMAP);
                let vertical = objects::get_number(doc, &stream.dict, b"WMode") == Some(1.0);
                match data.and_then(|data| CMap::parse(&data, load_embedded)) {
                    Some(cmap) => Self::Mapped { cmap: Arc::new(cmap), unicode: false },
                    None => Self::Identity { vertical },
                }
            }
            _ => Self::Identity { vertical: false },
        }
    }

    fn by_name(name: &[u8]) -> Self {
        // Unpacking the predefined CMaps costs more than reading a short document.
        let cmap = if name.starts_with(b"Identity") { None } else { predefined(name) };
        match cmap {
            Some(cmap) => Self::Mapped { cmap, unicode: name.starts_with(b"Uni") },
            None => Self::Identity { vertical: name.ends_with(b"-V") },
        }
    }

    pub(crate) fn is_vertical(&self) -> bool {
        match self {
            Self::Identity { vertical } => *vertical,
            Self::Mapped { cmap, .. } => cmap.metadata().writing_mode == Some(WritingMode::Vertical),
        }
    }

    /// The collection that the CIDs belong to, where the CMap says so.
    pub(crate) fn family(&self) -> Option<&CidFamily> {
        match self {
            Self::Identity { .. } => None,
            Self::Mapped { cmap, .. } => cmap.metadata().character_collection.as_ref().map(|c| &c.family),
        }
    }

    /// The code at the start of `bytes`, which is not empty.
    pub(crate) fn next_code(&self, bytes: &[u8]) -> Code {
        let value_of = |len: usize| bytes.iter().take(len).fold(0u32, |value, byte| value << 8 | u32::from(*byte));
        match self {
            Self::Identity { .. } => {
                let value = value_of(2);
                Code { value, len: bytes.len().min(2), cid: value }
            }
            Self::Mapped { cmap, .. } => {
                let hit = (1..=bytes.len().min(4)).find_map(|len| {
                    let value = value_of(len);
                    let cid = cmap.lookup_cid_code(value, u8::try_from(len).ok()?)?;
                    Some(Code { value, len, cid })
                });
                hit.unwrap_or_else(|| Code { value: value_of(2), len: bytes.len().min(2), cid: 0 })
            }
        }
    }

    /// The character that a code of a Unicode CMap is.
    pub(crate) fn unicode_of(&self, code: Code) -> Option<char> {
        let Self::Mapped { unicode: true, .. } = self else { return None };
        match code.len {
            2 => char::from_u32(code.value),
            4 => {
                let units = [(code.value >> 16) as u16, code.value as u16];
                char::decode_utf16(units).next()?.ok()
            }
            _ => None,
        }
    }
}

/// CIDs of a known collection to Unicode.
pub(crate) struct CidToUnicode(Arc<CMap>);

impl CidToUnicode {
    pub(crate) fn of_family(family: &CidFamily) -> Option<Self> {
        predefined(family.ucs2_cmap()?.to_bytes()).map(Self)
    }

    pub(crate) fn get(&self, cid: u32) -> GlyphText {
        match self.0.lookup_bf_string(cid) {
            Some(BfString::Char(c)) => GlyphText::from_chars([c]),
            Some(BfString::String(text)) => GlyphText::from_chars(text.chars()),
            None => GlyphText::Unknown,
        }
    }
}

fn predefined(name: &[u8]) -> Option<Arc<CMap>> {
    let mut cache = PREDEFINED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(cmap) = cache.get(name) {
        return Some(Arc::clone(cmap));
    }
    let cmap = Arc::new(CMap::parse(load_embedded(CMapName::from_bytes(name))?, load_embedded)?);
    cache.insert(name.to_vec(), Arc::clone(&cmap));
    Some(cmap)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn euc_codes_have_one_or_two_bytes() {
        let map = CodeMap::by_name(b"KSCms-UHC-H");
        let ascii = map.next_code(b"A\xC7\xD1");
        assert_eq!((ascii.value, ascii.len), (0x41, 1));
        let hangul = map.next_code(b"\xC7\xD1A");
        assert_eq!((hangul.value, hangul.len), (0xC7D1, 2));
        let to_unicode = CidToUnicode::of_family(map.family().unwrap()).unwrap();
        assert_eq!(to_unicode.get(ascii.cid), GlyphText::Char('A'));
        assert_eq!(to_unicode.get(hangul.cid), GlyphText::Char('한'));
        assert!(!map.is_vertical());
    }

    #[test]
    fn unicode_cmaps_carry_their_characters() {
        let map = CodeMap::by_name(b"UniKS-UTF16-V");
        assert!(map.is_vertical());
        let code = map.next_code(&[0xD5, 0x5C]);
        assert_eq!(map.unicode_of(code), Some('한'));
        let pair = Code { value: 0xD83D_DE00, len: 4, cid: 0 };
        assert_eq!(map.unicode_of(pair), Some('😀'));
    }

    #[test]
    fn identity_and_unknown_names() {
        let map = CodeMap::by_name(b"Identity-V");
        assert!(map.is_vertical());
        assert_eq!(map.next_code(&[0x12, 0x34, 0x56]), Code { value: 0x1234, len: 2, cid: 0x1234 });
        assert_eq!(map.next_code(&[0x12]), Code { value: 0x12, len: 1, cid: 0x12 });
        assert_eq!(map.unicode_of(Code { value: 0x41, len: 2, cid: 0x41 }), None);
        assert!(matches!(CodeMap::by_name(b"NoSuchMap"), CodeMap::Identity { vertical: false }));
    }
}
