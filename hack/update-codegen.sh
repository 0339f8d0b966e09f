#!/usr/bin/env bash
# Writes all generated code: help of the markers, deepcopy methods, CRDs and the status
# patchers of the examples.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
export GOBIN="$PWD/.cache/bin" # where kube_codegen.sh installs its generators
header="hack/boilerplate.go.txt"
tool() { go tool -modfile=hack/tools/go.mod "$@"; }

tool helpgen generate:headerFile="$header" paths=./markers

# shellcheck source=/dev/null # it is in the module cache
source "$(cd hack/tools && go mod download k8s.io/code-generator && go list -m -f '{{.Dir}}' k8s.io/code-generator)/kube_codegen.sh"
kube::codegen::gen_helpers --boilerplate "$PWD/$header" "$PWD/examples/api"

# Old CRDs go first, so that one of a kind that is gone does not stay behind.
rm -f examples/config/crd/*.yaml
tool controller-gen crd paths=./examples/api/... output:crd:dir=examples/config/crd

go run ./cmd/statuspatcher-gen --go-header-file "$header" ./examples/api/...
