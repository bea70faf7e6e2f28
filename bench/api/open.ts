import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Config } from '../../packages/server/src/config.ts'
import { readConfig } from '../../packages/server/src/config.ts'
import { makeSchemas } from '../../packages/server/src/kit/database.ts'
import { startEmbedded } from '../../packages/server/src/kit/postgres/embedded.ts'
import type { MonitorDb } from '../../packages/server/src/monitor/database.ts'
import { openMonitorDatabase } from '../../packages/server/src/process/database.ts'
import { fill, type Size } from './database.ts'

export type Opened = {
  db: MonitorDb
  url: string
  config: Config
  version: string
  close: () => Promise<void>
}

/** The database of DATABASE_URL, else an embedded one in `folder`, filled to that size unless it has scans already. */
export async function openBig(folder: string, size: Size, say: (text: string) => void): Promise<Opened> {
  mkdirSync(folder, { recursive: true })
  const external = process.env.DATABASE_URL
  const cluster = external ? null : await startEmbedded({ data: join(folder, 'data'), report: say })
  const url = external ?? cluster!.url
  await makeSchemas(url)
  const config = readConfig({
    DATABASE_URL: url,
    CLEARWAY_DATA: folder,
    CLEARWAY_PUBLIC_RATE: '1000000',
    CLEARWAY_DATABASE_CONNECTIONS: process.env.CLEARWAY_DATABASE_CONNECTIONS ?? '10',
  }) as Config
  const db = await openMonitorDatabase(config, url)
  const { rows } = await sql<{ scans: number; version: string }>`
    select count(*) as scans, current_setting('server_version') as version from scan`.execute(db)
  if (rows[0]!.scans === 0) {
    const began = Date.now()
    await fill(db, size, say)
    say(`filled in ${Math.round((Date.now() - began) / 1000)} s`)
  }
  const close = async () => {
    await db.destroy()
    await cluster?.stop()
  }
  return { db, url, config, version: rows[0]!.version, close }
}
