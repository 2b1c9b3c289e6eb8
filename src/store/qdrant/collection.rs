//! Making a Qdrant collection, and learning what an existing one was made for.

use std::collections::HashMap;

use qdrant_client::qdrant::{
    CreateCollectionBuilder, CreateFieldIndexCollectionBuilder, Distance, FieldType, GetPointsBuilder,
    HnswConfigDiffBuilder, MultiVectorComparator, MultiVectorConfigBuilder, NamedVectors, PointStruct,
    UpsertPointsBuilder, Value, VectorParamsBuilder, VectorsConfigBuilder,
};
use qdrant_client::{Payload, Qdrant};

use super::retry::retry;
use crate::store::open::{spec_entries, stored_spec};
use crate::store::{CollectionSpec, StoreError, id, schema};

/// What is searched or deleted by, and so needs an index. `unit_id` serves reading units back, `original_eu_id` other
/// clients that group by it.
const INDEXES: &[(&str, FieldType)] = &[
    ("doc_id", FieldType::Keyword),
    ("unit_id", FieldType::Keyword),
    ("original_eu_id", FieldType::Keyword),
    ("kind", FieldType::Keyword),
    ("root", FieldType::Keyword),
    ("page", FieldType::Integer),
    ("pages", FieldType::Integer),
];

/// `kind` of the point that says what the collection was made for, on servers that keep no collection metadata.
const COLLECTION: &str = "collection";

/// What the collection called `name` was made for, or `None` where there is no such collection.
pub(super) async fn find(client: &Qdrant, name: &str) -> Result<Option<CollectionSpec>, StoreError> {
    if !retry("looking for the collection", || client.collection_exists(name)).await? {
        return Ok(None);
    }
    let metadata = metadata(client, name).await?;
    let spec = match stored_spec(name, |key| string(&metadata, key)) {
        Err(foreign) if metadata.is_empty() => {
            let point = collection_point(client, name).await?;
            stored_spec(name, |key| string(point.as_ref()?, key)).map_err(|_| foreign)?
        }
        spec => spec?,
    };
    Ok(Some(spec))
}

/// Makes the collection with its payload indexes; they have to be there before the points, or the vector index is built
/// without them.
pub(super) async fn create(client: &Qdrant, spec: &CollectionSpec) -> Result<(), StoreError> {
    let dim = spec.dim as u64;
    let mut vectors = VectorsConfigBuilder::default();
    vectors.add_named_vector_params(schema::WHOLE, VectorParamsBuilder::new(dim, Distance::Cosine));
    // Row vectors are many: they stay on disk, and a graph over them would cost more than it saves.
    let rows = VectorParamsBuilder::new(dim, Distance::Cosine)
        .multivector_config(MultiVectorConfigBuilder::new(MultiVectorComparator::MaxSim))
        .hnsw_config(HnswConfigDiffBuilder::default().m(0))
        .on_disk(true);
    vectors.add_named_vector_params(schema::ROWS, rows);
    let described: HashMap<String, serde_json::Value> =
        spec_entries(spec).into_iter().map(|(key, value)| (key.to_owned(), value.into())).collect();
    let request = CreateCollectionBuilder::new(&spec.name).vectors_config(vectors).metadata(described.clone());
    retry("making the collection", || client.create_collection(request.clone())).await?;

    if metadata(client, &spec.name).await?.is_empty() {
        let mut payload = described;
        payload.insert("kind".into(), COLLECTION.into());
        let id = id::collection_record().to_string();
        let point = PointStruct::new(id, NamedVectors::default(), Payload::from(payload));
        let request = UpsertPointsBuilder::new(&spec.name, vec![point]).wait(true);
        retry("describing the collection", || client.upsert_points(request.clone())).await?;
    }
    ensure_indexes(client, &spec.name).await
}

/// Makes the payload indexes that are missing: all of a new collection, the rest where making it was cut short.
pub(super) async fn ensure_indexes(client: &Qdrant, name: &str) -> Result<(), StoreError> {
    let info = retry("reading the collection", || client.collection_info(name)).await?;
    let present = info.result.map(|c| c.payload_schema).unwrap_or_default();
    for (field, kind) in INDEXES.iter().filter(|(field, _)| !present.contains_key(*field)) {
        let request = CreateFieldIndexCollectionBuilder::new(name, *field, *kind).wait(true);
        retry("indexing a payload field", || client.create_field_index(request.clone())).await?;
    }
    Ok(())
}

async fn metadata(client: &Qdrant, name: &str) -> Result<HashMap<String, Value>, StoreError> {
    let info = retry("reading the collection", || client.collection_info(name)).await?;
    Ok(info.result.and_then(|c| c.config).map(|c| c.metadata).unwrap_or_default())
}

async fn collection_point(client: &Qdrant, name: &str) -> Result<Option<HashMap<String, Value>>, StoreError> {
    let ids = vec![id::collection_record().to_string().into()];
    let request = GetPointsBuilder::new(name, ids).with_payload(true);
    let answer = retry("reading the collection", || client.get_points(request.clone())).await?;
    Ok(answer.result.into_iter().next().map(|point| point.payload))
}

fn string(entries: &HashMap<String, Value>, key: &str) -> Option<String> {
    entries.get(key)?.as_str().cloned()
}
