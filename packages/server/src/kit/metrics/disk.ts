import { tmpdir } from 'node:os'
import { Gauge } from 'prom-client'
import { readDiskSpace } from '../disk.ts'
import { metricsRegistry, onMetricsRead } from './registry.ts'

const freeGauge = new Gauge({
  name: 'clearway_disk_free_bytes',
  help: 'Free space of the disks that this process writes to.',
  labelNames: ['disk'],
  registers: [metricsRegistry],
})

const sizeGauge = new Gauge({
  name: 'clearway_disk_size_bytes',
  help: 'Size of the disks that this process writes to.',
  labelNames: ['disk'],
  registers: [metricsRegistry],
})

/** Measures the disks of the data folder and of temporary files before each read of the metrics. Returns a function that stops this. */
export const startDiskMetrics = (dataFolder: string): (() => void) =>
  onMetricsRead(async () => {
    freeGauge.reset()
    sizeGauge.reset()
    for (const [disk, folder] of [
      ['data', dataFolder],
      ['temporary', tmpdir()],
    ] as const) {
      const diskSpace = await readDiskSpace(folder)
      if (diskSpace === null) continue
      freeGauge.set({ disk }, diskSpace.freeBytes)
      sizeGauge.set({ disk }, diskSpace.totalBytes)
    }
  })
