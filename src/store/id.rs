//! Deterministic record ids.

use uuid::Uuid;

/// Namespace of every evindex record id (a random constant): part of the storage format, never changed.
const NAMESPACE: Uuid = Uuid::from_u128(0x5f2c_9d53_6c1e_5a64_9a0b_2e8b_7f6d_1c42);

/// Id of a unit's record: UUIDv5 over `doc_id` and `unit_id`, so that re-ingesting overwrites and never doubles.
pub fn unit_record(doc_id: &str, unit_id: &str) -> Uuid {
    Uuid::new_v5(&NAMESPACE, format!("unit\0{doc_id}\0{unit_id}").as_bytes())
}

/// Id of a document's commit record.
pub fn document_record(doc_id: &str) -> Uuid {
    Uuid::new_v5(&NAMESPACE, format!("document\0{doc_id}").as_bytes())
}

/// Id of the record that says what the collection was made for, in stores that cannot say it otherwise.
pub fn collection_record() -> Uuid {
    Uuid::new_v5(&NAMESPACE, b"collection")
}
