"""Qdrant's engine behind Qdrant's gRPC interface, on loopback.

    python qdrant_edge_server.py DATA_DIR [--without-metadata]

Tests that want a real Qdrant start this where no server can be had: the engine is `qdrant-edge-py` (the server's own
storage and search as a library), the interface the classes that `qdrant-client` generates from Qdrant's protocol. The
first line on stdout is the port. Collections live in DATA_DIR and are there again after a restart. Calls that are not
implemented answer UNIMPLEMENTED. With --without-metadata it drops collection metadata, as servers before 1.16 do.

Faults: while DATA_DIR/fault.json holds {"after": N, "times": M, "code": "UNAVAILABLE"}, N writing calls succeed and the
next M fail with that status before they change anything.
"""

import functools
import json
import shutil
import sys
import threading
import urllib.parse
from concurrent import futures
from pathlib import Path

import grpc
import qdrant_edge as edge
from qdrant_client import grpc as q
from qdrant_client.conversions.conversion import grpc_to_payload, payload_to_grpc
from qdrant_client.grpc import collections_service_pb2_grpc, points_service_pb2_grpc, qdrant_pb2_grpc

VERSION = "1.20.0"
DISTANCES = {
    q.Distance.Cosine: edge.Distance.Cosine,
    q.Distance.Euclid: edge.Distance.Euclid,
    q.Distance.Dot: edge.Distance.Dot,
    q.Distance.Manhattan: edge.Distance.Manhattan,
}
FIELD_TYPES = {
    q.FieldType.FieldTypeKeyword: ("Keyword", q.PayloadSchemaType.Keyword),
    q.FieldType.FieldTypeInteger: ("Integer", q.PayloadSchemaType.Integer),
    q.FieldType.FieldTypeFloat: ("Float", q.PayloadSchemaType.Float),
    q.FieldType.FieldTypeBool: ("Bool", q.PayloadSchemaType.Bool),
    q.FieldType.FieldTypeDatetime: ("Datetime", q.PayloadSchemaType.Datetime),
    q.FieldType.FieldTypeUuid: ("Uuid", q.PayloadSchemaType.Uuid),
    q.FieldType.FieldTypeText: ("Text", q.PayloadSchemaType.Text),
}


class Refused(Exception):
    """An answer other than OK."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


# From gRPC to the engine.


def point_id(pid):
    return pid.uuid if pid.WhichOneof("point_id_options") == "uuid" else pid.num


def vector(v):
    """A stored or queried vector: dense, sparse or multi, in the current or the older encoding."""
    kind = v.WhichOneof("vector") if isinstance(v, q.Vector) else v.WhichOneof("variant")
    if kind == "dense":
        return list(v.dense.data)
    if kind == "multi_dense":
        return [list(row.data) for row in v.multi_dense.vectors]
    if kind == "sparse":
        return edge.SparseVector(list(v.sparse.indices), list(v.sparse.values))
    if kind is not None:
        raise Refused(grpc.StatusCode.UNIMPLEMENTED, f"vector kind {kind}")
    data = list(v.data)
    if v.HasField("indices"):
        return edge.SparseVector(list(v.indices.data), data)
    if v.HasField("vectors_count"):
        width = len(data) // v.vectors_count
        return [data[i : i + width] for i in range(0, len(data), width)]
    return data


def vectors(vs):
    kind = vs.WhichOneof("vectors_options")
    if kind == "vector":
        return vector(vs.vector)
    return {name: vector(v) for name, v in vs.vectors.vectors.items()} if kind else {}


def point(p):
    return edge.Point(point_id(p.id), vectors(p.vectors), grpc_to_payload(p.payload))


MATCHES = {
    "keyword": lambda m: edge.MatchValue(m.keyword),
    "integer": lambda m: edge.MatchValue(m.integer),
    "boolean": lambda m: edge.MatchValue(m.boolean),
    "text": lambda m: edge.MatchText(m.text),
    "text_any": lambda m: edge.MatchTextAny(m.text_any),
    "phrase": lambda m: edge.MatchPhrase(m.phrase),
    "keywords": lambda m: edge.MatchAny(list(m.keywords.strings)),
    "integers": lambda m: edge.MatchAny(list(m.integers.integers)),
    "except_keywords": lambda m: edge.MatchExcept(list(m.except_keywords.strings)),
    "except_integers": lambda m: edge.MatchExcept(list(m.except_integers.integers)),
}


def field_condition(f):
    if f.HasField("match"):
        return edge.FieldCondition(f.key, match=MATCHES[f.match.WhichOneof("match_value")](f.match))
    if f.HasField("range"):
        bounds = {b: getattr(f.range, b) for b in ("gt", "gte", "lt", "lte") if f.range.HasField(b)}
        return edge.FieldCondition(f.key, range=edge.RangeFloat(**bounds))
    raise Refused(grpc.StatusCode.UNIMPLEMENTED, f"condition on {f.key}")


CONDITIONS = {
    "field": lambda c: field_condition(c.field),
    "has_id": lambda c: edge.HasIdCondition({point_id(i) for i in c.has_id.has_id}),
    "has_vector": lambda c: edge.HasVectorCondition(c.has_vector.has_vector),
    "is_empty": lambda c: edge.IsEmptyCondition(c.is_empty.key),
    "is_null": lambda c: edge.IsNullCondition(c.is_null.key),
    "filter": lambda c: conditions(c.filter),
}


def condition(c):
    kind = c.WhichOneof("condition_one_of")
    if kind not in CONDITIONS:
        raise Refused(grpc.StatusCode.UNIMPLEMENTED, f"condition {kind}")
    return CONDITIONS[kind](c)


def conditions(f):
    def clauses(cs):
        return [condition(c) for c in cs] or None

    enough = edge.MinShould(clauses(f.min_should.conditions), f.min_should.min_count) if f.HasField("min_should") else None
    return edge.Filter(clauses(f.must), clauses(f.should), clauses(f.must_not), enough)


def filter_of(request):
    return conditions(request.filter) if request.HasField("filter") else None


def with_payload(request):
    s = request.with_payload
    kind = s.WhichOneof("selector_options") if request.HasField("with_payload") else None
    if kind == "include":
        return edge.PayloadSelector.Include(list(s.include.fields))
    if kind == "exclude":
        return edge.PayloadSelector.Exclude(list(s.exclude.fields))
    # Qdrant's defaults: a scroll comes with payload, anything else without.
    return s.enable if kind == "enable" else isinstance(request, q.ScrollPoints)


def with_vectors(request):
    s = request.with_vectors
    kind = s.WhichOneof("selector_options") if request.HasField("with_vectors") else None
    return list(s.include.names) if kind == "include" else s.enable


def query(request):
    """The scoring query of a search or prefetch."""
    if not request.HasField("query"):
        return None
    kind = request.query.WhichOneof("variant")
    using = request.using if request.HasField("using") else None
    if kind == "nearest" and request.query.nearest.WhichOneof("variant") != "id":
        return edge.Query.Nearest(vector(request.query.nearest), using)
    if kind == "fusion" and request.query.fusion == q.Fusion.RRF:
        return edge.Fusion.Rrf(k=2)
    raise Refused(grpc.StatusCode.UNIMPLEMENTED, f"query {kind}")


def scoring(request, default_limit):
    """The arguments that a search and a prefetch share."""
    params = request.params
    return {
        "limit": request.limit if request.HasField("limit") else default_limit,
        "query": query(request),
        "prefetches": [edge.Prefetch(**scoring(p, default_limit)) for p in request.prefetch],
        "filter": filter_of(request),
        "score_threshold": request.score_threshold if request.HasField("score_threshold") else None,
        "params": edge.SearchParams(
            hnsw_ef=params.hnsw_ef if params.HasField("hnsw_ef") else None,
            exact=params.exact,
            indexed_only=params.indexed_only,
        ),
    }


# From the engine to gRPC.


def to_id(pid):
    return q.PointId(num=pid) if isinstance(pid, int) else q.PointId(uuid=str(pid))


def to_vector(v):
    if isinstance(v, edge.SparseVector):
        return q.VectorOutput(sparse=q.SparseVector(indices=v.indices, values=v.values))
    if len(v) > 0 and isinstance(v[0], list):
        return q.VectorOutput(multi_dense=q.MultiDenseVector(vectors=[q.DenseVector(data=row) for row in v]))
    return q.VectorOutput(dense=q.DenseVector(data=v))


def to_point(kind, record, **more):
    out = kind(id=to_id(record.id), payload=payload_to_grpc(record.payload or {}), **more)
    if isinstance(record.vector, dict):
        out.vectors.vectors.SetInParent()
        for name, v in record.vector.items():
            out.vectors.vectors.vectors[name].CopyFrom(to_vector(v))
    elif record.vector is not None:
        out.vectors.vector.CopyFrom(to_vector(record.vector))
    return out


def done():
    return q.PointsOperationResponse(result=q.UpdateResult(operation_id=0, status=q.UpdateStatus.Completed))


# Collections.


class Collection:
    """One engine shard, and the request that made it beside it."""

    def __init__(self, folder, request):
        self.folder, self.request = folder, request
        folder.mkdir(parents=True, exist_ok=True)
        shard = str(folder / "shard")
        if (folder / "create.bin").exists():
            self.shard = edge.EdgeShard.load(shard)
        else:
            Path(shard).mkdir(exist_ok=True)
            self.shard = edge.EdgeShard.create(shard, self.config(request))
            (folder / "create.bin").write_bytes(request.SerializeToString())

    @staticmethod
    def config(request):
        def params(p):
            multi = p.HasField("multivector_config")
            return edge.EdgeVectorParams(
                size=p.size,
                distance=DISTANCES[p.distance],
                multivector_config=edge.MultiVectorConfig(edge.MultiVectorComparator.MaxSim) if multi else None,
            )

        def sparse(p):
            return edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf if p.modifier == q.Modifier.Idf else None)

        c = request.vectors_config
        dense = params(c.params) if c.HasField("params") else {n: params(p) for n, p in c.params_map.map.items()}
        return edge.EdgeConfig(
            vectors=dense, sparse_vectors={n: sparse(p) for n, p in request.sparse_vectors_config.map.items()}
        )


class Server(
    points_service_pb2_grpc.PointsServicer,
    collections_service_pb2_grpc.CollectionsServicer,
    qdrant_pb2_grpc.QdrantServicer,
):
    """The three services together; calls that are not defined here answer UNIMPLEMENTED."""

    def __init__(self, data, keeps_metadata=True):
        self.keeps_metadata = keeps_metadata
        self.data, self.collections, self.lock = data, {}, threading.RLock()
        for made in data.glob("*/create.bin"):
            request = q.CreateCollection.FromString(made.read_bytes())
            self.collections[request.collection_name] = Collection(made.parent, request)

    def shard(self, request):
        return self.collection(request).shard

    def collection(self, request):
        found = self.collections.get(request.collection_name)
        if found is None:
            name = request.collection_name
            raise Refused(grpc.StatusCode.NOT_FOUND, f"Not found: Collection `{name}` doesn't exist!")
        return found

    def fault(self):
        """Fails if the test asked for it."""
        file = self.data / "fault.json"
        if not file.exists():
            return
        fault = json.loads(file.read_text())
        if fault["after"] > 0:
            fault["after"] -= 1
        elif fault["times"] > 0:
            fault["times"] -= 1
            file.write_text(json.dumps(fault))
            raise Refused(grpc.StatusCode[fault["code"]], "a fault that the test asked for")
        file.write_text(json.dumps(fault))


def call(method):
    """Runs a method under the server's lock and turns what it raises into a status."""

    @functools.wraps(method)
    def wrapper(self, request, context):
        try:
            with self.lock:
                return method(self, request)
        except Refused as error:
            context.abort(error.code, str(error))
        except Exception as error:
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, f"{type(error).__name__}: {error}")

    setattr(Server, method.__name__, wrapper)


def write(method):
    """A call that a fault can hit. The engine's log makes it outlive the process."""

    @functools.wraps(method)
    def guarded(self, request):
        self.fault()
        return method(self, request)

    call(guarded)


@call
def HealthCheck(self, request):
    return q.HealthCheckReply(title="qdrant-edge behind gRPC", version=VERSION)


@call
def Create(self, request):
    name = request.collection_name
    if name in self.collections:
        raise Refused(grpc.StatusCode.ALREADY_EXISTS, f"Collection `{name}` already exists!")
    if not self.keeps_metadata:
        request.ClearField("metadata")
    self.collections[name] = Collection(self.data / urllib.parse.quote(name, safe=""), request)
    return q.CollectionOperationResponse(result=True)


def GetCollection(self, request):
    c = self.collection(request)
    made, info = c.request, c.shard.info()
    out = q.CollectionInfo(
        status=q.CollectionStatus.Green,
        optimizer_status=q.OptimizerStatus(ok=True),
        segments_count=info.segments_count,
        points_count=info.points_count,
        indexed_vectors_count=info.indexed_vectors_count,
    )
    out.config.params.vectors_config.CopyFrom(made.vectors_config)
    if made.HasField("sparse_vectors_config"):
        out.config.params.sparse_vectors_config.CopyFrom(made.sparse_vectors_config)
    for key, value in made.metadata.items():
        out.config.metadata[key].CopyFrom(value)
    types = {name: schema for name, schema in FIELD_TYPES.values()}
    for field, index in info.payload_schema.items():
        out.payload_schema[field].data_type = types[str(index.data_type).rsplit(".", 1)[-1]]
        out.payload_schema[field].points = index.points
    return q.GetCollectionInfoResponse(result=out)


def GetPoints(self, request):
    ids = [point_id(i) for i in request.ids]
    found = self.shard(request).retrieve(ids, with_payload(request), with_vectors(request))
    return q.GetResponse(result=[to_point(q.RetrievedPoint, r) for r in found])


def delete_collection(self, request):
    found = self.collections.pop(request.collection_name, None)
    if found:
        found.shard.close()
        shutil.rmtree(found.folder)
    return q.CollectionOperationResponse(result=found is not None)


def delete_points(self, request):
    selector = request.points
    if selector.WhichOneof("points_selector_one_of") == "filter":
        operation = edge.UpdateOperation.delete_points_by_filter(conditions(selector.filter))
    else:
        operation = edge.UpdateOperation.delete_points([point_id(i) for i in selector.points.ids])
    self.shard(request).update(operation)
    return done()


# Collections and points both have a Get and a Delete: the request says which.


@call
def Get(self, request):
    return (GetPoints if isinstance(request, q.GetPoints) else GetCollection)(self, request)


@call
def Delete(self, request):
    if isinstance(request, q.DeleteCollection):
        return delete_collection(self, request)
    self.fault()
    return delete_points(self, request)


@call
def List(self, request):
    names = [q.CollectionDescription(name=name) for name in sorted(self.collections)]
    return q.ListCollectionsResponse(collections=names)


@call
def CollectionExists(self, request):
    exists = request.collection_name in self.collections
    return q.CollectionExistsResponse(result=q.CollectionExists(exists=exists))


@write
def CreateFieldIndex(self, request):
    name, _ = FIELD_TYPES[request.field_type]
    schema = getattr(edge.PayloadSchemaType, name)
    self.shard(request).update(edge.UpdateOperation.create_field_index(request.field_name, schema))
    return done()


@write
def DeleteFieldIndex(self, request):
    self.shard(request).update(edge.UpdateOperation.delete_field_index(request.field_name))
    return done()


@write
def Upsert(self, request):
    self.shard(request).update(edge.UpdateOperation.upsert_points([point(p) for p in request.points]))
    return done()


@write
def SetPayload(self, request):
    selector, payload = request.points_selector, grpc_to_payload(request.payload)
    if selector.WhichOneof("points_selector_one_of") == "filter":
        operation = edge.UpdateOperation.set_payload_by_filter(conditions(selector.filter), payload)
    else:
        operation = edge.UpdateOperation.set_payload([point_id(i) for i in selector.points.ids], payload)
    self.shard(request).update(operation)
    return done()


@call
def Scroll(self, request):
    found, after = self.shard(request).scroll(
        edge.ScrollRequest(
            offset=point_id(request.offset) if request.HasField("offset") else None,
            limit=request.limit if request.HasField("limit") else 10,
            filter=filter_of(request),
            with_payload=with_payload(request),
            with_vector=with_vectors(request),
        )
    )
    out = q.ScrollResponse(result=[to_point(q.RetrievedPoint, r) for r in found])
    if after is not None:
        out.next_page_offset.CopyFrom(to_id(after))
    return out


@call
def Count(self, request):
    count = self.shard(request).count(edge.CountRequest(exact=True, filter=filter_of(request)))
    return q.CountResponse(result=q.CountResult(count=count))


@call
def Query(self, request):
    found = self.shard(request).query(
        edge.QueryRequest(
            **scoring(request, 10),
            offset=request.offset,
            with_payload=with_payload(request),
            with_vector=with_vectors(request),
        )
    )
    return q.QueryResponse(result=[to_point(q.ScoredPoint, r, score=r.score, version=r.version) for r in found])


def main():
    data = Path(sys.argv[1])
    data.mkdir(parents=True, exist_ok=True)
    no_limit = [("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1)]
    server = grpc.server(futures.ThreadPoolExecutor(8), options=no_limit)
    service = Server(data, "--without-metadata" not in sys.argv)
    points_service_pb2_grpc.add_PointsServicer_to_server(service, server)
    collections_service_pb2_grpc.add_CollectionsServicer_to_server(service, server)
    qdrant_pb2_grpc.add_QdrantServicer_to_server(service, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    print(port, flush=True)
    # Ends with the test that started it, however that ends: its stdin closes.
    sys.stdin.read()


if __name__ == "__main__":
    main()
