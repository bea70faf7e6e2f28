import { cffStrings, encodings } from './glyph-name.ts'

/** What a bare CFF font program says (Adobe Technical Note 5176). Widths are in thousandths of the em. */
export type Cff = {
  glyphs: number
  isCid: boolean
  /** Names of the glyphs by number; empty for a CID font. */ names: readonly string[]
  glyphNamed(name: string): number | null
  glyphOfCid(cid: number): number | null
  cids(): Iterable<number>
  /** Glyph name of a code in the font's own encoding. */ nameOfCode(code: number): string | null
  widthOf(glyph: number): number | null
}

type Reader = { bytes: Uint8Array; at: number }
type Index = { start: number; end: number }[]
type Dict = Map<number, number[]>

const byte = (bytes: Uint8Array, at: number): number => bytes[at] ?? 0
const big = (bytes: Uint8Array, at: number, size: number): number => {
  let value = 0
  for (let i = 0; i < size; i++) value = value * 256 + byte(bytes, at + i)
  return value
}

function readIndex(reader: Reader): Index {
  const { bytes } = reader
  const count = big(bytes, reader.at, 2)
  if (count === 0) {
    reader.at += 2
    return []
  }
  const size = byte(bytes, reader.at + 2)
  if (size < 1 || size > 4) throw new RangeError('An index of a CFF font is broken')
  const offsets = reader.at + 3
  const data = offsets + (count + 1) * size - 1
  const index: Index = []
  for (let i = 0; i < count; i++)
    index.push({
      start: data + big(bytes, offsets + i * size, size),
      end: data + big(bytes, offsets + (i + 1) * size, size),
    })
  reader.at = index.at(-1)!.end
  return index
}

const nibbles = '0123456789.EE?-'

function readReal(reader: Reader, end: number): number {
  let text = ''
  while (reader.at < end) {
    const pair = byte(reader.bytes, reader.at++)
    for (const nibble of [pair >> 4, pair & 15]) {
      if (nibble === 15) return Number(text) || 0
      text += nibbles[nibble] ?? ''
      if (nibble === 12) text += '-'
    }
  }
  return 0
}

function readDict(bytes: Uint8Array, start: number, end: number): Dict {
  const dict: Dict = new Map()
  const reader: Reader = { bytes, at: start }
  let operands: number[] = []
  while (reader.at < end && reader.at < bytes.length) {
    const b = byte(bytes, reader.at++)
    if (b <= 21) {
      const key = b === 12 ? 1200 + byte(bytes, reader.at++) : b
      dict.set(key, operands)
      operands = []
    } else if (b === 28) {
      operands.push((big(bytes, reader.at, 2) << 16) >> 16)
      reader.at += 2
    } else if (b === 29) {
      operands.push(big(bytes, reader.at, 4) | 0)
      reader.at += 4
    } else if (b === 30) operands.push(readReal(reader, end))
    else if (b <= 246) operands.push(b - 139)
    else if (b <= 250) operands.push((b - 247) * 256 + byte(bytes, reader.at++) + 108)
    else operands.push(-(b - 251) * 256 - byte(bytes, reader.at++) - 108)
  }
  return dict
}

/** Glyph identifiers by glyph number: names' numbers, or CIDs. */
function readCharset(bytes: Uint8Array, at: number, glyphs: number, isCid: boolean): number[] {
  // The predefined charsets begin alike; only ISOAdobe is met in practice.
  if (at <= 2) return Array.from({ length: glyphs }, (_, i) => (isCid || at === 0 ? i : i))
  const ids = [0]
  const format = byte(bytes, at)
  let p = at + 1
  while (ids.length < glyphs && p < bytes.length) {
    const first = big(bytes, p, 2)
    p += 2
    if (format === 0) {
      ids.push(first)
      continue
    }
    const left = big(bytes, p, format === 1 ? 1 : 2)
    p += format === 1 ? 1 : 2
    for (let i = 0; i <= left && ids.length < glyphs; i++) ids.push(first + i)
  }
  return ids
}

function readEncoding(
  bytes: Uint8Array,
  at: number,
  names: readonly string[],
): (code: number) => string | null {
  if (at === 0) return (code) => encodings.StandardEncoding![code] ?? null
  if (at === 1) return () => null
  const codes = new Map<number, string>()
  const format = byte(bytes, at) & 127
  const count = byte(bytes, at + 1)
  let glyph = 1
  for (let i = 0; i < count; i++) {
    if (format === 0) codes.set(byte(bytes, at + 2 + i), names[glyph++] ?? '.notdef')
    else
      for (let k = 0; k <= byte(bytes, at + 3 + 2 * i); k++)
        codes.set(byte(bytes, at + 2 + 2 * i) + k, names[glyph++] ?? '.notdef')
  }
  return (code) => codes.get(code) ?? null
}

type Widths = { standard: number; nominal: number }

/** Operators that may begin a charstring, and how many operands they take when no width comes before them. */
const hints = new Set([1, 3, 18, 23, 19, 20])
const moves: Record<number, number> = { 21: 2, 22: 1, 4: 1, 14: 0 }

/** The width that a charstring states before its first operator; the standard one when it states none. */
function charstringWidth(
  bytes: Uint8Array,
  { start, end }: { start: number; end: number },
  widths: Widths,
): number {
  const stack: number[] = []
  for (let at = start; at < end;) {
    const b = byte(bytes, at++)
    if (b >= 32 || b === 28) {
      const [value, size] = operand(bytes, b, at)
      stack.push(value)
      at += size
      continue
    }
    if (hints.has(b)) return stack.length % 2 === 1 ? widths.nominal + stack[0]! : widths.standard
    const takes = moves[b]
    if (takes !== undefined) {
      const states = b === 14 ? stack.length === 1 || stack.length === 5 : stack.length > takes
      return states ? widths.nominal + stack[0]! : widths.standard
    }
    return Number.NaN
  }
  return widths.standard
}

function operand(bytes: Uint8Array, b: number, at: number): [value: number, size: number] {
  if (b === 28) return [(big(bytes, at, 2) << 16) >> 16, 2]
  if (b <= 246) return [b - 139, 0]
  if (b <= 250) return [(b - 247) * 256 + byte(bytes, at) + 108, 1]
  if (b <= 254) return [-(b - 251) * 256 - byte(bytes, at) - 108, 1]
  return [(big(bytes, at, 4) | 0) / 65_536, 4]
}

function privateWidths(bytes: Uint8Array, dict: Dict): Widths {
  const [size = 0, offset = 0] = dict.get(18) ?? []
  const own = size > 0 ? readDict(bytes, offset, offset + size) : new Map<number, number[]>()
  return { standard: own.get(20)?.[0] ?? 0, nominal: own.get(21)?.[0] ?? 0 }
}

/** Which font dictionary each glyph of a CID font takes. */
function readSelect(bytes: Uint8Array, at: number, glyphs: number): (glyph: number) => number {
  if (byte(bytes, at) === 0) return (glyph) => byte(bytes, at + 1 + glyph)
  const count = big(bytes, at + 1, 2)
  return (glyph) => {
    if (glyph >= glyphs) return 0
    for (let i = count - 1; i >= 0; i--)
      if (big(bytes, at + 3 + 3 * i, 2) <= glyph) return byte(bytes, at + 5 + 3 * i)
    return 0
  }
}

/** Reads a font program; null when it cannot be read. */
export function readCff(bytes: Uint8Array): Cff | null {
  try {
    return read(bytes)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function read(bytes: Uint8Array): Cff | null {
  const reader: Reader = { bytes, at: byte(bytes, 2) }
  readIndex(reader)
  const tops = readIndex(reader)
  const strings = readIndex(reader)
  if (tops.length === 0) return null
  const top = readDict(bytes, tops[0]!.start, tops[0]!.end)
  const charstringsAt = top.get(17)?.[0]
  if (charstringsAt === undefined) return null
  const charstrings = readIndex({ bytes, at: charstringsAt })
  const isCid = top.has(1230)
  const ids = readCharset(bytes, top.get(15)?.[0] ?? 0, charstrings.length, isCid)
  const text = (id: number): string => {
    if (id < cffStrings.length) return cffStrings[id]!
    const range = strings[id - cffStrings.length]
    return range ? Buffer.from(bytes.subarray(range.start, range.end)).toString('latin1') : ''
  }
  const names = isCid ? [] : ids.map(text)
  const byName = new Map(names.map((name, glyph) => [name, glyph]))
  const byCid = new Map(isCid ? ids.map((cid, glyph) => [cid, glyph]) : [])
  const fonts = isCid
    ? readIndex({ bytes, at: top.get(1236)?.[0] ?? 0 }).map((r) => readDict(bytes, r.start, r.end))
    : [top]
  const widths = fonts.map((font) => privateWidths(bytes, font))
  const selectAt = top.get(1237)?.[0]
  const select = isCid && selectAt !== undefined ? readSelect(bytes, selectAt, charstrings.length) : () => 0
  const scales = fonts.map(
    (font) =>
      1000 *
      ((top.get(1207)?.[0] ?? 0.001) * (isCid && top.has(1207) ? (font.get(1207)?.[0] ?? 1) : 1) || 0.001),
  )
  return {
    glyphs: charstrings.length,
    isCid,
    names,
    glyphNamed: (name) => byName.get(name) ?? null,
    glyphOfCid: (cid) => (isCid ? (byCid.get(cid) ?? null) : cid < charstrings.length ? cid : null),
    cids: () => (isCid ? byCid.keys() : charstrings.keys()),
    nameOfCode: readEncoding(bytes, top.get(16)?.[0] ?? 0, names),
    widthOf: (glyph) => {
      const range = charstrings[glyph]
      const font = select(glyph)
      if (!range || !widths[font]) return null
      const width = charstringWidth(bytes, range, widths[font])
      return Number.isNaN(width) ? null : width * scales[font]!
    },
  }
}
