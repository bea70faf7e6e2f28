import { Gauge } from 'prom-client'
import { listOpenPools } from '../postgres/pool.ts'
import { onMetricsRead, metricsRegistry } from './registry.ts'

const connectionsGauge = new Gauge({
  name: 'clearway_database_connections',
  help: 'Open connections of this process to the database.',
  labelNames: ['service', 'state'],
  registers: [metricsRegistry],
})
const maxConnectionsGauge = new Gauge({
  name: 'clearway_database_connections_max',
  help: 'Connections that this process may open.',
  labelNames: ['service'],
  registers: [metricsRegistry],
})
const waitingGauge = new Gauge({
  name: 'clearway_database_requests_waiting',
  help: 'Work of this process that waits for a free connection.',
  labelNames: ['service'],
  registers: [metricsRegistry],
})

/** Measures the connection pools before each read of the metrics. Returns a function that stops this. */
export const startPoolMetrics = (): (() => void) =>
  onMetricsRead(() => {
    for (const gauge of [connectionsGauge, maxConnectionsGauge, waitingGauge]) gauge.reset()
    // A service may have several pools.
    for (const pool of listOpenPools()) {
      const { service: serviceName } = pool
      connectionsGauge.inc({ service: serviceName, state: 'idle' }, pool.idle)
      connectionsGauge.inc({ service: serviceName, state: 'busy' }, pool.open - pool.idle)
      maxConnectionsGauge.inc({ service: serviceName }, pool.maxConnections)
      waitingGauge.inc({ service: serviceName }, pool.waiting)
    }
    return Promise.resolve()
  })
