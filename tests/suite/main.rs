//! One binary for all integration tests: linking it costs more than running it.

mod cli;
mod corpus;
mod crash;
mod end_to_end;
mod fixtures;
mod incremental;
mod qdrant_edge;
mod store_conformance;
mod support;
