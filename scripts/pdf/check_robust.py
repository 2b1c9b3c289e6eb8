"""Damaged, hostile and odd files: see scripts/check-robust."""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

from words import EVINDEX, f1, known_words_of, text_of

SECONDS = 20
MEMORY = 1 << 30
# What the address space is held to, so that a runaway does not take the machine with it.
ADDRESS_SPACE = 8 << 30
AGREES = 0.95


class Run:
    """A process that has ended, or was ended for its time."""

    def __init__(self, command):
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            start = time.monotonic()
            process = subprocess.Popen(command, stdout=out, stderr=err, preexec_fn=limit_address_space)
            self.timed_out = False
            while not (ended := os.wait4(process.pid, os.WNOHANG))[0]:
                if time.monotonic() - start > SECONDS:
                    self.timed_out = True
                    process.kill()
                    ended = os.wait4(process.pid, 0)
                    break
                time.sleep(0.002)
            _, status, usage = ended
            self.code = os.waitstatus_to_exitcode(status)
            process.returncode = self.code
            self.memory = usage.ru_maxrss * 1024
            out.seek(0)
            err.seek(0)
            self.output = out.read().decode(errors="replace")
            self.errors = err.read().decode(errors="replace").strip()

    def fault(self):
        """What must never happen, or None."""
        if self.timed_out:
            return f"still running after {SECONDS} s"
        if "panicked" in self.errors or self.code not in (0, 1):
            return f"ended with {self.code}: {self.errors[-200:]}"
        if self.memory > MEMORY:
            return f"took {self.memory >> 20} MiB"
        return None


def limit_address_space():
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("--all", action="store_true")
    args = parser.parse_args()
    files = sorted((args.corpus / "robust").glob("*.pdf"))
    faults, agreeing, differing, silent = [], [], [], []
    most = 0
    for file in files:
        run = Run([EVINDEX, "parse", "--format", "words", str(file)])
        most = max(most, run.memory)
        if fault := run.fault():
            faults.append(f"{file.name}: {fault}")
            continue
        ours = known_words_of("\n".join(text_of(json.loads(line)) for line in run.output.splitlines()))
        poppler = known_words_of(Run(["pdftotext", "-enc", "UTF-8", "-cropbox", str(file), "-"]).output)
        reason = run.errors.replace("\n", "; ").replace(str(file), "") or f"{len(ours)} words"
        if poppler:
            score = f1(ours, poppler)
            (agreeing if score >= AGREES else differing).append((score, file.name, reason, len(ours), len(poppler)))
            line = f"{score:.3f} {file.name}: {reason}"
        else:
            silent.append((file.name, reason))
            line = f"  -   {file.name}: {reason}"
        if args.all:
            print(line)
    readable = len(agreeing) + len(differing)
    print(f"{len(files)} files; {len(faults)} panics, aborts, hangs or over 1 GiB; most memory {most >> 20} MiB")
    for fault in faults:
        print(f"  {fault}")
    print(f"poppler reads words in {readable}: {len(agreeing)} agree (F1 >= {AGREES}), {len(agreeing) / max(readable, 1):.1%}; the others:")
    for score, name, reason, ours, theirs in sorted(differing):
        print(f"  {score:.3f} {name}: {ours} words, poppler {theirs}; {reason}")
    print(f"poppler reads none in {len(silent)}; what evindex says of them:")
    reasons = {}
    for name, reason in silent:
        reasons.setdefault(reason, []).append(name)
    for reason, names in sorted(reasons.items(), key=lambda item: -len(item[1])):
        print(f"  {len(names):3} {reason[:160]} ({names[0]}{', ...' if len(names) > 1 else ''})")
    sys.exit(bool(faults))


main()
