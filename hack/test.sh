#!/usr/bin/env bash
# Runs the tests of every module, the flags given being go test's. The root module is
# tested with the race detector, where there is a C compiler for it.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
failed=0
race=()
if [[ "$(go env CGO_ENABLED)" == 1 ]]; then race=(-race); fi

echo "go test ./..."
go test -timeout 30m ${race[@]+"${race[@]}"} "$@" ./... || failed=1

# test/apiserver has no tests: it is the server that they run on.
while IFS= read -r mod; do
  dir="$(dirname "$mod")"
  echo "go test ./... in $dir"
  (cd "$dir" && go test -timeout 30m "$@" ./...) || failed=1
done < <(find test -name go.mod -not -path 'test/apiserver/*' -not -path '*/testdata/*' | LC_ALL=C sort)
exit "$failed"
