//! Batch-indexing documents into a vector store as *evidence units*: a table with its caption, notes, explaining
//! paragraphs and section header stays one retrieval unit.
//!
//! One direction of flow: [`walk`] → [`parse`] (over [`pdf`], [`layout`], [`table`]) → [`document`] → [`evidence`] and
//! [`chunk`] → [`mod@unit`] → [`embed`] → [`store`]; [`pipeline`] drives it, [`query`] reads back, [`export`]
//! writes units for other programs, [`chunker`] gives them to Rust programs.

pub mod chunk;
pub mod chunker;
pub mod cli;
pub mod config;
pub mod document;
pub mod embed;
pub mod evidence;
pub mod export;
pub mod layout;
pub mod parse;
pub mod pdf;
pub mod pipeline;
pub mod query;
pub mod store;
pub mod table;
pub mod unit;
pub mod walk;
