import { createServer } from 'node:http'
import { collectDefaultMetrics, Registry } from 'prom-client'

/** All figures of this process. What counts adds its own at the place where it counts. */
export const registry = new Registry()

const collectors = new Set<() => Promise<void>>()

/** Calls `work` before the figures are read, to bring some of them up to date; answers how to end that. */
export function beforeReading(work: () => Promise<void>): () => void {
  collectors.add(work)
  return () => void collectors.delete(work)
}

async function readFigures(): Promise<string> {
  await Promise.all([...collectors].map((work) => work()))
  return registry.metrics()
}

export type Metrics = { stop: () => Promise<void> }

/**
 * Gives the figures at `/metrics` of a port of their own: whoever may use the product is not who may read them.
 * Rejects when the port cannot be listened on.
 */
export async function serveMetrics(host: string, port: number): Promise<Metrics> {
  // Figures of Node itself: memory, handles, how late the event loop is.
  if (!registry.getSingleMetric('process_cpu_user_seconds_total'))
    collectDefaultMetrics({ register: registry })
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics')
      return void response.writeHead(404).end()
    readFigures().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((done, fail) => server.once('error', fail).listen(port, host, done))
  return {
    stop: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
