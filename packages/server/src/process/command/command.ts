import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Config, readConfig } from '../../config.ts'
import { BackupError } from '../../kit/backup/schema.ts'
import { lockData, lockedMessage } from '../../kit/data-lock.ts'
import { startDatabase } from '../database.ts'
import { startFault, wrongUse } from '../start-fault.ts'

/** Ends a command that was called in the wrong way, or that cannot do what it was asked: one line for a person. */
export function refuse(message: string): never {
  console.error(message)
  process.exit(wrongUse)
}

/** The settings, or the end. */
export function settingsOf(): Config {
  const config = readConfig(process.env)
  if ('problem' in config) refuse(config.problem)
  return config
}

/** One file and the flags that may come with it. */
export function fileAndFlags(
  usage: string,
  flags: readonly string[] = [],
): { file: string; flags: Set<string> } {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: Object.fromEntries(flags.map((flag) => [flag, { type: 'boolean' as const }])),
    })
    const [file, ...rest] = positionals
    if (file === undefined || rest.length > 0) refuse(usage)
    // npm starts scripts in the folder of the product, and says where it was called.
    return { file: resolve(process.env.INIT_CWD ?? '', file), flags: new Set(Object.keys(values)) }
  } catch (error) {
    refuse(`${(error as Error).message}\n${usage}`)
  }
}

/**
 * Works on the database while a server runs or not: it is started for this where none does, and stopped again.
 * @param options.alone refuse where Clearway runs on the data folder
 */
export async function withDatabase<T>(
  config: Config,
  work: (url: string) => Promise<T>,
  options: { alone?: boolean } = {},
): Promise<T> {
  try {
    const lock = await lockData(config.CLEARWAY_DATA)
    // From another container its database cannot be reached.
    const reachable = lock.taken || !lock.elsewhere || config.DATABASE_URL !== null
    if (!lock.taken && (options.alone || !reachable)) refuse(lockedMessage(config.CLEARWAY_DATA, lock))
    const database = await startDatabase(config)
    try {
      return await work(database.url)
    } finally {
      if (lock.taken) {
        await database.stop()
        await lock.release()
      }
    }
  } catch (error) {
    if (error instanceof BackupError) refuse(error.message)
    const fault = startFault(error, config)
    if (fault !== null) refuse(fault)
    throw error
  }
}

/** A line that is written over, where somebody looks on. */
export const progress = process.stderr.isTTY
  ? (line: string): void => void process.stderr.write(`\r\u001b[K${line}`)
  : undefined
export const endProgress = (): void => progress?.('')
