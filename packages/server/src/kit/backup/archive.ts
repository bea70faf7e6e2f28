import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { constants, createGunzip, createGzip } from 'node:zlib'
import * as tar from 'tar-stream'
import { mostBytes } from '../object-store/store.ts'
import { BackupError } from './schema.ts'

/** A part of the archive: a document, or bytes of the rows of a table. */
export type Part = { name: string; bytes: Buffer }

/** No part that we write is longer: what is read stays in memory one part at a time. */
export const longestPart = 8 * 1024 * 1024
const longestDocument = 4 * longestPart
/** Before the names of objects, each of which is a part. */
export const objectPrefix = 'objects/'

/** Writes parts as they come into a gzipped tar file, which other programs can list and unpack. */
export async function writeArchive(file: string, parts: AsyncIterable<Part>): Promise<void> {
  const pack = tar.pack()
  const written = pipeline(
    pack,
    // Most of it is text; the fastest level finds nearly all.
    createGzip({ level: constants.Z_BEST_SPEED }),
    createWriteStream(file, { mode: 0o600, flags: 'wx', flush: true }),
  )
  const fill = async () => {
    for await (const { name, bytes } of parts)
      await new Promise<void>((done, fail) =>
        pack.entry({ name, size: bytes.length, mode: 0o600 }, bytes, (error) =>
          error ? fail(error) : done(),
        ),
      )
    pack.finalize()
  }
  try {
    await Promise.race([fill(), written.then(() => new Promise<never>(() => undefined))])
  } catch (error) {
    pack.destroy(error as Error)
    await written.catch(() => undefined)
    throw error
  }
  await written
}

/**
 * The parts of an archive in their order.
 * @throws BackupError when the file is damaged, or is not one
 */
export async function* readArchive(file: string): AsyncGenerator<Part> {
  const extract = tar.extract()
  const read = pipeline(createReadStream(file), createGunzip(), extract)
  // Whoever reads the parts gets this error, and nobody else.
  read.catch(() => undefined)
  try {
    for await (const entry of extract) {
      const most = entry.header.name.startsWith(objectPrefix) ? mostBytes : longestDocument
      if ((entry.header.size ?? 0) > most)
        throw new BackupError(`${file} is damaged: ${entry.header.name} is too long.`)
      const chunks: Buffer[] = []
      for await (const chunk of entry as AsyncIterable<Buffer>) chunks.push(chunk)
      yield { name: entry.header.name, bytes: Buffer.concat(chunks) }
    }
    await read
  } catch (error) {
    if (error instanceof BackupError || isOurs(error)) throw error
    throw new BackupError(`${file} is not a backup of Clearway, or is damaged: ${(error as Error).message}.`)
  }
}
/** Errors of the file system, which say what is wrong themselves. */
const isOurs = (error: unknown) => typeof (error as NodeJS.ErrnoException).syscall === 'string'
