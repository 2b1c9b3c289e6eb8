//! Opening a collection in the store that the user chose.

use serde::{Deserialize, Serialize};

use super::{CollectionSpec, StoreError, VectorStore, qdrant};

/// The stores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum StoreKind {
    /// A folder on this machine or in object storage; nothing to run.
    #[default]
    Lancedb,
    /// A Qdrant server, spoken to over gRPC.
    Qdrant,
}

impl StoreKind {
    /// Its name on the command line and in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lancedb => "lancedb",
            Self::Qdrant => "qdrant",
        }
    }
}

/// Opens the collection of `spec` and checks that it was made for the same model. Where there is none it is made if
/// `create`, else the answer is [`StoreError::NoCollection`]. `api_key` is for Qdrant.
pub async fn open(
    kind: StoreKind,
    uri: &str,
    api_key: Option<String>,
    spec: &CollectionSpec,
    create: bool,
) -> Result<Box<dyn VectorStore>, StoreError> {
    match kind {
        #[cfg(feature = "lancedb")]
        StoreKind::Lancedb => Ok(Box::new(super::lancedb::LanceStore::open(uri, spec, create).await?)),
        #[cfg(not(feature = "lancedb"))]
        StoreKind::Lancedb => Err(left_out(uri)),
        StoreKind::Qdrant => Ok(Box::new(qdrant::QdrantStore::open(uri, api_key, spec, create).await?)),
    }
}

/// Opens a collection whatever it was made for, and says what that was: for reading what it holds, and for learning
/// which model a query needs.
pub async fn open_existing(
    kind: StoreKind,
    uri: &str,
    api_key: Option<String>,
    name: &str,
) -> Result<(Box<dyn VectorStore>, CollectionSpec), StoreError> {
    match kind {
        #[cfg(feature = "lancedb")]
        StoreKind::Lancedb => {
            let store = super::lancedb::LanceStore::open_existing(uri, name).await?;
            let spec = store.spec().clone();
            Ok((Box::new(store), spec))
        }
        #[cfg(not(feature = "lancedb"))]
        StoreKind::Lancedb => Err(left_out(uri)),
        StoreKind::Qdrant => {
            let store = qdrant::QdrantStore::open_existing(uri, api_key, name).await?;
            let spec = store.spec().clone();
            Ok((Box::new(store), spec))
        }
    }
}

#[cfg(not(feature = "lancedb"))]
fn left_out(uri: &str) -> StoreError {
    StoreError::Unreachable {
        store: "lancedb",
        uri: uri.to_owned(),
        reason: "this build leaves LanceDB out; build it with the cargo feature `lancedb`, or use Qdrant".into(),
    }
}

impl CollectionSpec {
    /// Checks what a collection says of itself against what this run needs.
    pub(crate) fn check(&self, stored: &CollectionSpec) -> Result<(), StoreError> {
        if (&stored.model, stored.dim) == (&self.model, self.dim) {
            return Ok(());
        }
        let describe = |spec: &CollectionSpec| format!("{} ({} dimensions)", spec.model, spec.dim);
        Err(StoreError::ModelMismatch { name: self.name.clone(), stored: describe(stored), wanted: describe(self) })
    }
}

/// Reads the format, model and dimension that a collection carries; `get` looks a key up.
pub(crate) fn stored_spec(name: &str, get: impl Fn(&str) -> Option<String>) -> Result<CollectionSpec, StoreError> {
    let foreign = |reason: String| StoreError::Foreign { name: name.to_owned(), reason };
    let need = |key: &str| {
        let missing = || foreign(format!("it was not made by evindex (no {key:?}); choose another collection name"));
        get(key).ok_or_else(missing)
    };
    let format = need(FORMAT_KEY)?;
    if format != super::schema::FORMAT.to_string() {
        let ours = super::schema::FORMAT;
        return Err(foreign(format!(
            "its format is {format}, this evindex reads {ours}; ingest into a new collection"
        )));
    }
    let dim = need(DIM_KEY)?;
    let dim = dim.parse().map_err(|_| foreign(format!("its dimension {dim:?} is no number")))?;
    Ok(CollectionSpec { name: name.to_owned(), model: need(MODEL_KEY)?, dim })
}

/// What a new collection is to carry.
pub(crate) fn spec_entries(spec: &CollectionSpec) -> [(&'static str, String); 3] {
    [(FORMAT_KEY, super::schema::FORMAT.to_string()), (MODEL_KEY, spec.model.clone()), (DIM_KEY, spec.dim.to_string())]
}

/// Keys under which a collection says what it is.
const FORMAT_KEY: &str = "evindex_format";
const MODEL_KEY: &str = "evindex_model";
const DIM_KEY: &str = "evindex_dim";

#[cfg(test)]
mod tests {
    use super::*;

    fn spec() -> CollectionSpec {
        CollectionSpec { name: "docs".into(), model: "minilm@1".into(), dim: 384 }
    }

    fn read(change: impl Fn(&'static str, String) -> Option<String>) -> Result<CollectionSpec, StoreError> {
        let entries: Vec<_> = spec_entries(&spec()).into_iter().map(|(k, v)| (k, change(k, v))).collect();
        stored_spec("docs", |key| entries.iter().find(|(k, _)| *k == key).and_then(|(_, v)| v.clone()))
    }

    #[test]
    fn a_collection_says_what_it_was_made_for() {
        assert_eq!(read(|_, value| Some(value)).unwrap(), spec());
    }

    #[test]
    fn what_is_not_ours_or_newer_is_foreign() {
        for key in [FORMAT_KEY, MODEL_KEY, DIM_KEY] {
            let error = read(|k, value| (k != key).then_some(value)).unwrap_err();
            assert!(matches!(error, StoreError::Foreign { .. }), "{error}");
        }
        let newer = read(|k, value| Some(if k == FORMAT_KEY { "99".into() } else { value })).unwrap_err();
        assert!(newer.to_string().contains("its format is 99"), "{newer}");
    }

    #[test]
    fn another_model_or_dimension_is_refused() {
        assert!(spec().check(&spec()).is_ok());
        let other = CollectionSpec { model: "e5@2".into(), ..spec() };
        let message = spec().check(&other).unwrap_err().to_string();
        assert!(message.contains("e5@2 (384 dimensions)") && message.contains("minilm@1"), "{message}");
        assert!(spec().check(&CollectionSpec { dim: 8, ..spec() }).is_err());
    }
}
