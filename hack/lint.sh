#!/usr/bin/env bash
# Runs gofmt, go vet and staticcheck over every module of the repository.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
root="$PWD"
failed=0

# Files below testdata are input of tests and may be wrong on purpose.
unformatted="$(git ls-files -z --cached --others --exclude-standard '*.go' ':!:*/testdata/*' |
  while IFS= read -r -d '' file; do if [[ -e "$file" ]]; then printf '%s\0' "$file"; fi; done |
  xargs -0 gofmt -l)"
if [[ -n "$unformatted" ]]; then
  echo "not formatted, run gofmt -w on:" >&2
  echo "$unformatted" >&2
  failed=1
fi

staticcheck="$root/.cache/bin/staticcheck"
go build -C hack/tools -o "$staticcheck" honnef.co/go/tools/cmd/staticcheck

# Modules without a package of their own, such as that of the tools, have nothing to check.
while IFS= read -r mod; do
  dir="$(dirname "$mod")"
  if [[ -z "$(cd "$dir" && go list ./... 2>/dev/null)" ]]; then continue; fi
  echo "lint $dir"
  (cd "$dir" && go vet ./...) || failed=1
  (cd "$dir" && "$staticcheck" ./...) || failed=1
done < <(find . -name go.mod -not -path './.*' -not -path '*/testdata/*' | LC_ALL=C sort)
exit "$failed"
