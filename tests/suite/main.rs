//! One binary for all integration tests: linking it costs more than running it.

// Test helpers may fail as loudly as tests.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::print_stderr)]

mod cli;
mod corpus;
mod crash;
mod docling;
mod end_to_end;
mod fixtures;
mod incremental;
mod korean_tables;
mod qdrant_edge;
mod store_conformance;
mod support;
mod table_snapshots;
