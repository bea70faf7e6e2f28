import type { Config } from '../config.ts'
import { type Metrics, serveMetrics } from '../kit/metrics/registry.ts'
import { measurePools } from '../kit/metrics/pool.ts'
import { ClusterError } from '../kit/postgres/cluster.ts'

/** Gives the figures of this process, where the settings want that. */
export async function startMetrics(config: Config): Promise<Metrics> {
  const { CLEARWAY_METRICS_HOST: host, CLEARWAY_METRICS_PORT: port } = config
  if (port === 0) return { stop: () => Promise.resolve() }
  try {
    const metrics = await serveMetrics(host, port)
    const endMeasuring = measurePools()
    const stop = () => {
      endMeasuring()
      return metrics.stop()
    }
    return { stop }
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException
    throw new ClusterError(
      `Figures cannot be given on port ${port} of ${host} (${code}). Set CLEARWAY_METRICS_PORT and CLEARWAY_METRICS_HOST.`,
    )
  }
}
