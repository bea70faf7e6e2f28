import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../product/start.ts'

const root = join(import.meta.dirname, '../..')
const monitoring = join(root, 'deploy/monitoring')
const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 }

/** Divides all durations of the rules, and the ages that they compare with. */
const speedUpRules = (rules: string, speed: number): string =>
  rules
    .replaceAll(/(for: |\[)(\d+)([smh])\b/g, (_, opening: string, count: string, unit: string) => {
      const seconds = Math.ceil((Number(count) * unitSeconds[unit]!) / speed)
      return `${opening}${seconds}s`
    })
    .replaceAll(/(age_seconds\) > )(\d+)/g, (_, opening: string, age: string) => `${opening}${Math.ceil(Number(age) / speed)}`)

export type FiringAlert = { name: string; summary: string; runbook: string }

/** Starts a Prometheus with the alerts of deploy/monitoring for a server and a worker. It ends with the process. */
export async function startAlerting(folder: string, { speed }: { speed: number }) {
  const ports = { server: await findFreePort(), worker: await findFreePort() }
  const listenPort = await findFreePort()
  writeFileSync(join(folder, 'alerts.yml'), speedUpRules(readFileSync(join(monitoring, 'alerts.yml'), 'utf8'), speed))
  writeFileSync(
    join(folder, 'prometheus.yml'),
    readFileSync(join(monitoring, 'prometheus.yml'), 'utf8')
      .replaceAll('15s', '1s')
      .replace(/targets: .*/, `targets: ['127.0.0.1:${ports.server}', '127.0.0.1:${ports.worker}']`),
  )
  const url = `http://127.0.0.1:${listenPort}/api/v1`
  const prometheus = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'prometheus')}`,
      `--web.listen-address=127.0.0.1:${listenPort}`,
    ],
    { stdio: 'ignore' },
  )
  process.once('exit', () => prometheus.kill())
  const read = async <T>(path: string): Promise<T> => ((await (await fetch(`${url}/${path}`)).json()) as { data: T }).data
  while ((await read('status/config').catch(() => null)) === null) await sleep(100)
  type Alert = { state: string; labels: { alertname: string }; annotations: { summary: string; runbook: string } }
  type Series = { metric: Record<string, string>; value: [number, string] }
  return {
    ports,
    listFiring: async (): Promise<FiringAlert[]> => {
      const { alerts } = await read<{ alerts: Alert[] }>('alerts')
      const firing = alerts.filter(({ state }) => state === 'firing')
      return [
        ...new Map(
          firing.map(({ labels, annotations }) => [labels.alertname, { name: labels.alertname, ...annotations }]),
        ).values(),
      ]
    },
    /** Values of an expression, as lines with the labels that tell them apart. */
    query: async (expression: string): Promise<string[]> => {
      const { result } = await read<{ result: Series[] }>(`query?query=${encodeURIComponent(expression)}`)
      return result.map(({ metric, value }) => {
        const { __name__: name = expression, job: _job, ...labels } = metric
        const labelText = Object.entries(labels).map(([label, labelValue]) => `${label}=${labelValue}`)
        return `${name} ${labelText.join(' ')} ${value[1]}`
      })
    },
    stop: () => prometheus.kill(),
  }
}

/** The section of docs/RUNBOOK.md that an alert links to. @throws if there is none */
export function readRunbook(link: string): string {
  const [file = '', anchor = ''] = link.split('#')
  const sections = readFileSync(join(root, file), 'utf8').split(/^## /m)
  const section = sections.find((text) => text.split('\n')[0]!.toLowerCase().replaceAll(/\W/g, '') === anchor)
  if (section === undefined) throw new Error(`${link} leads nowhere`)
  return section.trim()
}
