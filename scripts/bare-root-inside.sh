#!/usr/bin/env bash
# The part of bare-root.sh that runs inside, as an unprivileged user.
set -euo pipefail
cd ~/clearway
echo "node $(node --version), npm $(npm --version), $(id -un), /dev/shm $(df -h --output=size /dev/shm | tail -1)"
time npm ci --no-audit --no-fund 2>&1 | grep -v EBADENGINE | tail -5

echo '== npm start'
start=$(date +%s%N)
CLEARWAY_ADMIN_PASSWORD=a-password-for-the-proof npm start >~/start.log 2>&1 &
server=$!
for _ in $(seq 300); do
  node -e 'fetch("http://127.0.0.1:4400/monitor/").then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))' && break
  kill -0 $server 2>/dev/null || { cat ~/start.log; exit 1; }
  sleep 0.2
done
echo "ready after $((($(date +%s%N) - start) / 1000000)) ms"
cat ~/start.log
sleep 3
node -e 'fetch("http://127.0.0.1:4400/monitor-api/actuator/health/system").then((r) => r.json()).then((h) => console.log(JSON.stringify(h.details.browser)))'
node -e 'fetch("http://127.0.0.1:4400/monitor/").then(async (r) => console.log("/monitor", r.status, (await r.text()).length, "bytes"))'

echo '== the fixture site, by the embedded browser'
npm run site >~/site.log 2>&1 &
site=$!
for _ in $(seq 50); do grep -q http ~/site.log && break; sleep 0.2; done
npx clearway scan http://127.0.0.1:4480/ --allow-private --format json --output ~/report.json
node -e '
  const r = JSON.parse(require("fs").readFileSync(process.env.HOME + "/report.json", "utf8"))
  console.log(JSON.stringify(r.totals), "score", r.score)
  const on = (path, rule) => r.pages.find((p) => p.url.endsWith(path))?.issues.filter((i) => i.rule === rule).length ?? 0
  // Only text that has been laid out can be too pale: without fonts axe finds nothing here.
  const pale = on("/serious/color-contrast", "color-contrast")
  console.log("color-contrast on its page:", pale)
  if (pale !== 2 || r.totals.completed < 40) process.exit(1)
'
# Sends Ctrl-C as a terminal does: to every process of the command, not to npm alone.
interrupt() {
  for file in /proc/[0-9]*/cmdline; do
    if tr '\0' ' ' <"$file" 2>/dev/null | grep -q "$1"; then kill -INT "$(basename "$(dirname "$file")")" 2>/dev/null || true; fi
  done
}
interrupt packages/server/dist/main.js
interrupt fixtures/site/serve.ts
wait $server $site || true
echo "server ended; left running: $(ps -u "$(id -un)" -o comm= 2>/dev/null | grep -cE 'postgres|chrom' || true)"

if [ -n "${BARE_TEST:-}" ]; then
  echo '== npm test'
  npm test
fi
