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
kube::codegen::gen_helpers --boilerplate "$PWD/$header" "$PWD/test/conditions/api"
kube::codegen::gen_helpers --boilerplate "$PWD/$header" "$PWD/test/zoo/api"
kube::codegen::gen_helpers --boilerplate "$PWD/$header" "$PWD/test/vectors/api"

# Old CRDs go first, so that one of a kind that is gone does not stay behind.
rm -f examples/config/crd/*.yaml
tool controller-gen crd paths=./examples/api/... output:crd:dir=examples/config/crd

rm -f test/conditions/crd/*.yaml
tool controller-gen crd paths=./test/conditions/api/... output:crd:dir=test/conditions/crd

# The zoo has floats, which controller-gen warns of.
rm -f test/zoo/crd/*.yaml
tool controller-gen crd:allowDangerousTypes=true paths=./test/zoo/api/... output:crd:dir=test/zoo/crd

rm -f test/vectors/crd/*.yaml
tool controller-gen crd paths=./test/vectors/api/... output:crd:dir=test/vectors/crd

go run ./cmd/statuspatcher-gen --go-header-file "$header" ./examples/api/... ./test/conditions/... \
  ./test/zoo/... ./test/vectors/...

# Types of Kubernetes and Cluster API, in a module of their own: their patchers, and of
# Cluster API's two kinds the CRDs that controller-gen makes of its API module.
generator="$PWD/.cache/bin/statuspatcher-gen"
tools="$PWD/hack/tools/go.mod"
go build -o "$generator" ./cmd/statuspatcher-gen
(
  cd test/realtypes
  "$generator" --go-header-file "../../$header" .
  crds="$(mktemp -d)"
  trap 'rm -rf "$crds"' EXIT
  api=sigs.k8s.io/cluster-api/api
  go tool -modfile="$tools" controller-gen crd:maxDescLen=0 \
    paths="$api/controlplane/kubeadm/v1beta2" paths="$api/core/v1beta2" output:crd:dir="$crds"
  mkdir -p config/crd
  rm -f config/crd/*.yaml
  cp "$crds"/{controlplane.cluster.x-k8s.io_kubeadmcontrolplanes,cluster.x-k8s.io_machinesets}.yaml config/crd
)
