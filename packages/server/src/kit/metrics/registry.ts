import { createServer } from 'node:http'
import { collectDefaultMetrics, type Metric, Registry } from 'prom-client'

export const metricsRegistry = new Registry()

/** Adds metrics to those of this process. Only the process that measures them calls it: another one would report them as 0. */
export function exportMetrics(metrics: readonly Metric[]): void {
  for (const metric of metrics) metricsRegistry.registerMetric(metric)
}

const collectors = new Set<() => Promise<void>>()

/** Calls `work` before each read of the metrics, to update some of them. Returns a function that stops this. */
export function onMetricsRead(work: () => Promise<void>): () => void {
  collectors.add(work)
  return () => void collectors.delete(work)
}

async function readMetrics(): Promise<string> {
  await Promise.all([...collectors].map((work) => work()))
  return metricsRegistry.metrics()
}

export type MetricsServer = { stop: () => Promise<void> }

/** Serves `/metrics` on a separate port, which users of the product cannot read. Rejects if the port cannot be bound. */
export async function serveMetrics(host: string, port: number): Promise<MetricsServer> {
  // Metrics of Node.js: memory, handles, event loop delay.
  if (!metricsRegistry.getSingleMetric('process_cpu_user_seconds_total')) collectDefaultMetrics({ register: metricsRegistry })
  const metricsServer = createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') return void response.writeHead(404).end()
    readMetrics().then(
      (metricsText) => response.writeHead(200, { 'content-type': metricsRegistry.contentType }).end(metricsText),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => metricsServer.once('error', reject).listen(port, host, resolve))
  return {
    stop: () =>
      new Promise((resolve) => {
        metricsServer.close(() => resolve())
        metricsServer.closeAllConnections()
      }),
  }
}
