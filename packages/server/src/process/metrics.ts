import type { Config } from '../config.ts'
import { type MetricsServer, serveMetrics } from '../kit/metrics/registry.ts'
import { startDiskMetrics } from '../kit/metrics/disk.ts'
import { startPoolMetrics } from '../kit/metrics/pool.ts'
import { ClusterError } from '../kit/postgres/cluster.ts'

/** Serves the metrics of this process, if configured. */
export async function startMetrics(config: Config): Promise<MetricsServer> {
  const { CLEARWAY_METRICS_HOST: metricsHost, CLEARWAY_METRICS_PORT: metricsPort } = config
  if (metricsPort === 0) return { stop: () => Promise.resolve() }
  try {
    const metricsServer = await serveMetrics(metricsHost, metricsPort)
    const stopFunctions = [startPoolMetrics(), startDiskMetrics(config.CLEARWAY_DATA)]
    const stopMetrics = () => {
      for (const stop of stopFunctions) stop()
      return metricsServer.stop()
    }
    return { stop: stopMetrics }
  } catch (error) {
    const { code: errorCode = String(error) } = error as NodeJS.ErrnoException
    throw new ClusterError(
      `Metrics cannot be served on port ${metricsPort} of ${metricsHost} (${errorCode}). Set CLEARWAY_METRICS_PORT and CLEARWAY_METRICS_HOST.`,
    )
  }
}
