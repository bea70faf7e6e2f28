import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Config, readConfig } from '../../config.ts'
import { BackupError } from '../../kit/backup/schema.ts'
import { lockDataFolder, buildLockedMessage } from '../../kit/data-lock.ts'
import { startDatabase } from '../database.ts'
import { applyNetworkSettings } from '../network.ts'
import { describeStartFault, wrongUseExitCode } from '../start-fault.ts'

/** Exits with a one-line message, after wrong usage or when the command is impossible. */
export function exitWithMessage(message: string): never {
  console.error(message)
  process.exit(wrongUseExitCode)
}

export function readSettingsOrExit(): Config {
  const config = readConfig(process.env)
  if ('problem' in config) exitWithMessage(config.problem)
  return config
}

export function exitWithHelp(usage: string): never {
  console.log(usage)
  process.exit(0)
}

export const isHelpRequest = (args: readonly string[]): boolean => args.some((arg) => arg === '--help' || arg === '-h')

type Flags = Readonly<Record<string, { type: 'boolean' | 'string' }>>

/** Parses the arguments: one file and optional flags. Prints the usage for `--help`. */
export function parseFileAndFlags(
  usage: string,
  flags: Flags,
): { file: string; flags: Readonly<Record<string, string | boolean | undefined>> } {
  try {
    const { positionals, values: flagValues } = parseArgs({
      allowPositionals: true,
      options: { help: { type: 'boolean', short: 'h' }, ...flags },
    })
    if (flagValues.help) exitWithHelp(usage)
    const [file, ...otherArguments] = positionals
    if (file === undefined || otherArguments.length > 0) exitWithMessage(usage)
    // npm starts scripts in the product's folder, and passes the caller's folder.
    return { file: resolve(process.env.INIT_CWD ?? '', file), flags: flagValues }
  } catch (error) {
    exitWithMessage(`${(error as Error).message}\n${usage}`)
  }
}

/**
 * Runs `work` on the database, whether a server runs or not; starts and stops the database if necessary.
 * @param options.alone refuse while Clearway uses the data folder
 */
export async function withDatabase<T>(
  config: Config,
  work: (url: string) => Promise<T>,
  options: { alone?: boolean } = {},
): Promise<T> {
  try {
    return await useDatabase(config, work, options)
  } catch (error) {
    if (error instanceof BackupError) exitWithMessage(error.message)
    const faultMessage = describeStartFault(error, config)
    if (faultMessage !== null) exitWithMessage(faultMessage)
    throw error
  }
}

/** The same for commands that also work without a database. @throws why it cannot be used */
export async function useDatabase<T>(
  config: Config,
  work: (url: string) => Promise<T>,
  options: { alone?: boolean } = {},
): Promise<T> {
  applyNetworkSettings(config)
  const dataLock = await lockDataFolder(config.CLEARWAY_DATA)
  // The embedded database is unreachable from another container.
  const isReachable = dataLock.taken || !dataLock.elsewhere || config.DATABASE_URL !== null
  if (!dataLock.taken && (options.alone || !isReachable))
    throw new BackupError(buildLockedMessage(config.CLEARWAY_DATA, dataLock))
  const runningDatabase = await startDatabase(config)
  try {
    return await work(runningDatabase.url)
  } finally {
    if (dataLock.taken) {
      await runningDatabase.stop()
      await dataLock.release()
    }
  }
}

export const writeProgress = process.stderr.isTTY
  ? (line: string): void => void process.stderr.write(`\r\u001b[K${line}`)
  : undefined
export const endProgress = (): void => writeProgress?.('')
