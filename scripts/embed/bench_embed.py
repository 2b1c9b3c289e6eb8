"""Throughput of evindex's embedding beside other engines: see scripts/bench-embed."""

import argparse
import json
import os
import pathlib
import random
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

HERE = pathlib.Path(__file__).parent
ENGINES = {
    "evindex": None,
    "sentence-transformers": "sentence_transformers",
    "ONNX Runtime": "onnx_runtime",
    "fastembed": "fastembed",
}
FILES_OF_A_LANGUAGE = 24
MODELS = ("sentence-transformers/all-MiniLM-L6-v2", "intfloat/multilingual-e5-small")


def units(pdf):
    """The texts that are embedded of a file: {kind: texts}."""
    run = subprocess.run([os.environ["EVINDEX_BIN"], "chunk", pdf], stdout=subprocess.PIPE, text=True)
    if run.returncode:
        print(f"left out: {pdf}", file=sys.stderr)
    lines = run.stdout
    texts = {"chunk": [], "unit": [], "row": []}
    for unit in map(json.loads, lines.splitlines()):
        texts["chunk" if unit["kind"] == "text" else "unit"].append(unit["retrieval_text"])
        texts["row"] += [row["text"] for row in unit["rows"]]
    return texts


def sample(corpus, count):
    """As many different texts of each language and kind as there are, up to `count` in all."""
    chosen = []
    pools = []
    for pattern in ("rag-multi-corpus/*/pdf/*.pdf", "korean/*.pdf"):
        files = sorted(corpus.glob(pattern))
        random.Random(1).shuffle(files)
        kinds = {}
        for pdf in files[:FILES_OF_A_LANGUAGE]:
            for kind, texts in units(pdf).items():
                kinds.setdefault(kind, []).extend(texts)
        pools += kinds.values()
    pools = [list(dict.fromkeys(pool)) for pool in pools]
    for place, pool in enumerate(sorted(pools, key=len)):
        random.Random(2).shuffle(pool)
        chosen += pool[: (count - len(chosen)) // (len(pools) - place)]
    random.Random(3).shuffle(chosen)
    return list(dict.fromkeys(chosen))


def longest(directory):
    """Most tokens of an input."""
    return json.loads((directory / "sentence_bert_config.json").read_text())["max_seq_length"]


def export(source, target):
    """The model as the other engines take it: a copy with model.onnx and a tokenizer_config.json, in `target`."""
    import torch
    from tokenizers import Tokenizer
    from transformers import AutoModel

    shutil.copytree(source, target, ignore=shutil.ignore_patterns("*.safetensors"))
    (target / "model.safetensors").symlink_to(source / "model.safetensors")
    # Without this, the model's type decides on the kind of tokenizer, which is another one for E5.
    pad = json.loads((source / "config.json").read_text())["pad_token_id"]
    pad_token = Tokenizer.from_file(str(source / "tokenizer.json")).id_to_token(pad)
    settings = {"tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": longest(source), "pad_token": pad_token}
    (target / "tokenizer_config.json").write_text(json.dumps(settings))

    class States(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.model = AutoModel.from_pretrained(source, attn_implementation="eager")

        def forward(self, ids, mask, types):
            return self.model(input_ids=ids, attention_mask=mask, token_type_ids=types).last_hidden_state

    ids = torch.ones((2, 5), dtype=torch.int64)
    names = ["input_ids", "attention_mask", "token_type_ids"]
    axes = {name: {0: "batch", 1: "tokens"} for name in [*names, "last_hidden_state"]}
    torch.onnx.export(
        States().eval(), (ids, ids, torch.zeros_like(ids)), target / "model.onnx", input_names=names,
        output_names=["last_hidden_state"], dynamic_axes=axes, dynamo=False,
    )


def token_count(directory, texts):
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(directory / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(longest(directory))
    return sum(len(encoding.ids) for encoding in tokenizer.encode_batch(texts))


class Engine:
    """A running engine."""

    def __init__(self, name, command):
        self.name = name
        self.rounds = []
        self.errors = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, text=True
        )
        self.wait()

    def wait(self):
        if not self.process.stdout.readline():
            status = self.process.wait()
            self.errors.seek(0)
            sys.exit(f"{self.name} ended with {status}: {self.errors.read()[-2000:]}")

    def cpu(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def round(self):
        """Embeds all texts once."""
        cpu, start = self.cpu(), time.perf_counter()
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        self.wait()
        self.rounds.append((time.perf_counter() - start, self.cpu() - cpu))

    def median(self):
        """Seconds and CPU seconds of a round."""
        return tuple(statistics.median(figures) for figures in zip(*self.rounds[1:]))

    def end(self):
        """Peak memory in MB; the vectors are written then."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        self.process.stdin.close()
        self.process.wait()
        return int(status.split("VmHWM:")[1].split()[0]) / 1024


def measure(model, texts, options, folder):
    directory = pathlib.Path(model)
    if not directory.is_dir():
        directory = pathlib.Path(os.environ["EVINDEX_CACHE"]) / "models" / model.replace("/", "--")
    prompts = json.loads((directory / "config_sentence_transformers.json").read_text()).get("prompts", {})
    prefix = next((prompts[name] for name in ("document", "passage") if name in prompts), "")
    plain, prefixed = folder / "texts.json", folder / "prefixed.json"
    plain.write_text(json.dumps(texts))
    prefixed.write_text(json.dumps([prefix + text for text in texts]))
    export(directory.resolve(), folder / "model")

    engines = []
    for name, engine in ENGINES.items():
        vectors = folder / f"{name}.npy"
        if engine is None:
            command = [*shlex.split(os.environ["EVINDEX_EMBED_BIN"]), directory, plain, "--vectors", vectors]
            command += ["--threads", str(options.threads)]
        else:
            command = [sys.executable, HERE / "engines.py", engine, folder / "model", prefixed]
            command += [str(options.threads), vectors]
        engines.append(Engine(name, [str(part) for part in command]))
    # The first round, in which buffers are made, does not count.
    for _ in range(options.rounds + 1):
        for engine in engines:
            engine.round()

    memory = [engine.end() for engine in engines]
    load = lambda name: np.load(folder / f"{name}.npy") if name != "evindex" else np.array(
        json.loads((folder / "evindex.npy").read_text()))
    reference = load("sentence-transformers")
    tokens = token_count(directory, json.loads(prefixed.read_text()))
    medians = {engine.name: engine.median() for engine in engines}
    print(f"\n{model}: {len(texts)} texts, {tokens} tokens, {options.threads} threads, median of {options.rounds}\n")
    print("| engine | tokens/s | of s-t | of ORT | tokens/CPU s | of s-t | of ORT | peak MB | least cosine |")
    print("|---|---|---|---|---|---|---|---|---|")
    for engine, peak in zip(engines, memory):
        cells = []
        for kind in range(2):
            figure = medians[engine.name][kind]
            cells.append(f"{tokens / figure:,.0f}")
            cells += [f"{medians[name][kind] / figure:.2f}×" for name in ("sentence-transformers", "ONNX Runtime")]
        cosine = (load(engine.name) * reference).sum(axis=1).min()
        print(f"| {engine.name} | {' | '.join(cells)} | {peak:,.0f} | {cosine:.7f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench-embed")
    parser.add_argument("corpus", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("models", nargs="*", default=MODELS, metavar="MODEL")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--texts", type=int, default=300)
    options = parser.parse_intermixed_args()
    texts = sample(options.corpus, options.texts)
    for model in options.models:
        with tempfile.TemporaryDirectory() as folder:
            measure(model, texts, options, pathlib.Path(folder))


main()
