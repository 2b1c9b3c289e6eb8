//! Qdrant, over gRPC.
//!
//! A unit is a point with two named vectors, `whole` and the multi-vector `rows` (MaxSim); a commit record is a point
//! without vectors. Ids are UUIDv5 of the unit, so writing again overwrites.
//!
//! Qdrant has no transactions. [`replace`](VectorStore::replace) therefore goes in four steps, each of which may be the
//! last one before a crash:
//! 1. commit records of the documents to be replaced lose their hash and fingerprint: they match no file any more;
//! 2. the units are written;
//! 3. the commit records are written: now the documents count as stored;
//! 4. units that the documents no longer have are deleted.
//!
//! After a crash the next run finds a commit record that is missing or matches nothing (steps 1 to 3), or leftovers that
//! the next replacement removes (step 4), and does it again.

mod collection;
mod points;
mod retry;

use std::collections::HashSet;
use std::time::Duration;

use async_trait::async_trait;
use futures::{TryStreamExt, stream};
use qdrant_client::qdrant::{
    Condition, CountPointsBuilder, DeletePointsBuilder, Filter as Conditions, PayloadIncludeSelector, PointId,
    PointsIdsList, Query, QueryPointsBuilder, RetrievedPoint, ScrollPointsBuilder, SearchParamsBuilder,
    SetPayloadPointsBuilder, UpsertPointsBuilder, VectorInput, VectorsSelector,
};
use qdrant_client::{Payload, Qdrant, QdrantError};

use self::points::Points;
use self::retry::{code, retry, status_code};
use super::schema::{self, DOCUMENT, DOCUMENT_FIELDS, Damaged, kind_name};
use super::{
    Candidate, CollectionSpec, Counts, DocumentBatch, DocumentRecord, Filter, Leg, StoreError, StoredUnit, VectorStore,
    WriteStats, batch, id, ranking,
};
use crate::unit::UnitKind;

/// A multi-vector upsert of a few MB can take many seconds on a busy server; the client's own limit is five.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Upserts under way at a time.
const CONCURRENT_UPSERTS: usize = 3;
/// Points per page where payloads or vectors come along.
const PAGE: usize = 256;
/// Points per page of bare ids, and ids per deletion.
const ID_PAGE: usize = 4096;
/// Document ids per condition.
const DOCS_PER_FILTER: usize = 512;

/// A collection on a Qdrant server.
pub struct QdrantStore {
    client: Qdrant,
    spec: CollectionSpec,
}

impl QdrantStore {
    /// Opens the collection of `spec` on the server at `url` (its gRPC port, as a rule 6334) and checks that it was made
    /// for the same model. Where there is none it is made if `create`.
    pub async fn open(
        url: &str,
        api_key: Option<String>,
        spec: &CollectionSpec,
        create: bool,
    ) -> Result<Self, StoreError> {
        let client = connect(url, api_key, &spec.name).await?;
        let stored = match collection::find(&client, &spec.name).await? {
            Some(stored) => stored,
            None if !create => return Err(no_collection(&spec.name, url)),
            None => match collection::create(&client, spec).await {
                Ok(()) => spec.clone(),
                // Another process may have made it in the meantime.
                Err(error) => collection::find(&client, &spec.name).await?.ok_or(error)?,
            },
        };
        spec.check(&stored)?;
        if create {
            collection::ensure_indexes(&client, &spec.name).await?;
        }
        Ok(Self { client, spec: spec.clone() })
    }

    /// Opens the collection called `name` whatever it was made for; [`spec`](Self::spec) says what that was.
    pub async fn open_existing(url: &str, api_key: Option<String>, name: &str) -> Result<Self, StoreError> {
        let client = connect(url, api_key, name).await?;
        match collection::find(&client, name).await? {
            Some(spec) => Ok(Self { client, spec }),
            None => Err(no_collection(name, url)),
        }
    }

    /// What the collection was made for.
    pub fn spec(&self) -> &CollectionSpec {
        &self.spec
    }

    fn name(&self) -> &str {
        &self.spec.name
    }

    /// Step 1 of a replacement.
    async fn invalidate(&self, doc_ids: &[String]) -> Result<(), StoreError> {
        let payload = Payload::from([("content_hash", "".into()), ("fingerprint", "".into())]);
        for doc_ids in doc_ids.chunks(DOCS_PER_FILTER) {
            let request = SetPayloadPointsBuilder::new(self.name(), payload.clone())
                .points_selector(Conditions::must([of_documents(doc_ids), is_document()]))
                .wait(true);
            retry("marking documents", || self.client.set_payload(request.clone())).await?;
        }
        Ok(())
    }

    /// Steps 2 and 3. Always waits: an answer that comes earlier says nothing about errors.
    async fn upsert(&self, points: Points<'_>) -> Result<(), StoreError> {
        stream::iter(points::requests(points).map(Ok))
            .try_for_each_concurrent(CONCURRENT_UPSERTS, async |request| {
                let request = UpsertPointsBuilder::new(self.name(), request).wait(true);
                retry("writing records", || self.client.upsert_points(request.clone())).await.map(drop)
            })
            .await
    }

    /// Step 4: deletes the documents' units that are not in `kept`. Returns how many.
    async fn delete_stale(&self, doc_ids: &[String], kept: &HashSet<PointId>) -> Result<usize, StoreError> {
        let mut stale = Vec::new();
        for doc_ids in doc_ids.chunks(DOCS_PER_FILTER) {
            let units =
                Conditions { must: vec![of_documents(doc_ids)], must_not: vec![is_document()], ..Default::default() };
            let request = ScrollPointsBuilder::new(self.name()).filter(units).with_payload(false).with_vectors(false);
            let found = self.scroll(request, ID_PAGE).await?;
            stale.extend(found.into_iter().filter_map(|point| point.id).filter(|id| !kept.contains(id)));
        }
        for ids in stale.chunks(ID_PAGE) {
            let ids = PointsIdsList { ids: ids.to_vec() };
            let request = DeletePointsBuilder::new(self.name()).points(ids).wait(true);
            retry("deleting records", || self.client.delete_points(request.clone())).await?;
        }
        Ok(stale.len())
    }

    /// Everything that a scroll finds, page by page.
    async fn scroll(&self, request: ScrollPointsBuilder, page: usize) -> Result<Vec<RetrievedPoint>, StoreError> {
        let mut found = Vec::new();
        let mut request = request.limit(u32::try_from(page).unwrap_or(u32::MAX));
        loop {
            let answer = retry("reading records", || self.client.scroll(request.clone())).await?;
            found.extend(answer.result);
            match answer.next_page_offset {
                Some(next) => request = request.offset(next),
                None => return Ok(found),
            }
        }
    }

    async fn count(&self, filter: Conditions) -> Result<usize, StoreError> {
        let request = CountPointsBuilder::new(self.name()).filter(filter).exact(true);
        let answer = retry("counting records", || self.client.count(request.clone())).await?;
        Ok(answer.result.map_or(0, |r| usize::try_from(r.count).unwrap_or(usize::MAX)))
    }

    /// The `limit` best units of a leg, in the server's order.
    async fn nearest(&self, leg: &Leg, limit: usize, filter: &Filter) -> Result<Vec<Candidate>, StoreError> {
        let (name, query) = match leg {
            Leg::Whole(vector) => (schema::WHOLE, VectorInput::new_dense(vector.clone())),
            Leg::Rows(vector) => (schema::ROWS, VectorInput::new_multi(vec![vector.clone()])),
        };
        let request = QueryPointsBuilder::new(self.name())
            .query(Query::new_nearest(query))
            .using(name)
            .limit(limit as u64)
            .filter(conditions(filter))
            // A scan, as the rows need one anyway: the answer does not depend on how far an index has been built.
            .params(SearchParamsBuilder::default().exact(true))
            .with_payload(fields(&["unit_id", "original_eu_id"]))
            .with_vectors(false);
        let answer = retry("searching", || self.client.query(request.clone())).await?;
        let candidates = answer.result.into_iter().map(|point| {
            let row = points::row(point.payload);
            let unit_id = schema::text(&row, "unit_id")?;
            let group = schema::text(&row, "original_eu_id").unwrap_or_else(|_| unit_id.clone());
            Ok(Candidate { unit_id, group, score: point.score })
        });
        candidates.collect::<Result<_, Damaged>>().map_err(damaged)
    }
}

#[async_trait]
impl VectorStore for QdrantStore {
    async fn documents(&self, root: Option<&str>) -> Result<Vec<DocumentRecord>, StoreError> {
        let mut must = vec![is_document()];
        must.extend(root.map(|root| Condition::matches("root", root.to_owned())));
        let request = ScrollPointsBuilder::new(self.name())
            .filter(Conditions::must(must))
            .with_payload(fields(DOCUMENT_FIELDS))
            .with_vectors(false);
        let found = self.scroll(request, PAGE).await?;
        let mut documents = found
            .into_iter()
            .map(|point| schema::document_from_row(points::row(point.payload)))
            .collect::<Result<Vec<_>, _>>()
            .map_err(damaged)?;
        documents.sort_by(|a, b| a.doc_id.cmp(&b.doc_id));
        Ok(documents)
    }

    async fn replace(&self, batch: &[DocumentBatch]) -> Result<WriteStats, StoreError> {
        if batch.is_empty() {
            return Ok(WriteStats::default());
        }
        batch::check(batch, self.spec.dim).map_err(|reason| StoreError::Failed {
            store: "qdrant",
            operation: "checking a batch",
            reason,
        })?;
        let doc_ids: Vec<String> = batch.iter().map(|b| b.document.doc_id.clone()).collect();
        let units = batch.iter().flat_map(|b| &b.records).map(|r| &r.unit);
        let kept: HashSet<PointId> =
            units.map(|unit| id::unit_record(&unit.doc_id, &unit.unit_id).to_string().into()).collect();

        self.invalidate(&doc_ids).await?;
        self.upsert(points::units(batch)).await?;
        self.upsert(points::documents(batch)).await?;
        let removed = self.delete_stale(&doc_ids, &kept).await?;
        Ok(WriteStats { written: kept.len(), removed })
    }

    async fn remove(&self, doc_ids: &[String]) -> Result<usize, StoreError> {
        let mut removed = 0;
        for doc_ids in doc_ids.chunks(DOCS_PER_FILTER) {
            // The commit records go last: as long as one is there, the next run knows that something is left to remove.
            removed += self.delete_stale(doc_ids, &HashSet::new()).await?;
            let commits = Conditions::must([of_documents(doc_ids), is_document()]);
            if self.count(commits.clone()).await? > 0 {
                let request = DeletePointsBuilder::new(self.name()).points(commits).wait(true);
                retry("deleting documents", || self.client.delete_points(request.clone())).await?;
            }
        }
        Ok(removed)
    }

    async fn search(&self, leg: &Leg, depth: usize, filter: &Filter) -> Result<Vec<Candidate>, StoreError> {
        ranking::settled(depth, |limit| self.nearest(leg, limit, filter)).await
    }

    async fn fetch(&self, unit_ids: &[String]) -> Result<Vec<StoredUnit>, StoreError> {
        let mut found = Vec::with_capacity(unit_ids.len());
        for unit_ids in unit_ids.chunks(PAGE) {
            let wanted = Conditions::must([Condition::matches("unit_id", unit_ids.to_vec())]);
            let request = ScrollPointsBuilder::new(self.name())
                .filter(wanted)
                .with_payload(true)
                .with_vectors(VectorsSelector::from(vec![schema::ROWS.to_owned()]));
            for point in self.scroll(request, PAGE).await? {
                found.push(points::stored_unit(point).map_err(damaged)?);
            }
        }
        Ok(ranking::in_order(unit_ids, found))
    }

    async fn counts(&self) -> Result<Counts, StoreError> {
        let of_kind = |kind: &str| self.count(Conditions::must([Condition::matches("kind", kind.to_owned())]));
        let (documents, evidence_units, text_chunks) = futures::try_join!(
            of_kind(DOCUMENT),
            of_kind(kind_name(UnitKind::Eu)),
            of_kind(kind_name(UnitKind::Text))
        )?;
        Ok(Counts { documents, evidence_units, text_chunks })
    }

    /// Nothing: the server compacts and indexes by itself.
    async fn maintain(&self) -> Result<(), StoreError> {
        Ok(())
    }
}

/// A client whose server has answered.
async fn connect(url: &str, api_key: Option<String>, name: &str) -> Result<Qdrant, StoreError> {
    // The client repeats its URL in messages, and makes no use of a user or password in it.
    let url = without_secrets(url);
    let unreachable = |error: &QdrantError, hint: &str| StoreError::Unreachable {
        store: "qdrant",
        uri: url.clone(),
        reason: format!("{}; {hint}", describe(error)),
    };
    let client = Qdrant::from_url(&url)
        .api_key(api_key)
        .timeout(TIMEOUT)
        // The check prints to stdout, where results go.
        .skip_compatibility_check()
        .build()
        .map_err(|e| unreachable(&e, "a URL looks like http://localhost:6334"))?;
    // Asks for something that needs the key, which a health check does not. No retries: a wrong URL should show at once.
    match client.collection_exists(name).await {
        Ok(_) => Ok(client),
        Err(error) => match status_code(&error) {
            Some(code::UNAUTHENTICATED | code::PERMISSION_DENIED) => {
                Err(unreachable(&error, "set QDRANT_API_KEY to a key that this server accepts"))
            }
            _ => Err(unreachable(&error, "is it running, and is this its gRPC port (by default 6334, not 6333)?")),
        },
    }
}

/// The conditions of a search. Commit records have no vectors: no search finds them.
fn conditions(filter: &Filter) -> Conditions {
    let mut must = Vec::new();
    if !filter.doc_ids.is_empty() {
        must.push(of_documents(&filter.doc_ids));
    }
    must.extend(filter.page.map(|page| Condition::matches("pages", i64::from(page))));
    must.extend(filter.kind.map(|kind| Condition::matches("kind", kind_name(kind).to_owned())));
    Conditions::must(must)
}

/// Selects payload fields to be read.
fn fields(names: &[&str]) -> PayloadIncludeSelector {
    PayloadIncludeSelector { fields: names.iter().map(|&name| name.to_owned()).collect() }
}

fn of_documents(doc_ids: &[String]) -> Condition {
    Condition::matches("doc_id", doc_ids.to_vec())
}

fn is_document() -> Condition {
    Condition::matches("kind", DOCUMENT.to_owned())
}

fn no_collection(name: &str, url: &str) -> StoreError {
    StoreError::NoCollection { name: name.to_owned(), uri: without_secrets(url) }
}

fn damaged(error: Damaged) -> StoreError {
    StoreError::Failed { store: "qdrant", operation: "reading records", reason: error.to_string() }
}

fn failed(operation: &'static str, error: &QdrantError) -> StoreError {
    StoreError::Failed { store: "qdrant", operation, reason: describe(error) }
}

/// What the server says, without the transport's metadata.
fn describe(error: &QdrantError) -> String {
    match error {
        QdrantError::ResponseError { status } | QdrantError::ResourceExhaustedError { status, .. } => {
            let mut text = status.message().to_owned();
            // "transport error" says little: the cause does.
            let mut source = std::error::Error::source(status);
            while let Some(cause) = source {
                text = format!("{text}: {cause}");
                source = cause.source();
            }
            if text.is_empty() { status.code().to_string() } else { without_debug(&text) }
        }
        other => other.to_string(),
    }
}

/// A message of the client without the debug text of its transport: the cause alone says what is wrong.
fn without_debug(text: &str) -> String {
    let Some((said, debug)) = text.split_once(": tonic::transport::Error(") else {
        return text.to_owned();
    };
    let cause = debug.split_once("message: \"").and_then(|(_, rest)| rest.split_once('"')).map(|(cause, _)| cause);
    cause.map_or_else(|| said.to_owned(), |cause| format!("{said}: {cause}"))
}

/// The URL without user, password and query.
fn without_secrets(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("http", url));
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let (authority, path) = rest.split_once('/').map_or((rest, None), |(a, p)| (a, Some(p)));
    let host = authority.rsplit('@').next().unwrap_or_default();
    path.map_or_else(|| format!("{scheme}://{host}"), |path| format!("{scheme}://{host}/{path}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_connection_is_said_in_words() {
        let text = "Failed to connect to http://h:1/: tonic::transport::Error(Transport, ConnectError(\
                    Os { code: 111, kind: ConnectionRefused, message: \"Connection refused\" }))";
        assert_eq!(without_debug(text), "Failed to connect to http://h:1/: Connection refused");
        assert_eq!(without_debug("no collection x"), "no collection x");
    }

    #[test]
    fn messages_never_show_secrets_of_the_url() {
        assert_eq!(without_secrets("https://me:pw@host:6334/x?api_key=1"), "https://host:6334/x");
        assert_eq!(without_secrets("http://localhost:6334"), "http://localhost:6334");
        assert_eq!(without_secrets("host"), "http://host");
    }

    #[tokio::test]
    async fn an_unreachable_server_is_said_at_once_with_a_hint() {
        // Bound and dropped: nobody listens there.
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let spec = CollectionSpec { name: "c".into(), model: "m".into(), dim: 2 };
        let url = format!("http://user:secret@127.0.0.1:{port}");
        let error = QdrantStore::open(&url, None, &spec, true).await.err().unwrap();
        let message = error.to_string();
        assert!(matches!(error, StoreError::Unreachable { .. }), "{message}");
        assert!(message.contains("6334") && message.to_lowercase().contains("refused"), "{message}");
        assert!(!message.contains("secret"), "{message}");
    }

    #[tokio::test]
    async fn a_bad_url_is_said() {
        let spec = CollectionSpec { name: "c".into(), model: "m".into(), dim: 2 };
        let error = QdrantStore::open("not a url", None, &spec, true).await.err().unwrap();
        assert!(error.to_string().contains("http://localhost:6334"), "{error}");
    }
}
