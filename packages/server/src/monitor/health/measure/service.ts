import { Gauge } from 'prom-client'
import { beforeReading, registry } from '../../../kit/metrics/registry.ts'
import type { MonitorDb } from '../../database.ts'
import { readFigures, readVitals, type SystemFigures, type Vitals } from '../store.ts'

type Figures = SystemFigures & Vitals

/** One number of the whole system, whichever process is asked. */
const one = (name: string, help: string, read: (figures: Figures) => number) => ({
  gauge: new Gauge({ name, help, registers: [registry] }),
  read,
})

const up = new Gauge({
  name: 'clearway_database_up',
  help: '1 when the database answers, else 0.',
  registers: [registry],
})
const deadTuples = new Gauge({
  name: 'clearway_database_dead_tuples',
  help: 'Rows of a table that vacuum has not cleared away yet.',
  labelNames: ['schema', 'table'],
  registers: [registry],
})
const gauges = [
  one('clearway_runs_waiting', 'Runs that no worker has begun.', (f) => f.waitingRuns),
  one('clearway_runs_active', 'Runs that workers are on.', (f) => f.activeRuns),
  one(
    'clearway_queue_age_seconds',
    'How long the run that has waited longest has waited; 0 for none.',
    (f) => f.oldestWaitSeconds,
  ),
  one(
    'clearway_pages_waiting',
    'Pages known and not recorded yet, of all runs that go on or wait.',
    (f) => f.waitingPages,
  ),
  one('clearway_workers', 'Workers that have reported lately.', (f) => f.workers.length),
  one(
    'clearway_workers_without_browser',
    'Workers for which no browser starts.',
    (f) => f.workers.filter(({ problem }) => problem !== null).length,
  ),
  one('clearway_schedules_late', 'Schedules due for five minutes and not started.', (f) => f.lateSchedules),
  one('clearway_deliveries_waiting', 'Messages to be delivered.', (f) => f.waitingDeliveries),
  one(
    'clearway_delivery_age_seconds',
    'How long the message that is most overdue has been so; 0 for none.',
    (f) => f.oldestDeliverySeconds,
  ),
  one('clearway_database_size_bytes', 'Size of the database.', (f) => f.databaseBytes),
]

async function measure(db: MonitorDb): Promise<void> {
  try {
    const [vitals, figures] = await Promise.all([readVitals({ db }), readFigures({ db })])
    for (const { gauge, read } of gauges) gauge.set(read({ ...vitals, ...figures }))
    deadTuples.reset()
    for (const { schema, table, count } of figures.deadTuples) deadTuples.set({ schema, table }, count)
    up.set(1)
  } catch {
    // What cannot be asked is not what it was: a series that stays would say that all is well.
    for (const { gauge } of gauges) gauge.remove()
    deadTuples.reset()
    up.set(0)
  }
}

/** Measures the whole system whenever the figures are read; answers how to end that. */
export const measureSystem = ({ db }: { db: MonitorDb }): (() => void) => beforeReading(() => measure(db))
