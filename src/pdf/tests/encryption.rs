//! Encrypted files of every version, made here, and real ones.

use std::collections::BTreeMap;
use std::sync::Arc;

use lopdf::encryption::crypt_filters::{Aes128CryptFilter, Aes256CryptFilter, CryptFilter, Rc4CryptFilter};
use lopdf::{EncryptionState, EncryptionVersion, Permissions};

use super::*;

const FILTER: &[u8] = b"StdCF";

/// A version of encryption, for a document and its user password.
type Version = for<'a> fn(&'a Document, &'a str) -> EncryptionVersion<'a>;

fn filters(filter: impl CryptFilter + 'static) -> BTreeMap<Vec<u8>, Arc<dyn CryptFilter>> {
    BTreeMap::from([(FILTER.to_vec(), Arc::new(filter) as Arc<dyn CryptFilter>)])
}

fn v1<'a>(document: &'a Document, user_password: &'a str) -> EncryptionVersion<'a> {
    EncryptionVersion::V1 { document, owner_password: "owner", user_password, permissions: Permissions::all() }
}

fn v2<'a>(document: &'a Document, user_password: &'a str) -> EncryptionVersion<'a> {
    let permissions = Permissions::all();
    EncryptionVersion::V2 { document, owner_password: "owner", user_password, key_length: 128, permissions }
}

fn v4<'a>(document: &'a Document, user_password: &'a str, filter: impl CryptFilter + 'static) -> EncryptionVersion<'a> {
    EncryptionVersion::V4 {
        document,
        encrypt_metadata: true,
        crypt_filters: filters(filter),
        stream_filter: FILTER.to_vec(),
        string_filter: FILTER.to_vec(),
        owner_password: "owner",
        user_password,
        permissions: Permissions::all(),
    }
}

#[expect(deprecated, reason = "such files exist")]
fn r5<'a>(_: &'a Document, user_password: &'a str) -> EncryptionVersion<'a> {
    EncryptionVersion::R5 {
        encrypt_metadata: true,
        crypt_filters: filters(Aes256CryptFilter),
        file_encryption_key: &[7; 32],
        stream_filter: FILTER.to_vec(),
        string_filter: FILTER.to_vec(),
        owner_password: "owner",
        user_password,
        permissions: Permissions::all(),
    }
}

fn v5<'a>(_: &'a Document, user_password: &'a str) -> EncryptionVersion<'a> {
    EncryptionVersion::V5 {
        encrypt_metadata: true,
        crypt_filters: filters(Aes256CryptFilter),
        file_encryption_key: &[7; 32],
        stream_filter: FILTER.to_vec(),
        string_filter: FILTER.to_vec(),
        owner_password: "owner",
        user_password,
        permissions: Permissions::all(),
    }
}

const VERSIONS: [(&str, Version); 6] = [
    ("V1", v1),
    ("V2", v2),
    ("V4 RC4", |document, password| v4(document, password, Rc4CryptFilter)),
    ("V4 AES", |document, password| v4(document, password, Aes128CryptFilter)),
    ("V5 R5", r5),
    ("V5 R6", v5),
];

fn encrypted(version: Version, user_password: &str) -> Vec<u8> {
    let plain = pdf(b"BT /F1 10 Tf 10 700 Td (secret) Tj ET", helvetica(), |doc, _| {
        let id = Object::string_literal("0123456789abcdef");
        doc.trailer.set("ID", vec![id.clone(), id]);
        let info = doc.add_object(dictionary! { "Title" => Object::string_literal("Plan") });
        doc.trailer.set("Info", info);
    });
    let mut doc = Document::load_mem(&plain).unwrap();
    let state = EncryptionState::try_from(version(&doc, user_password)).unwrap();
    doc.encrypt(&state).unwrap();
    let mut bytes = Vec::new();
    doc.save_to(&mut bytes).unwrap();
    bytes
}

#[test]
fn every_version_opens_with_its_password() {
    for (name, version) in VERSIONS {
        let bytes = encrypted(version, "user");
        for password in ["user", "owner"] {
            let file =
                PdfFile::open(&bytes, Some(password)).unwrap_or_else(|error| panic!("{name} {password}: {error}"));
            assert_eq!(texts(&file.page(1).unwrap()), ["secret"], "{name}");
            assert_eq!(file.info().title.as_deref(), Some("Plan"), "{name}");
        }
        for password in [None, Some(""), Some("wrong")] {
            let error = PdfFile::open(&bytes, password).err();
            assert!(matches!(error, Some(PdfError::NeedsPassword)), "{name} {password:?}: {error:?}");
        }
    }
}

#[test]
fn the_empty_password_is_tried() {
    for (name, version) in VERSIONS {
        let bytes = encrypted(version, "");
        for password in [None, Some("unused")] {
            let file = PdfFile::open(&bytes, password).unwrap_or_else(|error| panic!("{name} {password:?}: {error}"));
            assert_eq!(texts(&file.page(1).unwrap()), ["secret"], "{name}");
        }
    }
}

#[test]
fn an_encrypted_file_without_a_password_names_the_error() {
    let error = PdfFile::open(&encrypted(v5, "user"), None).err().unwrap();
    assert_eq!(error.to_string(), "the PDF is encrypted: give its password");
}
