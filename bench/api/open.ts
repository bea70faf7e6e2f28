import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Config, readConfig } from '../../packages/server/src/config.ts'
import { createSchemas } from '../../packages/server/src/kit/database.ts'
import { startEmbedded } from '../../packages/server/src/kit/postgres/embedded.ts'
import { countUnlistedRuns } from '../../packages/server/src/monitor/issue/listed/service.ts'
import type { MonitorDb } from '../../packages/server/src/monitor/database.ts'
import { openMonitorDatabase } from '../../packages/server/src/process/database.ts'
import { fillDatabase, type Size } from './database.ts'

export type Opened = { db: MonitorDb; url: string; config: Config; version: string; close: () => Promise<void> }

/** Opens the database of DATABASE_URL, else an embedded one in `folder`; fills it to that size unless it already has scans. */
export async function openBigDatabase(folder: string, size: Size, report: (message: string) => void): Promise<Opened> {
  mkdirSync(folder, { recursive: true })
  const external = process.env.DATABASE_URL
  const cluster = external ? null : await startEmbedded({ data: join(folder, 'data'), report })
  const url = external ?? cluster!.url
  await createSchemas(url)
  const config = readConfig({
    DATABASE_URL: url,
    CLEARWAY_DATA: folder,
    CLEARWAY_PUBLIC_RATE: '1000000',
    CLEARWAY_DATABASE_CONNECTIONS: process.env.CLEARWAY_DATABASE_CONNECTIONS ?? '10',
  }) as Config
  const db = await openMonitorDatabase(config, url)
  const { rows: countRows } = await sql<{ scans: number; version: string }>`
    select count(*) as scans, current_setting('server_version') as version from scan`.execute(db)
  if (countRows[0]!.scans === 0) {
    const began = Date.now()
    await fillDatabase(db, size, report)
    report(`filled in ${Math.round((Date.now() - began) / 1000)} s`)
  }
  // The scheduler does this for a database of an earlier version.
  await countUnlistedRuns({ db })
  const close = async () => {
    await db.destroy()
    await cluster?.stop()
  }
  return { db, url, config, version: countRows[0]!.version, close }
}
