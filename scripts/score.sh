#!/usr/bin/env bash
# Measures the PDF parser against the ground truth of the shared corpus and prints the figures:
#   NID (reading order), TEDS (tables), MHS (headings) on corpus/odl;
#   adjacency relations of table cells on corpus/icdar2013 and corpus/korean.
#
#   scripts/score.sh [--worst N]
#
# EVINDEX_BIN     the binary to measure; without it the one that cargo has built last is used
# EVINDEX_SHARED  the shared folder; ../shared beside the repository by default
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
shared=${EVINDEX_SHARED:-$root/../shared}
cache=${XDG_CACHE_HOME:-$HOME/.cache}/evindex
venv=$cache/venv-score

fail() {
  echo "score.sh: $*" >&2
  exit 1
}

[[ -d $shared/corpus ]] || fail "no corpus in $shared: set EVINDEX_SHARED to the shared folder"
bin=${EVINDEX_BIN:-}
if [[ -z $bin ]]; then
  target=${CARGO_TARGET_DIR:-$root/target}
  bin=$(ls -t "$target"/release/evindex "$target"/debug/evindex 2>/dev/null | head -n 1) || true
  [[ -n $bin ]] || fail "no evindex in $target: run 'cargo build' first, or set EVINDEX_BIN"
fi
[[ -x $bin ]] || fail "cannot run $bin"

# The environment is made once, and again when what it needs has changed.
requirements=$shared/bench/requirements.txt
if ! cmp -s "$requirements" "$venv/requirements.txt"; then
  echo "making $venv" >&2
  python3 -m venv --clear "$venv" || fail "python3 with the venv module is needed"
  "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$requirements" || fail "pip could not install $requirements"
  cp "$requirements" "$venv/requirements.txt"
fi

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# Writes NAME.md for every PDF of a folder; a file that cannot be parsed is named and scores 0.
parse() {
  local from=$1 to=$out/$2 pdf name count=0
  mkdir -p "$to"
  for pdf in "$from"/*.pdf; do
    name=$(basename "$pdf" .pdf)
    "$bin" parse "$pdf" --format md > "$to/$name.md" || echo "score.sh: no result for $pdf" >&2
    count=$((count + 1))
  done
  echo "$2: $count files"
}

score() {
  "$venv/bin/python" "$shared/bench/$1" "${@:2}"
}

parse "$shared/corpus/odl/pdf" odl
score score_markdown.py "$out/odl" "$shared/corpus/odl/markdown" "$@"
parse "$shared/corpus/icdar2013" icdar2013
score score_icdar.py "$out/icdar2013" "$shared/corpus/icdar2013" "$@"
parse "$shared/corpus/korean" korean
score score_icdar.py "$out/korean" "$shared/corpus/korean" "$@"
