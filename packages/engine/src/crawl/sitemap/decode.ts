import { decodeFileText } from '@clearway/contract/kit/decode-text.ts'
import { constants, gunzip, inflateRaw, type ZlibOptions } from 'node:zlib'

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

const decompress = (run: typeof gunzip, bytes: Buffer, options: ZlibOptions): Promise<Buffer | 'too-large' | null> =>
  new Promise((resolve) =>
    run(bytes, options, (error, content) =>
      resolve(error ? ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'too-large' : null) : content),
    ),
  )

/**
 * Decompresses gzip, which many sitemaps use without declaring it. Content before a cut is kept, and other data behind
 * the archive is ignored. Null above the size limit, or if nothing can be decompressed.
 */
export async function unpackGzip(bytes: Buffer, maxBytes: number): Promise<Buffer | null> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  const options = { maxOutputLength: maxBytes, finishFlush: constants.Z_SYNC_FLUSH }
  const content =
    (await decompress(gunzip, bytes, options)) ?? (await decompress(inflateRaw, bytes.subarray(findGzipData(bytes)), options))
  return content === 'too-large' ? null : content
}

function createDecoder(label: string, options: { fatal?: boolean } = {}): TextDecoder | null {
  try {
    return new TextDecoder(label, options)
  } catch {
    return null
  }
}

/** Decodes XML by its declaration, and text without one by its bytes. */
export function decodeText(bytes: Buffer): string {
  const declaration = /^\s*<\?xml[^>]{0,200}?encoding=["']([\w:.-]{1,40})["']/i.exec(bytes.toString('latin1', 0, 300))?.[1]
  // Two bytes per character would have shown: the declaration is wrong.
  const declaredDecoder = declaration && !/^(?:utf-?16|ucs-?2|utf-?32)/i.test(declaration) ? createDecoder(declaration) : null
  if (declaredDecoder) return declaredDecoder.decode(bytes)
  return declaration ? new TextDecoder().decode(bytes) : decodeFileText(bytes)
}
