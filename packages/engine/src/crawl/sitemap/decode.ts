import { decodeFileText } from '@clearway/contract/kit/decode-text.ts'
import { decompress, type Unpacked } from '../../guard/decompress.ts'

/** Decompresses gzip, which many sitemaps use without declaring it. Null if nothing can be decompressed. */
export async function unpackGzip(bytes: Buffer, maxBytes: number): Promise<Unpacked | null> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return { bytes, isTruncated: false, isCut: false }
  return decompress(bytes, 'gzip', maxBytes).catch(() => null)
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
