import type { Config } from '../config.ts'
import { ClusterError } from '../kit/postgres/cluster.ts'

const codes: Readonly<Record<string, (config: Config) => string>> = {
  EADDRINUSE: ({ CLEARWAY_PORT: port }) =>
    `Port ${port} is in use by another program. Stop that, or set CLEARWAY_PORT to another.`,
  EACCES: ({ CLEARWAY_PORT, CLEARWAY_DATA }) =>
    `Not allowed: to listen on port ${CLEARWAY_PORT}, or to write to ${CLEARWAY_DATA}. Set CLEARWAY_PORT or CLEARWAY_DATA.`,
  EADDRNOTAVAIL: ({ CLEARWAY_HOST: host }) =>
    `This machine has no address ${host}. Set CLEARWAY_HOST to one of its own.`,
  ENOTFOUND: ({ CLEARWAY_HOST: host }) =>
    `The host name ${host} is not known. Set CLEARWAY_HOST to an address of this machine.`,
  ENOSPC: ({ CLEARWAY_DATA: data }) =>
    `The disk of ${data} is full. Make room, or set CLEARWAY_DATA to another disk.`,
  EROFS: ({ CLEARWAY_DATA: data }) => `${data} cannot be written. Set CLEARWAY_DATA to a folder that can.`,
  ENOENT: ({ CLEARWAY_DATA: data }) => `${data} cannot be made. Set CLEARWAY_DATA to a folder that can.`,
  ENOTDIR: ({ CLEARWAY_DATA: data }) => `${data} is not a folder. Set CLEARWAY_DATA to one.`,
  EEXIST: ({ CLEARWAY_DATA: data }) => `${data} is not a folder. Set CLEARWAY_DATA to one.`,
  '53100': ({ CLEARWAY_DATA: data }) =>
    `The disk of the database (${data}) is full. Make room and start again.`,
}

/** The exit code of a start that a person must fix first. */
export const wrongUse = 2

/** What a person must do about a start that failed; null when it is a fault of ours. */
export function startFault(error: unknown, config: Config): string | null {
  if (error instanceof ClusterError) return error.message
  const { code } = error as { code?: unknown }
  const known = typeof code === 'string' ? codes[code] : undefined
  return known ? known(config) : null
}

/** Ends this process at once when what should not happen does: nothing in its memory can be trusted, and others go on. */
export function endOnFault(): void {
  process.on('uncaughtException', (error) => {
    console.error(error)
    console.error(`Unexpected error, stopping: ${error instanceof Error ? error.message : String(error)}`)
    process.exit(1)
  })
}
