import type { Config } from '../config.ts'
import { ClusterError } from '../kit/postgres/cluster.ts'

const messagesByCode: ReadonlyMap<string, (config: Config) => string> = new Map(
  Object.entries({
    EADDRINUSE: ({ CLEARWAY_PORT: port }) =>
      `Port ${port} is in use by another program. Stop that, or set CLEARWAY_PORT to another.`,
    EACCES: ({ CLEARWAY_PORT, CLEARWAY_DATA }) =>
      `Not allowed: to listen on port ${CLEARWAY_PORT}, or to write to ${CLEARWAY_DATA}. Set CLEARWAY_PORT or CLEARWAY_DATA.`,
    EADDRNOTAVAIL: ({ CLEARWAY_HOST: host }) => `This machine has no address ${host}. Set CLEARWAY_HOST to one of its addresses.`,
    ENOTFOUND: ({ CLEARWAY_HOST: host }) =>
      `The host name ${host} is not known. Set CLEARWAY_HOST to an address of this machine.`,
    ENOSPC: ({ CLEARWAY_DATA: data }) => `The disk of ${data} is full. Make room, or set CLEARWAY_DATA to another disk.`,
    EROFS: ({ CLEARWAY_DATA: data }) => `${data} is not writable. Set CLEARWAY_DATA to a writable folder.`,
    ENOENT: ({ CLEARWAY_DATA: data }) => `${data} cannot be created. Set CLEARWAY_DATA to another folder.`,
    ENOTDIR: ({ CLEARWAY_DATA: data }) => `${data} is not a folder. Set CLEARWAY_DATA to one.`,
    EEXIST: ({ CLEARWAY_DATA: data }) => `${data} is not a folder. Set CLEARWAY_DATA to one.`,
    '53100': ({ CLEARWAY_DATA: data }) => `The disk of the database (${data}) is full. Make room and start again.`,
  }),
)

/** Exit code of a start that the operator must fix. */
export const wrongUseExitCode = 2

/** Instructions for the operator after a failed start; null for an unexpected error. */
export function describeStartFault(error: unknown, config: Config): string | null {
  if (error instanceof ClusterError) return error.message
  const { code: errorCode } = error as { code?: unknown }
  const knownMessage = typeof errorCode === 'string' ? messagesByCode.get(errorCode) : undefined
  return knownMessage ? knownMessage(config) : null
}

/** Exits at once after an unexpected error: the process state cannot be trusted, and other processes continue. */
export function exitOnUnexpectedError(): void {
  process.on('uncaughtException', (error) => {
    console.error(error)
    console.error(`Unexpected error, stopping: ${error instanceof Error ? error.message : String(error)}`)
    process.exit(1)
  })
}
