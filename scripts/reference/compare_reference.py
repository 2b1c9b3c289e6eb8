"""Evidence units of evindex against those of the reference system: see scripts/compare-reference."""

import argparse
import collections
import html
import json
import os
import pathlib
import re
import subprocess
import unicodedata

LIMIT = 512
# Boxes of one table differ by rounding only; shares of the page.
SAME_BOX = 0.005
# Shortest text that counts as a paragraph, in characters.
PARAGRAPH = 20
# Beginning of a row's label that its sentences have to show, in characters: long labels are shortened.
LABEL = 20
# Words in a row that are looked for together.
SHINGLE = 4
COLUMNS = ["units", "over", "unshown", "unlabelled", "dropped", "contents", "paragraphs", "words"]


def words(text):
    return re.findall(r"[^\W_]+", unicodedata.normalize("NFC", text))


def shown(markup):
    return html.unescape(re.sub(r"<[^>]*>", " ", markup or ""))


def squeezed(text):
    return "".join(unicodedata.normalize("NFC", text).split())


class Source:
    """The DoclingDocument itself."""

    def __init__(self, path):
        self.json = json.loads(path.read_text(encoding="utf-8"))
        body = [t for t in self.json["texts"] if t.get("content_layer") != "furniture"]
        body = [t for t in body if t["label"] not in ("page_header", "page_footer")]
        self.texts = [(t, t["text"].strip() or t["orig"].strip()) for t in body]
        self.tables = self.json["tables"]

    def words(self):
        count = collections.Counter()
        for _, text in self.texts:
            count.update(words(text))
        for table in self.tables:
            for cell in table["data"]["table_cells"]:
                count.update(words(cell["text"]))
        return count

    def paragraphs(self):
        kinds = ("text", "paragraph", "list_item")
        running = [(t, text) for t, text in self.texts if t["label"] in kinds and len(text) >= PARAGRAPH]
        return [text for t, text in running if not self.in_picture(t)]

    def in_picture(self, item):
        while True:
            parent = item.get("parent") or {}
            pointer = parent.get("$ref") or parent.get("cref") or "#/body"
            if pointer.startswith("#/pictures/") or pointer.count("/") != 2:
                return pointer.startswith("#/pictures/")
            kind, index = pointer.split("/")[1:]
            item = self.json[kind][int(index)]

    def labels(self, table):
        """What stands in the first column of each row below the header; nothing where that is mostly numbers."""
        labels, header = {}, 0
        for cell in table["data"]["table_cells"]:
            rows = range(cell["start_row_offset_idx"], cell["end_row_offset_idx"])
            if cell["column_header"]:
                header = max(header, rows.stop)
            if cell["start_col_offset_idx"] == 0 and cell["text"].strip():
                labels.update(dict.fromkeys(rows, cell["text"].strip()))
        labels = {row: text for row, text in labels.items() if row >= header}
        named = [text for text in labels.values() if re.search(r"[^\W\d_]", text)]
        return labels if table["data"]["num_cols"] > 1 and len(named) * 2 > len(labels) else {}

    def box(self, table):
        """Page, and the box as shares of the page from its bottom left."""
        place = table["prov"][0]
        size = self.json["pages"][str(place["page_no"])]["size"]
        box = place["bbox"]
        ys = [box["b"], box["t"]]
        if box["coord_origin"] == "TOPLEFT":
            ys = [size["height"] - y for y in ys]
        return place["page_no"], [box["l"] / size["width"], ys[0] / size["height"], box["r"] / size["width"], ys[1] / size["height"]]


class Corpus:
    """What a system makes of it: pieces of evidence units, and all texts."""

    def __init__(self, pieces, texts):
        self.pieces = pieces
        self.texts = texts

    def unit_at(self, page, box):
        for piece in self.pieces:
            if piece["page"] == page and piece["bbox"] and all(abs(a - b) < SAME_BOX for a, b in zip(piece["bbox"], box)):
                return piece
        return None

    def figures(self, source):
        seen = collections.Counter()
        for text in self.texts:
            seen.update(words(text))
        missing = source.words() - seen
        shingles = {tuple(w[i : i + SHINGLE]) for w in map(words, self.texts) for i in range(len(w))}
        short = {tuple(w[i : i + n]) for w in map(words, self.texts) for n in range(1, SHINGLE) for i in range(len(w))}
        lost = []
        for text in source.paragraphs():
            w = words(text)
            parts = [tuple(w[i : i + SHINGLE]) for i in range(max(1, len(w) - SHINGLE + 1))]
            if w and sum(p in shingles or p in short for p in parts) * 2 < len(parts):
                lost.append(text)
        dropped, contents = [], []
        for table in source.tables:
            unit = self.unit_at(*source.box(table))
            if table["label"] == "document_index":
                contents += [unit["id"]] if unit else []
            elif not unit and any(c["text"].strip() for c in table["data"]["table_cells"]):
                dropped.append(f"page {table['prov'][0]['page_no']}")
        unlabelled = []
        for table in source.tables:
            unit = self.unit_at(*source.box(table))
            labels = source.labels(table) if unit else {}
            for piece in self.pieces if labels else []:
                if piece["whole"] == unit["whole"]:
                    unlabelled += [text for row, text in piece["sentences"] if not is_labelled(row, text, labels)]
        unshown = []
        for piece in self.pieces:
            there = squeezed(shown(piece["html"]))
            unshown += [value for value in piece["values"] if squeezed(value) not in there]
        return {
            "units": sorted({p["whole"] for p in self.pieces}),
            "over": [p["id"] for p in self.pieces if p["tokens"] > LIMIT],
            "unshown": unshown,
            "unlabelled": unlabelled,
            "dropped": dropped,
            "contents": contents,
            "paragraphs": lost,
            "words": [w for w, n in missing.items() for _ in range(n)],
        }


def is_labelled(row, sentence, labels):
    """Whether a sentence says which row it is of; where its number is not known, whether it has two parts."""
    if row is None:
        return " | " in sentence
    return squeezed(labels.get(row, ""))[:LABEL] in squeezed(sentence)


def values(sentence):
    """The values and row labels of `label / label | column: value | …`."""
    parts = [part.split(": ", 1)[-1] for part in sentence.split(" | ")]
    return [value for part in parts for value in part.split(" / ")]


def ours(path):
    run = subprocess.run([os.environ["EVINDEX_BIN"], "chunk", str(path)], stdout=subprocess.PIPE, check=True)
    units = [json.loads(line) for line in run.stdout.splitlines()]
    pieces = [
        {
            "id": u["unit_id"],
            "whole": u["original_eu_id"],
            "page": u["page"],
            "bbox": u["bbox"],
            "caption": u["caption"] or "",
            "html": u["table_html"],
            "tokens": u["tokens"],
            "values": [v for row in u["rows"] for v in values(row["text"])],
            "sentences": [(row["row"], row["text"]) for row in u["rows"]],
        }
        for u in units
        if u["kind"] == "eu"
    ]
    return Corpus(pieces, [u["retrieval_text"] + "\n" + shown(u["table_html"]) for u in units])


def theirs(path):
    known = json.loads(path.read_text(encoding="utf-8"))
    pieces = [
        {
            "id": u["eu_id"],
            "whole": re.sub(r"-s\d+$", "", u["eu_id"]),
            "page": u["page_no"],
            "bbox": u["bbox"],
            "caption": u["caption_text"] or "",
            "html": u["table_html"],
            "tokens": u["tokens"]["text_cl100k"],
            "values": [v for sentence in u["flattened_rows"] for v in values(sentence)],
            "sentences": [(None, sentence) for sentence in u["flattened_rows"]],
        }
        for u in known["eus"]
    ]
    texts = [shown(u["text"]) for u in known["eus"]] + [c["text"] for c in known["text_chunks"]]
    return Corpus(pieces, texts)


def captions(mine, reference):
    """Captions of the reference's units that are equal, better, worse in ours."""
    clean = lambda text: " ".join(text.split())
    found = collections.defaultdict(list)
    for unit in {p["whole"]: p for p in reversed(reference.pieces)}.values():
        twin = mine.unit_at(unit["page"], unit["bbox"])
        if not twin:
            continue
        a, b = clean(twin["caption"]), clean(unit["caption"])
        found["equal" if a == b else "worse" if b else "better"].append(f"{unit['id']}: {a!r} for {b!r}")
    return found


def reference_file(folder, stem):
    for name in ("docling_gt", "docling_core_out"):
        path = folder / name / f"{stem}.eu.json"
        if path.exists():
            return path
    raise SystemExit(f"error: the reference has made nothing of {stem}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("reference", type=pathlib.Path)
    parser.add_argument("files", type=pathlib.Path, nargs="*")
    parser.add_argument("--show", action="store_true")
    args = parser.parse_args()
    files = args.files or sorted((args.reference / "docling_json").glob("*.json"))
    total = collections.Counter()
    print(f"{'document':<32}{'tables':>7}" + "".join(f"{c:>12}" for c in COLUMNS) + f"{'captions = + -':>16}")

    def line(name, tables, counts):
        pairs = "".join(f"{counts[c, 0]:>6}/{counts[c, 1]:<5}" for c in COLUMNS)
        kinds = " ".join(str(counts[kind]) for kind in ("equal", "better", "worse"))
        print(f"{name:<32}{tables:>7}{pairs}{kinds:>16}")

    for path in files:
        source, mine = Source(path), ours(path)
        reference = theirs(reference_file(args.reference, path.stem))
        both = [mine.figures(source), reference.figures(source)]
        compared = captions(mine, reference)
        counts = collections.Counter({(c, side): len(both[side][c]) for c in COLUMNS for side in (0, 1)})
        counts.update({kind: len(found) for kind, found in compared.items()})
        line(path.stem[:31], len(source.tables), counts)
        total.update(counts)
        total["tables"] += len(source.tables)
        if args.show:
            for column in COLUMNS[1:]:
                for item in both[0][column]:
                    print(f"    {column}: {item}")
            for kind in ("better", "worse"):
                for item in compared[kind]:
                    print(f"    {kind} caption: {item}")
    line("all", total["tables"], total)


if __name__ == "__main__":
    main()
