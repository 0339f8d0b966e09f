#!/usr/bin/env bash
# Compiles, vets and tests the generated code of the examples and of the zoo with each
# supported version of controller-runtime, in a module of its own with these and nothing
# else. The module has Go 1.21's language where the version allows, else the oldest that
# it does. Arguments are versions; without any, all of them.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
root="$PWD"
versions=("$@")
if ((${#versions[@]} == 0)); then
  for mod in test/compat/versions/*.mod; do versions+=("$(basename "$mod" .mod)"); done
fi

module="$(mktemp -d)"
trap 'rm -rf "$module"' EXIT
mkdir -p "$module"/{examples/api,test/zoo/api,test}
cp -R examples/api/v1alpha1 "$module/examples/api/"
cp -R test/zoo/api/v1 "$module/test/zoo/api/"
mkdir "$module/test/compat"
cp test/compat/*_test.go "$module/test/compat/"

cd "$module"
# A workspace or flags of the caller's are about other modules.
export GOWORK=off GOFLAGS=-mod=mod
failed=0
for version in "${versions[@]}"; do
  start="$SECONDS"
  cp "$root/test/compat/versions/$version.mod" go.mod
  cp "$root/test/compat/versions/$version.sum" go.sum
  # go vet compiles with the test files, and what is compiled is shared between the versions
  # through the build cache.
  if go vet ./... && go test -vet=off ./test/compat; then
    echo "compat $version: fine at $(grep '^go ' go.mod), $((SECONDS - start)) s"
  else
    echo "compat $version: FAILED" >&2
    failed=1
  fi
done
exit "$failed"
