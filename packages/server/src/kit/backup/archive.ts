import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { constants, createGunzip, createGzip } from 'node:zlib'
import * as tar from 'tar-stream'
import { maxObjectBytes } from '../object-store/store.ts'
import { BackupError } from './schema.ts'

/** A part of the archive: a document, an object, or a chunk of a table's rows. */
export type ArchivePart = { name: string; bytes: Buffer }

/** Maximum size of a written part, in bytes. Reading keeps one part in memory at a time. */
export const maxPartBytes = 8 * 1024 * 1024
const maxDocumentBytes = 4 * maxPartBytes
export const objectPartPrefix = 'objects/'

const lineFeedByte = 0x0a

export function countLines(bytes: Buffer): number {
  let lineCount = 0
  for (let position = bytes.indexOf(lineFeedByte); position >= 0; position = bytes.indexOf(lineFeedByte, position + 1))
    lineCount += 1
  return lineCount
}

/** Streams parts into a gzipped tar file, which other programs can list and unpack. */
export async function writeArchive(archivePath: string, parts: AsyncIterable<ArchivePart>): Promise<void> {
  const tarPack = tar.pack()
  const writing = pipeline(
    tarPack,
    // Mostly text; the fastest level compresses nearly as well.
    createGzip({ level: constants.Z_BEST_SPEED }),
    createWriteStream(archivePath, { mode: 0o600, flags: 'wx', flush: true }),
  )
  const writeParts = async () => {
    for await (const { name, bytes } of parts)
      await new Promise<void>((resolve, reject) =>
        tarPack.entry({ name, size: bytes.length, mode: 0o600 }, bytes, (error) => (error ? reject(error) : resolve())),
      )
    tarPack.finalize()
  }
  try {
    await Promise.race([writeParts(), writing.then(() => new Promise<never>(() => undefined))])
  } catch (error) {
    tarPack.destroy(error as Error)
    await writing.catch(() => undefined)
    throw error
  }
  await writing
}

/** Reads the parts of an archive in order. @throws BackupError if the file is damaged or not a backup */
export async function* readArchive(archivePath: string): AsyncGenerator<ArchivePart> {
  const tarExtract = tar.extract()
  const reading = pipeline(createReadStream(archivePath), createGunzip(), tarExtract)
  // The error also reaches the reader of the parts.
  reading.catch(() => undefined)
  try {
    for await (const tarEntry of tarExtract) {
      const maxEntryBytes = tarEntry.header.name.startsWith(objectPartPrefix) ? maxObjectBytes : maxDocumentBytes
      if ((tarEntry.header.size ?? 0) > maxEntryBytes)
        throw new BackupError(`${archivePath} is damaged: ${tarEntry.header.name} is too long.`)
      const chunks: Buffer[] = []
      for await (const chunk of tarEntry as AsyncIterable<Buffer>) chunks.push(chunk)
      yield { name: tarEntry.header.name, bytes: Buffer.concat(chunks) }
    }
    await reading
  } catch (error) {
    if (error instanceof BackupError || isSystemError(error)) throw error
    throw new BackupError(`${archivePath} is not a backup of Clearway, or is damaged: ${(error as Error).message}.`)
  }
}
/** File system errors are self-explanatory, so they are passed on. */
const isSystemError = (error: unknown) => typeof (error as NodeJS.ErrnoException).syscall === 'string'
