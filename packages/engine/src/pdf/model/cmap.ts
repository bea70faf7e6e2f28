import { openLexer } from '../object/lexer.ts'
import { isArray, isName, isString, type PdfValue } from '../object/value.ts'

/** A character map that is in a stream: codes to CIDs, or codes to text. */
export type CMap = {
  wMode: number | null
  name: string | null
  usesName: string | null
  systemInfo: { registry: string | null; ordering: string | null; supplement: number | null }
  /** Code ranges with the count of their bytes. */ spaces: { bytes: number; low: number; high: number }[]
  cids: { low: number; high: number; cid: number; bytes: number }[]
  texts: Map<number, string>
  textRanges: { low: number; high: number; text: string }[]
}

const numberOf = (raw: string): number => {
  let value = 0
  for (let i = 0; i < raw.length && i < 4; i++) value = value * 256 + raw.charCodeAt(i)
  return value
}
const utf16 = (raw: string): string => {
  const bytes = Buffer.from(raw.length % 2 ? `\0${raw}` : raw, 'latin1')
  return bytes.swap16().toString('utf16le')
}
/** The text some places further on: the last unit counts up. */
const advance = (text: string, by: number): string =>
  by === 0 || text === ''
    ? text
    : text.slice(0, -1) + String.fromCharCode((text.charCodeAt(text.length - 1) + by) & 0xffff)

const mostEntries = 200_000

type Section = (cmap: CMap, values: PdfValue[]) => void

const pairs: Section = (cmap, values) => {
  for (let i = 0; i + 1 < values.length; i += 2) {
    const [low, high] = [values[i], values[i + 1]]
    if (isString(low) && isString(high))
      cmap.spaces.push({ bytes: low.raw.length, low: numberOf(low.raw), high: numberOf(high.raw) })
  }
}
const cidRange: Section = (cmap, values) => {
  for (let i = 0; i + 2 < values.length; i += 3) {
    const [low, high, cid] = [values[i], values[i + 1], values[i + 2]]
    if (isString(low) && isString(high) && typeof cid === 'number')
      cmap.cids.push({ low: numberOf(low.raw), high: numberOf(high.raw), cid, bytes: low.raw.length })
  }
}
const cidChar: Section = (cmap, values) => {
  for (let i = 0; i + 1 < values.length; i += 2) {
    const [code, cid] = [values[i], values[i + 1]]
    if (isString(code) && typeof cid === 'number')
      cmap.cids.push({ low: numberOf(code.raw), high: numberOf(code.raw), cid, bytes: code.raw.length })
  }
}
const bfChar: Section = (cmap, values) => {
  for (let i = 0; i + 1 < values.length; i += 2) {
    const [code, text] = [values[i], values[i + 1]]
    if (isString(code) && isString(text)) cmap.texts.set(numberOf(code.raw), utf16(text.raw))
  }
}
const bfRange: Section = (cmap, values) => {
  for (let i = 0; i + 2 < values.length; i += 3) {
    const [low, high, to] = [values[i], values[i + 1], values[i + 2]]
    if (!isString(low) || !isString(high)) continue
    const from = numberOf(low.raw)
    if (isString(to)) cmap.textRanges.push({ low: from, high: numberOf(high.raw), text: utf16(to.raw) })
    if (isArray(to))
      for (const [k, item] of to.items.entries())
        if (isString(item)) cmap.texts.set(from + k, utf16(item.raw))
  }
}
const sections: Record<string, Section> = {
  endcodespacerange: pairs,
  endcidrange: cidRange,
  endcidchar: cidChar,
  endbfchar: bfChar,
  endbfrange: bfRange,
}

type Keep = (cmap: CMap, value: PdfValue | undefined) => void
const definitions: Record<string, Keep> = {
  WMode: (cmap, value) => void (cmap.wMode = typeof value === 'number' ? value : cmap.wMode),
  CMapName: (cmap, value) => void (cmap.name = isName(value) ? value.name : cmap.name),
  Registry: (cmap, value) => void (cmap.systemInfo.registry ??= isString(value) ? value.raw : null),
  Ordering: (cmap, value) => void (cmap.systemInfo.ordering ??= isString(value) ? value.raw : null),
  Supplement: (cmap, value) => void (cmap.systemInfo.supplement ??= typeof value === 'number' ? value : null),
}

/** Reads a CMap stream's text; what it does not understand it passes over. */
export function readCMap(bytes: Uint8Array): CMap {
  const cmap: CMap = {
    wMode: null,
    name: null,
    usesName: null,
    systemInfo: { registry: null, ordering: null, supplement: null },
    spaces: [],
    cids: [],
    texts: new Map(),
    textRanges: [],
  }
  const lexer = openLexer(bytes)
  let values: PdfValue[] = []
  for (let count = 0; count < mostEntries * 3; count++) {
    const value = lexer.next()
    if (value === undefined) break
    if (typeof value !== 'object' || value === null || value.kind !== 'word') {
      const key = values.at(-1)
      // `/Registry (Adobe) def` as well as `<< /Registry (Adobe) >>`.
      if (isName(key)) definitions[key.name]?.(cmap, value)
      if (typeof value === 'object' && value?.kind === 'dict')
        for (const [name, inner] of value.entries) definitions[name]?.(cmap, inner)
      values.push(value)
      continue
    }
    sections[value.word]?.(cmap, values)
    const last = values.at(-1)
    if (value.word === 'usecmap' && isName(last)) cmap.usesName = last.name
    values = []
  }
  cmap.textRanges.sort((a, b) => a.low - b.low)
  return cmap
}

/** Splits a string into codes by the CMap's code ranges; two bytes where it has none. */
export function splitCodes(cmap: CMap | null, raw: string): { code: number; bytes: number }[] {
  const codes: { code: number; bytes: number }[] = []
  const spaces = cmap && cmap.spaces.length > 0 ? cmap.spaces : [{ bytes: 2, low: 0, high: 0xffff }]
  let i = 0
  while (i < raw.length) {
    let code = 0
    let taken = 0
    for (let n = 1; n <= 4 && i + n <= raw.length; n++) {
      code = code * 256 + raw.charCodeAt(i + n - 1)
      if (spaces.some((space) => space.bytes === n && fits(space, code))) {
        taken = n
        break
      }
    }
    if (taken === 0) {
      taken = Math.min(raw.length - i, spaces[0]!.bytes)
      code = numberOf(raw.slice(i, i + taken))
    }
    codes.push({ code, bytes: taken })
    i += taken
  }
  return codes
}

/** A code lies in a range when each of its bytes does. */
function fits(space: { bytes: number; low: number; high: number }, code: number): boolean {
  for (let i = 0; i < space.bytes; i++) {
    const shift = 256 ** i
    const byte = Math.floor(code / shift) % 256
    if (byte < Math.floor(space.low / shift) % 256 || byte > Math.floor(space.high / shift) % 256)
      return false
  }
  return true
}

export const cidOf = (cmap: CMap, code: number, bytes: number): number | null => {
  for (const range of cmap.cids)
    if (range.bytes === bytes && code >= range.low && code <= range.high) return range.cid + code - range.low
  return null
}

export function textOfCode(cmap: CMap, code: number): string | null {
  const one = cmap.texts.get(code)
  if (one !== undefined) return one
  for (const range of cmap.textRanges) {
    if (range.low > code) break
    if (code <= range.high) return advance(range.text, code - range.low)
  }
  return null
}
