"""An engine to be measured, as a program: engines.py ENGINE MODEL_DIRECTORY TEXTS THREADS VECTORS.

TEXTS is a JSON list. Prints a line when it is ready, embeds all texts for each line that it reads, and prints a line
when that is done; at the end of its input it writes the last vectors to VECTORS (.npy).
"""

import json
import pathlib
import sys

import numpy as np


def sentence_transformers(directory, threads):
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(threads)
    model = SentenceTransformer(str(directory), device="cpu")
    # Sorts by length itself; 32 is its default.
    return lambda texts: model.encode(texts, batch_size=32, normalize_embeddings=True)


def onnx_runtime(directory, threads, batch_size=8):
    import onnxruntime
    from tokenizers import Tokenizer

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(directory / "model.onnx", options, providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_file(str(directory / "tokenizer.json"))
    pad = json.loads((directory / "config.json").read_text())["pad_token_id"]
    tokenizer.enable_truncation(json.loads((directory / "sentence_bert_config.json").read_text())["max_seq_length"])
    tokenizer.enable_padding(pad_id=pad)

    def embed(texts):
        # Batches of texts of about the same length: hardly any padding.
        tokenizer.no_padding()
        lengths = [len(encoding.ids) for encoding in tokenizer.encode_batch(texts)]
        order = sorted(range(len(texts)), key=lambda i: -lengths[i])
        tokenizer.enable_padding(pad_id=pad)
        vectors = [None] * len(texts)
        for start in range(0, len(order), batch_size):
            batch = order[start : start + batch_size]
            encodings = tokenizer.encode_batch([texts[i] for i in batch])
            ids = np.array([encoding.ids for encoding in encodings], dtype=np.int64)
            mask = np.array([encoding.attention_mask for encoding in encodings], dtype=np.int64)
            inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
            states = session.run(["last_hidden_state"], inputs)[0]
            sums = (states * mask[:, :, None]).sum(axis=1)
            for i, vector in zip(batch, sums / np.linalg.norm(sums, axis=1, keepdims=True)):
                vectors[i] = vector
        return np.array(vectors)

    return embed


def fastembed(directory, threads):
    from fastembed import TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType

    hidden = json.loads((directory / "config.json").read_text())["hidden_size"]
    TextEmbedding.add_custom_model(
        model="measured", pooling=PoolingType.MEAN, normalization=True, dim=hidden,
        sources=ModelSource(hf="measured"), model_file="model.onnx",
    )
    model = TextEmbedding("measured", specific_model_path=str(directory), threads=threads)

    def embed(texts):
        # It pads to the longest text of a batch and leaves the order to its caller.
        order = sorted(range(len(texts)), key=lambda i: -len(texts[i]))
        vectors = list(model.embed([texts[i] for i in order], batch_size=8))
        return np.array([vectors[place] for place in np.argsort(order)])

    return embed


def main():
    engine, directory, texts, threads, vectors_path = sys.argv[1:]
    texts = json.loads(pathlib.Path(texts).read_text())
    embed = globals()[engine](pathlib.Path(directory), int(threads))
    print("ready", flush=True)
    vectors = None
    for _ in sys.stdin:
        vectors = embed(texts)
        print("done", flush=True)
    np.save(vectors_path, vectors)


main()
