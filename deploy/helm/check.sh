#!/usr/bin/env bash
# Renders the chart with each values file and validates the output. Needs helm, and the program of `pip install
# kubernetes-validate` (schemas of Kubernetes); also runs kube-score if installed.
#
#   deploy/helm/check.sh
set -euo pipefail
cd "$(dirname "$0")"
scored=no
kubernetes=${KUBERNETES_VERSION:-1.33}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
for program in helm kubernetes-validate; do
  command -v "$program" >/dev/null || { echo "$program is missing: nothing was checked" >&2; exit 2; }
done

for values in values/*.yaml; do
  name=$(basename "$values" .yaml)
  helm lint --strict --quiet clearway -f "$values"
  helm template clearway clearway --namespace clearway -f "$values" >"$out/$name.yaml"
  # Fields unknown to Kubernetes fail. There is no schema for kinds of KEDA and the Prometheus operator, which is reported.
  kubernetes-validate --quiet --no-warn -k "$kubernetes" --strict "$out/$name.yaml"
  # No CPU limit: a throttled server responds late, without any benefit. Tags are fixed, so images need not be pulled each
  # time. The smallest set of values omits the network policies on purpose.
  if command -v kube-score >/dev/null; then
    kube-score score --output-format ci --ignore-container-cpu-limit --ignore-test container-image-pull-policy \
      $([ "$name" = small ] && echo --ignore-test pod-networkpolicy) "$out/$name.yaml" >"$out/score" || true
    ! grep '^\[CRITICAL\]' "$out/score" || exit 1
    scored=yes
  fi
  echo "ok $name: $(grep -c '^kind:' "$out/$name.yaml") objects"
done

# Must not be rendered.
refuse() {
  if helm template clearway clearway "$@" >/dev/null 2>&1; then
    echo "accepted, and should not be: $*" >&2
    exit 1
  fi
  echo "ok refused: $*"
}
refuse
refuse --set existingSecret=a
refuse -f values/least.yaml --set worker.replica=3
refuse -f values/least.yaml --set settings.CLEARWAY_data=/x
refuse -f values/least.yaml --set autoscaling.kind=magic
refuse -f values/least.yaml --set networkPolicy.database.cidr=database
refuse -f values/least.yaml --set gateway.enabled=true
refuse -f values/least.yaml --set 'networkPolicy.dns[0].port=53'
refuse -f values/least.yaml --set networkPolicy.proxy.cidr=10.20.0.9/32
refuse -f values/least.yaml --set networkPolicy.proxy.cidr=proxy.example.org --set networkPolicy.proxy.port=3128
refuse -f values/least.yaml --set ingress.maxUploadSize=much

# Must be rendered.
expect() {
  grep -q -- "$2" "$out/$1.yaml" || { echo "$1 lacks $2" >&2; exit 1; }
}
expect keda 'select coalesce(sum(greatest(not_reached, 1)), 0) from monitor.run'
expect keda 'from monitor.recheck where state in'
expect keda 'from monitor.preview_task where watched_until'
expect keda 'minReplicaCount: 1'
expect keda 'kind: ServiceMonitor'
expect hpa 'kind: HorizontalPodAutoscaler'
expect hpa 'secretName: clearway-tls'
expect hpa 'nginx.ingress.kubernetes.io/proxy-body-size: 25m'
expect least "except: \[\"fc00::/7\",\"fe80::/10\"\]"
expect least 'podSelector: { matchLabels: {"k8s-app":"kube-dns"} }'
expect least 'topologyKey: topology.kubernetes.io/zone'
expect adapted 'kind: HTTPRoute'
expect adapted 'kind: PrometheusRule'
expect adapted 'alert: ClearwayDatabaseDown'
expect adapted 'grafana_dashboard: "1"'
expect adapted 'release: prometheus'
expect adapted 'parameter: connection, name: counter, key: url'
expect adapted 'priorityClassName: important'
expect adapted 'priorityClassName: unimportant'
expect adapted 'checksum/secret: "2"'
expect adapted '"dns.operator.openshift.io/daemonset-dns":"default"'
expect adapted 'cidr: "169.254.20.10/32"'
expect adapted 'cidr: 0.0.0.0/0, except: \["10.0.0.0/8"\]'
expect adapted 'except: \["fc00::/7","fe80::/10","2001:db8:1::/48"\]'
! grep -q '::/0' <(helm template clearway clearway -f values/least.yaml --set networkPolicy.ipv6=false) ||
  { echo 'IPv6 cannot be turned off' >&2; exit 1; }
for name in server worker migrate; do
  pod=$(helm template clearway clearway -f values/adapted.yaml -s "templates/$name.yaml")
  for part in 'mountPath: /etc/clearway' 'name: our-ca' 'name: TZ' 'example.org/scan: "false"' 'CLEARWAY_CA_FILE'; do
    grep -q "$part" <<<"$pod" || { echo "$name lacks $part" >&2; exit 1; }
  done
done
expect least '{ name: CLEARWAY_TRUST_PROXY, value: "1" }'
expect adapted '{ name: CLEARWAY_TRUST_PROXY, value: "192.0.2.7,2001:db8:1::7" }'
# Servers and workers reach a proxy in a private network, by its port only; migrations have nothing to send there.
for rule in 'adapted 2' 'least 0'; do
  read -r name count <<<"$rule"
  [ "$(grep -A1 'cidr: "10.20.0.9/32"' "$out/$name.yaml" | grep -c 'port: 3128, protocol: TCP')" = "$count" ] ||
    { echo "$name lets not $count components reach the proxy" >&2; exit 1; }
done
expect least 'readOnlyRootFilesystem: true'
expect least 'localhostProfile: profiles/clearway.json'
expect least 'helm.sh/hook: pre-install,pre-upgrade'
! grep -q 'replicas:.*2' <(helm template clearway clearway -f values/keda.yaml -s templates/worker.yaml) ||
  { echo 'a scaled Deployment names its replicas' >&2; exit 1; }
grep -q 'minReplicaCount: 0' <(helm template clearway clearway -f values/keda.yaml --set autoscaling.minReplicas=0) ||
  { echo 'no worker at all cannot be chosen' >&2; exit 1; }
worker=$(helm template clearway clearway -f values/least.yaml -s templates/worker.yaml)
! grep -q 'envFrom' <<<"$worker" || { echo 'a worker gets the whole Secret' >&2; exit 1; }
for name in DATABASE_URL CLEARWAY_SECRET_KEY; do
  grep -q "name: $name, valueFrom: { secretKeyRef: { name: clearway, key: $name }" <<<"$worker" ||
    { echo "a worker lacks $name" >&2; exit 1; }
done
[ "$scored" = yes ] || echo 'kube-score is missing: the chart was not scored' >&2
echo 'the chart is what it should be'
