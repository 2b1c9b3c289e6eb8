# Shared by the scripts that measure layout and tables: sourced, not run.
. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

# Runs a program of this folder, which needs nothing beside Python: run NAME.py ARGUMENT...
run() {
    need_shared corpus
    command -v python3 >/dev/null || need_python
    PYTHONDONTWRITEBYTECODE=1 python3 "$ROOT/scripts/layout/$1" "$EVINDEX_SHARED/corpus" "${@:2}"
}
