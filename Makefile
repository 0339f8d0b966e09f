# The targets of this repository; `make help` lists them.

SHELL := /usr/bin/env bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# The race detector needs a C compiler.
RACE = $(if $(filter 1,$(shell go env CGO_ENABLED)),-race)

.PHONY: help
help: ## Show this list.
	@awk 'BEGIN { FS = ":.*## " } /^[a-z-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: generate
generate: ## Write all generated code: marker help, deepcopy, CRDs, status patchers.
	@hack/update-codegen.sh

.PHONY: verify
verify: ## Fail if the generated code in git is not what generate writes.
	@hack/verify-codegen.sh

.PHONY: lint
lint: ## Run gofmt, go vet and staticcheck over every module.
	@hack/lint.sh

.PHONY: test
test: ## Run all tests of every module on a real API server.
	@KUBEBUILDER_ASSETS="$$(hack/apiserver-assets.sh)" && export KUBEBUILDER_ASSETS && hack/test.sh

.PHONY: test-quick
test-quick: ## Run the tests of the root module that need no API server.
	@env -u KUBEBUILDER_ASSETS go test ./...

.PHONY: compat
compat: ## Compile and test the generated code with each supported controller-runtime.
	@hack/compat.sh

.PHONY: bench-gen
bench-gen: ## Measure the generator against controller-gen and deepcopy-gen.
	@go run ./test/benchgen

.PHONY: demo
demo: ## Generate the examples anew and show on a real API server what their patchers prevent.
	@go run ./cmd/statuspatcher-gen --go-header-file hack/boilerplate.go.txt ./examples/api/...
	@KUBEBUILDER_ASSETS="$$(hack/apiserver-assets.sh)" && export KUBEBUILDER_ASSETS && go run ./examples/demo

.PHONY: soak
soak: ## Write for a long time, over faults and crashes of the server (SOAK_UPDATES, SOAK_SEED).
	@KUBEBUILDER_ASSETS="$$(hack/apiserver-assets.sh)" && export KUBEBUILDER_ASSETS && \
	SOAK_UPDATES="$${SOAK_UPDATES:-20000}" go test $(RACE) -count=1 -timeout 60m -v ./test/soak

.PHONY: contention
contention: ## Measure many writers of one object, beside other ways of writing status.
	@KUBEBUILDER_ASSETS="$$(hack/apiserver-assets.sh)" && export KUBEBUILDER_ASSETS && \
	go test -count=1 -timeout 20m -run '^$$' -bench . -benchtime 1x ./test/contention

.PHONY: bench
bench: ## Measure the patchers beside what people use today, and write docs/benchmarks.md anew.
	@KUBEBUILDER_ASSETS="$$(hack/apiserver-assets.sh)" && export KUBEBUILDER_ASSETS && cd test/peers && go run ./cmd/bench

.PHONY: apiserver
apiserver: ## Build the API server and etcd for the tests, once, and print their folder.
	@hack/apiserver-assets.sh
