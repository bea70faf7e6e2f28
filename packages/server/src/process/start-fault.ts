import type { Config } from '../config.ts'
import { writeLogLine } from '../kit/log.ts'
import { ClusterError } from '../kit/postgres/cluster.ts'

/** Faults of the port, and of files whose path is not known. */
const messagesByCode: ReadonlyMap<string, (config: Config) => string> = new Map(
  Object.entries({
    EADDRINUSE: ({ CLEARWAY_PORT: port }) =>
      `Port ${port} is in use by another program. Stop that, or set CLEARWAY_PORT to another.`,
    EADDRNOTAVAIL: ({ CLEARWAY_HOST: host }) => `This machine has no address ${host}. Set CLEARWAY_HOST to one of its addresses.`,
    ENOTFOUND: ({ CLEARWAY_HOST: host }) =>
      `The host name ${host} is not known. Set CLEARWAY_HOST to an address of this machine.`,
    ENOSPC: () => 'A disk is full. Make room and start again.',
    '53100': ({ CLEARWAY_DATA: data }) => `The disk of the database (${data}) is full. Make room and start again.`,
  }),
)

const dataRemedy = 'Set CLEARWAY_DATA to another folder'
/** Faults of a file or folder by error code: what is wrong with it, and the remedy outside of the data folder. */
const fileFaultsByCode: ReadonlyMap<string, { describe: (path: string) => string; remedy: string }> = new Map(
  Object.entries({
    EACCES: { describe: (path) => `Not allowed to use ${path}`, remedy: 'Give the user of this program access to it' },
    EPERM: { describe: (path) => `Not allowed to use ${path}`, remedy: 'Give the user of this program access to it' },
    ENOSPC: { describe: (path) => `The disk of ${path} is full`, remedy: 'Make room, or choose another place' },
    EDQUOT: { describe: (path) => `The disk quota of ${path} is used up`, remedy: 'Make room, or choose another place' },
    EROFS: { describe: (path) => `${path} is on a disk that is read-only`, remedy: 'Choose another place' },
    ENOENT: { describe: (path) => `${path} does not exist`, remedy: 'Create it, or name another' },
    ENOTDIR: { describe: (path) => `${path} is not within a folder`, remedy: 'Name another' },
    EEXIST: { describe: (path) => `${path} is not a folder`, remedy: 'Name another' },
    EISDIR: { describe: (path) => `${path} is a folder, not a file`, remedy: 'Name a file' },
  }),
)

type SystemError = { code?: unknown; path?: unknown; syscall?: unknown }

const isWithin = (folder: string, path: string): boolean => path === folder || path.startsWith(`${folder}/`)

function describeFileFault(errorCode: string, path: string, dataFolder: string): string | null {
  const fileFault = fileFaultsByCode.get(errorCode)
  if (!fileFault) return null
  // A data folder that is missing could not be created.
  const isInData = isWithin(dataFolder, path) || (errorCode === 'ENOENT' && isWithin(path, dataFolder))
  return `${fileFault.describe(path)}. ${isInData ? dataRemedy : fileFault.remedy}.`
}

/** Exit code of a start that the operator must fix. */
export const wrongUseExitCode = 2

/** Instructions for the operator after a failed start; null for an unexpected error. */
export function describeStartFault(error: unknown, config: Config): string | null {
  if (error instanceof ClusterError) return error.message
  const { code: errorCode, path, syscall } = error as SystemError
  if (typeof errorCode !== 'string') return null
  if (errorCode === 'EACCES' && syscall === 'listen')
    return `Not allowed to listen on port ${config.CLEARWAY_PORT}. Set CLEARWAY_PORT to another, above 1023.`
  const fileFault = typeof path === 'string' ? describeFileFault(errorCode, path, config.CLEARWAY_DATA) : null
  return fileFault ?? messagesByCode.get(errorCode)?.(config) ?? null
}

/** Exits at once after an unexpected error: the process state cannot be trusted, and other processes continue. */
export function exitOnUnexpectedError(): void {
  process.on('uncaughtException', (error) => {
    const [text, stack = null] = error instanceof Error ? [error.message, error.stack] : [String(error)]
    writeLogLine('error', `Unexpected error, stopping: ${text}`, { stack })
    process.exit(1)
  })
}
