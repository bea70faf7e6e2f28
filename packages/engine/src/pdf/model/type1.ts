import { encodings } from './glyph-name.ts'

/** What a Type 1 font program says (Adobe Type 1 Font Format). Widths are in thousandths of the em. */
export type Type1 = {
  names: ReadonlySet<string>
  nameOfCode(code: number): string | null
  widthOf(name: string): number | null
}

function decrypt(bytes: Uint8Array, key: number, skip: number): Uint8Array {
  const out = new Uint8Array(bytes.length)
  let r = key
  for (const [i, cipher] of bytes.entries()) {
    out[i] = cipher ^ (r >> 8)
    r = ((cipher + r) * 52_845 + 22_719) & 0xffff
  }
  return out.subarray(skip)
}

/** The encrypted part as bytes: some programs write it in hexadecimal digits. */
function privatePart(bytes: Uint8Array, at: number): Uint8Array {
  const head = Buffer.from(bytes.subarray(at, at + 8)).toString('latin1')
  if (!/^[0-9a-fA-F\s]{8}/.test(head)) return bytes.subarray(at)
  const digits = Buffer.from(bytes.subarray(at))
    .toString('latin1')
    .replace(/[^0-9a-fA-F]/g, '')
  return new Uint8Array(Buffer.from(digits.slice(0, digits.length - (digits.length % 2)), 'hex'))
}

/** Unwraps the segments of a PFB file. */
function unwrap(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 0x80) return bytes
  const parts: Uint8Array[] = []
  let at = 0
  while (bytes[at] === 0x80 && (bytes[at + 1] === 1 || bytes[at + 1] === 2)) {
    const length = bytes[at + 2]! | (bytes[at + 3]! << 8) | (bytes[at + 4]! << 16)
    parts.push(bytes.subarray(at + 6, at + 6 + length))
    at += 6 + length
  }
  return Buffer.concat(parts)
}

function ownEncoding(clear: string): (code: number) => string | null {
  if (/\/Encoding\s+StandardEncoding\s+def/.test(clear))
    return (code) => encodings.StandardEncoding![code] ?? null
  const codes = new Map<number, string>()
  for (const match of clear.matchAll(/dup\s+(\d+)\s*\/([^\s/]+)\s+put/g))
    codes.set(Number(match[1]), match[2]!)
  return (code) => codes.get(code) ?? null
}

/** The advance that `hsbw` or `sbw` at the head of a charstring sets. */
function advance(charstring: Uint8Array): number | null {
  const stack: number[] = []
  for (let i = 0; i < charstring.length && stack.length < 24;) {
    const b = charstring[i++]!
    if (b >= 32) {
      if (b <= 246) stack.push(b - 139)
      else if (b <= 250) stack.push((b - 247) * 256 + (charstring[i++] ?? 0) + 108)
      else if (b <= 254) stack.push(-(b - 251) * 256 - (charstring[i++] ?? 0) - 108)
      else {
        stack.push(
          ((charstring[i] ?? 0) << 24) |
            ((charstring[i + 1] ?? 0) << 16) |
            ((charstring[i + 2] ?? 0) << 8) |
            (charstring[i + 3] ?? 0),
        )
        i += 4
      }
      continue
    }
    if (b === 13) return stack[1] ?? null
    if (b === 12) {
      const second = charstring[i++]
      if (second === 7) return stack[2] ?? null
      if (second === 12) {
        const divisor = stack.pop() ?? 1
        stack.push((stack.pop() ?? 0) / divisor)
        continue
      }
    }
    return null
  }
  return null
}

/** Reads a font program; null when it has no charstrings that could be read. */
export function readType1(program: Uint8Array): Type1 | null {
  const bytes = unwrap(program)
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const eexec = buffer.indexOf('eexec')
  if (eexec < 0) return null
  let at = eexec + 5
  while (at < bytes.length && [9, 10, 13, 32].includes(bytes[at]!)) at += 1
  const clear = buffer.toString('latin1', 0, eexec)
  const secret = Buffer.from(decrypt(privatePart(bytes, at), 55_665, 4))
  const text = secret.toString('latin1')
  const lenIV = Number(/\/lenIV\s+(\d+)/.exec(text)?.[1] ?? 4)
  const scale = 1000 * Number(/\/FontMatrix\s*\[\s*([\d.eE+-]+)/.exec(clear)?.[1] ?? 0.001) || 1
  const charstrings = new Map<string, Uint8Array>()
  const from = text.indexOf('/CharStrings')
  if (from < 0) return null
  const entry = /\/([^\s/{}[\]()<>%]+)\s+(\d+)\s+(?:RD|-\||\S+)\s/y
  for (let p = text.indexOf('/', from + 12); p >= 0 && charstrings.size < 65_536; p = text.indexOf('/', p)) {
    entry.lastIndex = p
    const match = entry.exec(text)
    if (!match) {
      p += 1
      continue
    }
    const start = p + match[0].length
    const length = Number(match[2])
    if (length > 65_536) break
    charstrings.set(match[1]!, secret.subarray(start, start + length))
    p = start + length
  }
  if (charstrings.size === 0) return null
  return {
    names: new Set(charstrings.keys()),
    nameOfCode: ownEncoding(clear),
    widthOf: (name) => {
      const charstring = charstrings.get(name)
      const width = charstring ? advance(decrypt(charstring, 4330, lenIV)) : null
      return width === null ? null : width * scale
    },
  }
}
