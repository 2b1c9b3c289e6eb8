"""Runs the README's Python snippet in a folder with units.jsonl, langchain.jsonl and llamaindex.jsonl, and checks what it loads.

    check_export.py README.md whole|small
"""
import json
import re
import sys
from pathlib import Path

readme, size = sys.argv[1:]
[snippet] = re.findall(r"```python\n(.*?)```", Path(readme).read_text("utf-8"), re.S)
loaded = {}
exec(snippet, loaded)  # the snippet under test: it makes `documents` and `nodes`
documents, nodes = loaded["documents"], loaded["nodes"]

units = [json.loads(line) for line in open("units.jsonl", encoding="utf-8")]
expected = []
for unit in units:
    if size == "whole":
        expected.append((unit["unit_id"], unit["text"], None))
    else:
        expected.append((unit["unit_id"], unit["retrieval_text"], unit["parent_text"]))
        expected += [(f"{unit['unit_id']}-u{i}", row["text"], unit["parent_text"]) for i, row in enumerate(unit["rows"])]
assert len(expected) > len(units) if size == "small" else expected

parent = lambda metadata: metadata.get("parent_text")
assert [(d.id, d.page_content, parent(d.metadata)) for d in documents] == expected
assert [(n.node_id, n.text, parent(n.metadata)) for n in nodes] == expected
assert all(n.ref_doc_id == n.metadata["doc_id"] for n in nodes)
# Nothing but the text is embedded, and every store takes the metadata.
assert all(n.get_content("embed") == n.text for n in nodes)
assert all(isinstance(v, (str, int, float)) for d in documents for v in d.metadata.values())
print(f"{size}: {len(documents)} LangChain documents, {len(nodes)} LlamaIndex nodes load")
