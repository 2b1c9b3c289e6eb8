"""Chunks of `--chunking hybrid` against those of Docling's HybridChunker: see scripts/compare-hybrid."""

import argparse
import difflib
import json
import os
import pathlib
import subprocess
import sys
import unicodedata

LIMIT = 256
# Fewest of the chunks that have to be equal.
BAR = 0.98


def plain(text):
    return " ".join(unicodedata.normalize("NFC", text).split())


def chunks(source, limit):
    command = [os.environ["EVINDEX_BIN"], "chunk", str(source), "--chunking", "hybrid"]
    command += ["--tokenizer", os.environ["EVINDEX_TOKENIZER"], "--max-tokens", str(limit)]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [plain(json.loads(line)["text"]) for line in output.splitlines()]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("references", nargs="*", type=pathlib.Path)
    parser.add_argument("--show", action="store_true")
    args = parser.parse_intermixed_args()
    references = args.references or sorted((args.folder / "hybrid_2.87").glob("*.hybrid.json"))
    total = same = 0
    for path in references:
        reference = json.loads(path.read_text(encoding="utf-8"))
        name = reference["doc_id"]
        theirs = [plain(chunk["contextualized"]) for chunk in reference["chunks"]]
        ours = chunks(args.folder / "docling_json" / f"{name}.json", reference.get("max_tokens", LIMIT))
        matcher = difflib.SequenceMatcher(None, theirs, ours, autojunk=False)
        equal = sum(block.size for block in matcher.get_matching_blocks())
        print(f"{name:32} {equal:4} of {len(theirs):4} equal, {len(ours):4} of ours")
        total, same = total + len(theirs), same + equal
        for kind, a, b, c, d in matcher.get_opcodes() if args.show else []:
            if kind != "equal":
                for sign, texts, first in (("-", theirs[a:b], a), ("+", ours[c:d], c)):
                    for at, text in enumerate(texts, first):
                        print(f"  {sign} {at}: {text}")
    print(f"{'all':32} {same:4} of {total:4} equal: {same / max(total, 1):.4f} (bar {BAR})")
    sys.exit(same < BAR * total)


main()
