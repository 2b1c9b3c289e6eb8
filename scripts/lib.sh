# Shared by the scripts in this folder: sourced, not run.
set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
CACHE=${EVINDEX_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/evindex}

# One build serves everything: in CI, and wherever a build outside the clone exists already, it is kept outside.
if [ -z "${CARGO_TARGET_DIR:-}" ] && { [ -n "${CI:-}" ] || [ -d "$CACHE/target" ]; }; then
    CARGO_TARGET_DIR=$CACHE/target
fi
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$ROOT/target}
export EVINDEX_BIN=${EVINDEX_BIN:-$CARGO_TARGET_DIR/debug/evindex}

say() { printf '\n== %s\n' "$*" >&2; }
die() { printf 'error: %s\n' "$*" >&2; exit 1; }

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"
    elif command -v sudo >/dev/null; then sudo "$@"
    else die "'$*' needs root: run it yourself, then run this again"
    fi
}

# Installs Debian packages, if there are any to install: install PACKAGE...
install() {
    [ $# -eq 0 ] && return
    command -v apt-get >/dev/null || die "please install $* with your package manager, then run this again"
    say "installing $*"
    as_root apt-get update -qq
    as_root apt-get install -y -qq --no-install-recommends "$@"
}

# What the build needs beside Rust: a C compiler and the protobuf compiler. Installs only what is missing.
need_build_tools() {
    command -v cargo >/dev/null || die "cargo is missing: install Rust (https://rustup.rs), then run this again"
    local missing=()
    command -v cc >/dev/null || missing+=(build-essential)
    command -v protoc >/dev/null || missing+=(protobuf-compiler)
    install "${missing[@]}"
}

# What fetches the models and runs Qdrant's engine for the tests.
need_python() {
    local missing=()
    python3 -m pip --version >/dev/null 2>&1 || missing+=(python3 python3-pip)
    python3 -c 'import ensurepip' >/dev/null 2>&1 || missing+=(python3-venv)
    install "${missing[@]}"
}

# What measures needs the shared folder and a binary: need_shared FOLDER, which must be there.
need_shared() {
    export EVINDEX_SHARED=${EVINDEX_SHARED:-$ROOT/../shared}
    [ -d "$EVINDEX_SHARED/$1" ] || die "no $1 in $EVINDEX_SHARED: set EVINDEX_SHARED to the shared folder"
    [ -x "$EVINDEX_BIN" ] || die "there is no evindex yet: run 'cargo build' first, or name it in EVINDEX_BIN"
}

build() {
    need_build_tools
    say "building evindex in $CARGO_TARGET_DIR (the first time takes 20 to 30 minutes on two cores)"
    (cd "$ROOT" && cargo build --locked --bin evindex)
}
