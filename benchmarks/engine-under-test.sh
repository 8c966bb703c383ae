#!/usr/bin/env bash
# Runs the built engine alone, for a load tool from outside: its process id is the engine's own, it prints `ready` when it is,
# and it may be killed at any moment. Before the first run, in another terminal:
#
#   npm run build && npx tsx benchmarks/prepare-store.ts --clients 1000          # --tiers 8 for eight margins in all
#
# which holds a store in DATA_DIR with the clients key1/secret1 to key1000/secret1000, CompIDs CLI0001 to CLI1000.
set -euo pipefail
cd "$(dirname "$0")/.."
export DATA_DIR="${DATA_DIR:-${TMPDIR:-/tmp}/ratewire-benchmark}"
export FIX_PORT="${FIX_PORT:-9880}" METRICS_PORT="${METRICS_PORT:-0}" FEED="${FEED:-ws://127.0.0.1:9881}" LOG_LEVEL="${LOG_LEVEL:-error}"
exec node ${NODE_ARGS:-} dist/engine/main.js
