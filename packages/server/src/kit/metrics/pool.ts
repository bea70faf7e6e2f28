import { Gauge } from 'prom-client'
import { openPools } from '../postgres/pool.ts'
import { beforeReading, registry } from './registry.ts'

const connections = new Gauge({
  name: 'clearway_database_connections',
  help: 'Open connections of this process to the database.',
  labelNames: ['service', 'state'],
  registers: [registry],
})
const most = new Gauge({
  name: 'clearway_database_connections_max',
  help: 'Connections that this process may open.',
  labelNames: ['service'],
  registers: [registry],
})
const waiting = new Gauge({
  name: 'clearway_database_requests_waiting',
  help: 'Work of this process that waits for a free connection.',
  labelNames: ['service'],
  registers: [registry],
})

/** Measures the connection pools whenever the figures are read; answers how to end that. */
export const measurePools = (): (() => void) =>
  beforeReading(() => {
    for (const gauge of [connections, most, waiting]) gauge.reset()
    // A service may have several.
    for (const pool of openPools()) {
      const { service } = pool
      connections.inc({ service, state: 'idle' }, pool.idle)
      connections.inc({ service, state: 'busy' }, pool.open - pool.idle)
      most.inc({ service }, pool.most)
      waiting.inc({ service }, pool.waiting)
    }
    return Promise.resolve()
  })
