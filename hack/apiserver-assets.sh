#!/usr/bin/env bash
# Prints the folder that holds etcd and kube-apiserver for the tests, as envtest
# wants it in KUBEBUILDER_ASSETS. Builds them once, unless that is set already.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
root="$PWD"
module="$root/test/apiserver"

if [[ -n "${KUBEBUILDER_ASSETS:-}" ]]; then
  for name in etcd kube-apiserver; do
    if [[ ! -x "$KUBEBUILDER_ASSETS/$name" ]]; then
      echo "KUBEBUILDER_ASSETS=$KUBEBUILDER_ASSETS holds no $name: unset it to have the server built, or correct it" >&2
      exit 1
    fi
  done
  echo "$KUBEBUILDER_ASSETS"
  exit
fi

# Another version of the server or of Go is another build.
key="$(cd "$module" && { cat go.mod go.sum; go version; } | git hash-object --stdin | cut -c1-12)"
cache="$root/.cache/apiserver"
assets="$cache/$key"

# build NAME PACKAGE [FLAG...] builds a program into $tmp, and says every 20 s that it is still at it.
build() {
  local name="$1" package="$2" start="$SECONDS" next=20 pid
  shift 2
  echo "building $name" >&2
  go build -C "$module" -o "$tmp/$name" "$@" "$package" >&2 9>&- &
  pid=$!
  while kill -0 "$pid" 2>/dev/null; do
    sleep 1
    if ((SECONDS - start >= next)); then
      echo "building $name: $((SECONDS - start)) s" >&2
      next=$((next + 20))
    fi
  done
  wait "$pid"
  echo "built $name in $((SECONDS - start)) s" >&2
}

if [[ ! -d "$assets" ]]; then
  mkdir -p "$cache"
  # Two at once would build twice. Without flock (macOS) they do, which is slow but harmless.
  if command -v flock >/dev/null; then
    exec 9>"$cache/lock"
    flock -n 9 || { echo "waiting for another build of the API server" >&2 && flock 9; }
    rm -rf "$cache"/tmp.* # of a build that was killed
  fi
fi
if [[ ! -d "$assets" ]]; then
  tmp="$(mktemp -d "$cache/tmp.XXXXXX")"
  trap 'kill $(jobs -p) 2>/dev/null && wait || true; rm -rf "$tmp"' EXIT
  trap 'exit 130' INT TERM
  version="$(go list -C "$module" -m -f '{{.Version}}' k8s.io/kubernetes)"
  echo "building the API server for the tests ($version): about 6 minutes on 2 cores, once" >&2
  build etcd go.etcd.io/etcd/server/v3
  # Without this the server says that it is v0.0.0.
  build kube-apiserver k8s.io/kubernetes/cmd/kube-apiserver -ldflags "-X k8s.io/component-base/version.gitVersion=$version"
  chmod 755 "$tmp"
  [[ -d "$assets" ]] || mv "$tmp" "$assets"
fi
echo "$assets"
