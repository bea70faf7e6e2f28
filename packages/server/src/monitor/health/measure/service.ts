import { Gauge } from 'prom-client'
import { exportMetrics, onMetricsRead } from '../../../kit/metrics/registry.ts'
import type { MonitorDb } from '../../database.ts'
import { readFigures, readVitals, type SystemFigures, type Vitals } from '../store.ts'

type SystemMetrics = SystemFigures & Vitals

/** A gauge of the whole system with the same value in every process. */
const createGauge = (name: string, help: string, readValue: (metrics: SystemMetrics) => number) => ({
  gauge: new Gauge({ name, help, registers: [] }),
  read: readValue,
})

const databaseUpGauge = new Gauge({
  name: 'clearway_database_up',
  help: '1 when the database answers, else 0.',
  registers: [],
})
const deadTuplesGauge = new Gauge({
  name: 'clearway_database_dead_tuples',
  help: 'Rows of a table that vacuum has not cleared away yet.',
  labelNames: ['schema', 'table'],
  registers: [],
})
const systemGauges = [
  createGauge('clearway_runs_waiting', 'Runs that no worker has started.', (f) => f.waitingRuns),
  createGauge('clearway_runs_active', 'Runs in progress.', (f) => f.activeRuns),
  createGauge('clearway_queue_age_seconds', 'Waiting time of the oldest queued run; 0 for none.', (f) => f.oldestWaitSeconds),
  createGauge(
    'clearway_pages_waiting',
    'Discovered pages without a result, in all queued and active runs.',
    (f) => f.waitingPages,
  ),
  createGauge('clearway_workers', 'Workers with a recent heartbeat.', (f) => f.workers.length),
  createGauge(
    'clearway_workers_without_browser',
    'Workers whose browser fails to start.',
    (f) => f.workers.filter(({ problem }) => problem !== null).length,
  ),
  createGauge(
    'clearway_workers_silent',
    'Workers that ended or hang without signing off, for half an hour.',
    (f) => f.silentWorkers,
  ),
  createGauge(
    'clearway_clock_skew_seconds',
    'Clock of this process minus clock of the database.',
    (f) => Date.now() / 1000 - f.databaseTime,
  ),
  createGauge('clearway_schedules_late', 'Schedules overdue by at least five minutes.', (f) => f.lateSchedules),
  createGauge('clearway_deliveries_waiting', 'Messages to be delivered.', (f) => f.waitingDeliveries),
  createGauge('clearway_delivery_age_seconds', 'Delay of the most overdue message; 0 for none.', (f) => f.oldestDeliverySeconds),
  createGauge('clearway_database_size_bytes', 'Size of the database.', (f) => f.databaseBytes),
]

async function updateGauges(db: MonitorDb): Promise<void> {
  try {
    const [systemVitals, systemFigures] = await Promise.all([readVitals({ db }), readFigures({ db })])
    for (const { gauge, read: readValue } of systemGauges) gauge.set(readValue({ ...systemVitals, ...systemFigures }))
    deadTuplesGauge.reset()
    for (const { schema, table, count } of systemFigures.deadTuples) deadTuplesGauge.set({ schema, table }, count)
    databaseUpGauge.set(1)
  } catch {
    // Without a database the values are unknown: a stale series would report a healthy system.
    for (const { gauge } of systemGauges) gauge.remove()
    deadTuplesGauge.reset()
    databaseUpGauge.set(0)
  }
}

/** Exports the gauges, and updates them before each read of the metrics; returns a stop function. */
export function measureSystem({ db }: { db: MonitorDb }): () => void {
  exportMetrics([databaseUpGauge, deadTuplesGauge, ...systemGauges.map(({ gauge }) => gauge)])
  return onMetricsRead(() => updateGauges(db))
}
