import { availableParallelism, freemem, loadavg, release, totalmem } from 'node:os'
import type { Config } from '../config.ts'
import { readMigrationStates, type ServiceSchema, serviceSchemas } from '../kit/database.ts'
import { readFreeBytes } from '../kit/disk.ts'
import { createRedactor, shortenUrls } from '../kit/redact.ts'
import type { MonitorDb } from '../monitor/database.ts'
import { getSystemHealth } from '../monitor/health/service.ts'
import { readFigures, readRecentEnds, readTableSizes } from '../monitor/health/store.ts'
import { allMigrations } from '../migrations/all.ts'
import { createOutsideChecks } from './outside.ts'
import { readProductBuild, readProductVersion } from './version.ts'

async function describeMachine(config: Config) {
  return {
    node: process.version,
    platform: `${process.platform} ${process.arch} ${release()}`,
    processors: availableParallelism(),
    memoryBytes: totalmem(),
    freeMemoryBytes: freemem(),
    load: loadavg(),
    dataFolderFreeBytes: await readFreeBytes(config.CLEARWAY_DATA),
    // A wrong clock explains refused sign-ins and certificates.
    clock: new Date().toISOString(),
  }
}

const describeFailure = (error: unknown) => ({ problem: (error as Error).message })

/** State of the database: health, migrations, figures. No rows of users. A part that fails says why. */
async function describeSystem(db: MonitorDb, config: Config) {
  const outside = createOutsideChecks(config)
  const readMigrations = (schema: ServiceSchema) => readMigrationStates(db, schema, allMigrations[schema])
  const parts = {
    health: getSystemHealth({
      db,
      version: readProductVersion(),
      build: readProductBuild(),
      dataFolder: config.CLEARWAY_DATA,
      checkMailServer: outside.mail,
      checkIdentityProvider: outside.signIn,
      migrations: () => readMigrations('monitor'),
      processes: () => [],
    }),
    figures: readFigures({ db }),
    endedRunsOfWeek: readRecentEnds({ db }),
    tables: readTableSizes({ db }),
    ...Object.fromEntries(serviceSchemas.map((schema) => [`${schema}Migrations`, readMigrations(schema)])),
  }
  const described = Object.entries<Promise<unknown>>(parts).map(async ([name, part]) => [name, await part.catch(describeFailure)])
  return Object.fromEntries((await Promise.all(described)) as [string, unknown][])
}

/**
 * Describes an installation for someone who helps, as JSON.
 * @param options.db null while there is no database; `problem` then says why
 * @param options.secretTexts removed wherever they occur
 */
export async function buildSupportBundle(options: {
  config: Config
  settings: readonly string[]
  secretTexts: readonly string[]
  log: readonly string[]
  db: MonitorDb | null
  problem: string | null
}): Promise<string> {
  const { config, settings, log, db } = options
  const bundle = {
    createdAt: new Date().toISOString(),
    version: readProductVersion(),
    build: readProductBuild(),
    machine: await describeMachine(config),
    settings,
    system: db ? await describeSystem(db, config) : { problem: options.problem },
    log: log.map(shortenUrls),
  }
  const redact = createRedactor(options.secretTexts)
  return `${JSON.stringify(bundle, (_key, value: unknown) => (typeof value === 'string' ? redact(value) : value), 2)}\n`
}
