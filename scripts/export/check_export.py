"""Exported units in the libraries that they are for: see scripts/check-export."""

import json
import os
import subprocess
import sys

from langchain_core.documents import Document
from llama_index.core.schema import MetadataMode, TextNode


def lines(file, *flags):
    command = [os.environ["EVINDEX_BIN"], "chunk", file, *flags]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def check(file):
    units = [json.loads(line) for line in lines(file)]
    assert units and all(unit["schema"] == 1 for unit in units)
    texts = [(unit["unit_id"], unit["text"]) for unit in units]
    parts, parents = [], []
    for unit in units:
        rows = [(f"{unit['unit_id']}-r{n}", row["text"]) for n, row in enumerate(unit["rows"], 1)]
        parts += [(unit["unit_id"], unit["retrieval_text"])] + rows
        parents += [unit["parent_text"]] * (1 + len(rows))
    for flags, expected in (([], texts), (["--parts"], parts)):
        documents = [Document(**json.loads(line)) for line in lines(file, "--format", "langchain", *flags)]
        nodes = [TextNode.from_json(line) for line in lines(file, "--format", "llamaindex", *flags)]
        assert [(d.id, d.page_content) for d in documents] == expected
        assert [(n.node_id, n.text) for n in nodes] == expected
        assert all(d.metadata["unit_id"] in d.id and None not in d.metadata.values() for d in documents)
        assert [d.metadata for d in documents] == [n.metadata for n in nodes]
        assert all(n.get_content(MetadataMode.EMBED) == n.get_content(MetadataMode.LLM) == n.text for n in nodes)
        assert [d.metadata.get("parent_text") for d in documents] == (parents if flags else [None] * len(texts))
    return len(texts), len(parts)


def main():
    for file in sys.argv[1:]:
        if subprocess.run([os.environ["EVINDEX_BIN"], "chunk", file], capture_output=True).returncode == 0:
            print(f"{os.path.basename(file)}: %d units, %d parts: ok" % check(file))


main()
