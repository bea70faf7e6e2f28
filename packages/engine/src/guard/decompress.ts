import { pipeline, Readable, type Transform } from 'node:stream'
import {
  type BrotliOptions,
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  type ZlibOptions,
} from 'node:zlib'

/** Bytes up to a limit. `isTruncated`: there were more. `isCut`: the compressed data has no end. */
export type Unpacked = { bytes: Buffer; isTruncated: boolean; isCut: boolean }

type OpenTransform = (options: ZlibOptions & BrotliOptions) => Transform
const openersByEncoding: ReadonlyMap<string, OpenTransform> = new Map<string, OpenTransform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])
export const isKnownEncoding = (name: string): boolean => openersByEncoding.has(name)

/** Length of the fields before a gzip member's data; optional fields follow by the flags in byte 3. */
const gzipHeaderBytes = 10

/** Returns where the data of a gzip file begins. */
function findGzipData(bytes: Buffer): number {
  const flags = bytes[3] ?? 0
  let position = gzipHeaderBytes
  if (flags & 4) position += 2 + (bytes[position] ?? 0) + 256 * (bytes[position + 1] ?? 0)
  // A file name and a comment end with a zero.
  for (const flag of [8, 16]) if (flags & flag) position = bytes.indexOf(0, position) + 1
  return flags & 2 ? position + 2 : position
}

/** Collects a stream up to a limit. */
export async function collectBytes(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Pick<Unpacked, 'bytes' | 'isTruncated'>> {
  const chunks: Uint8Array[] = []
  let receivedBytes = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    receivedBytes += chunk.byteLength
    if (receivedBytes > maxBytes) break
  }
  return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), isTruncated: receivedBytes > maxBytes }
}

function collectThrough(packed: Buffer, transform: Transform, maxBytes: number) {
  // The error of the transform ends the collecting.
  pipeline(Readable.from([packed]), transform, () => undefined)
  return collectBytes(transform, maxBytes)
}

async function unpack(packed: Buffer, openTransform: OpenTransform, maxBytes: number): Promise<Unpacked> {
  try {
    return { ...(await collectThrough(packed, openTransform({}), maxBytes)), isCut: false }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'Z_BUF_ERROR') throw error
    const finishFlush = openTransform === createBrotliDecompress ? constants.BROTLI_OPERATION_FLUSH : constants.Z_SYNC_FLUSH
    return { ...(await collectThrough(packed, openTransform({ finishFlush }), maxBytes)), isCut: true }
  }
}

/**
 * Undoes an encoding; data behind a gzip archive is ignored. Content before a cut is kept.
 * @throws if the data is not encoded so
 */
export async function decompress(packed: Buffer, encoding: string, maxBytes: number): Promise<Unpacked> {
  if (packed.length === 0) return { bytes: packed, isTruncated: false, isCut: false }
  const openTransform = openersByEncoding.get(encoding)!
  try {
    return await unpack(packed, openTransform, maxBytes)
  } catch (error) {
    if (openTransform !== createGunzip || packed[0] !== 0x1f || packed[1] !== 0x8b) throw error
    return unpack(packed.subarray(findGzipData(packed)), createInflateRaw, maxBytes)
  }
}
