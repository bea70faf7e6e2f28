import { macGlyphs } from './glyph-name.ts'

/** A table of a TrueType `cmap`. */
export type GlyphMap = { platform: number; encoding: number; glyphOf(code: number): number }

/** What a TrueType or OpenType font program says. Glyphs are numbers; widths are in thousandths of the em. */
export type TrueType = {
  glyphs: number
  maps: GlyphMap[]
  widthOf(glyph: number): number | null
  glyphNamed(name: string): number | null
  /** The bytes of the `CFF ` table, when the outlines are in it. */ cff: Uint8Array | null
}

type Tables = Map<string, DataView>

function tablesOf(bytes: Uint8Array): Tables | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.byteLength < 12) return null
  const tables: Tables = new Map()
  const count = view.getUint16(4)
  for (let i = 0; i < count && 12 + i * 16 + 16 <= view.byteLength; i++) {
    const at = 12 + i * 16
    const tag = String.fromCharCode(bytes[at]!, bytes[at + 1]!, bytes[at + 2]!, bytes[at + 3]!)
    const offset = view.getUint32(at + 8)
    const length = Math.min(view.getUint32(at + 12), view.byteLength - offset)
    if (offset < view.byteLength && length > 0)
      tables.set(tag, new DataView(bytes.buffer, bytes.byteOffset + offset, length))
  }
  return tables
}

const u16 = (view: DataView, at: number): number =>
  at >= 0 && at + 2 <= view.byteLength ? view.getUint16(at) : 0
const u32 = (view: DataView, at: number): number =>
  at >= 0 && at + 4 <= view.byteLength ? view.getUint32(at) : 0

function segments(view: DataView): (code: number) => number {
  const count = u16(view, 6) >> 1
  return (code) => {
    for (let i = 0; i < count; i++) {
      if (u16(view, 14 + 2 * i) < code) continue
      const start = u16(view, 16 + 2 * (count + i))
      if (start > code) return 0
      const delta = u16(view, 16 + 2 * (2 * count + i))
      const rangeAt = 16 + 2 * (3 * count + i)
      const range = u16(view, rangeAt)
      if (range === 0) return (code + delta) & 0xffff
      const glyph = u16(view, rangeAt + range + 2 * (code - start))
      return glyph === 0 ? 0 : (glyph + delta) & 0xffff
    }
    return 0
  }
}

/** How each format of a subtable finds a glyph. */
const formats: Record<number, (view: DataView) => (code: number) => number> = {
  0: (view) => (code) => (code < 256 && 6 + code < view.byteLength ? view.getUint8(6 + code) : 0),
  4: segments,
  6: (view) => (code) => {
    const index = code - u16(view, 6)
    return index >= 0 && index < u16(view, 8) ? u16(view, 10 + 2 * index) : 0
  },
  12: (view) => (code) => {
    const groups = Math.min(u32(view, 12), 100_000)
    for (let i = 0; i < groups; i++) {
      const at = 16 + 12 * i
      if (code >= u32(view, at) && code <= u32(view, at + 4)) return u32(view, at + 8) + code - u32(view, at)
    }
    return 0
  },
}

function readMaps(view: DataView | undefined): GlyphMap[] {
  if (!view) return []
  const maps: GlyphMap[] = []
  const count = u16(view, 2)
  for (let i = 0; i < count && i < 100; i++) {
    const offset = u32(view, 8 + 8 * i)
    if (offset + 2 > view.byteLength) continue
    const table = new DataView(view.buffer, view.byteOffset + offset, view.byteLength - offset)
    const format = formats[u16(table, 0)]
    maps.push({
      platform: u16(view, 4 + 8 * i),
      encoding: u16(view, 6 + 8 * i),
      glyphOf: format ? format(table) : () => 0,
    })
  }
  return maps
}

function readNames(view: DataView | undefined): Map<string, number> {
  const names = new Map<string, number>()
  if (!view) return names
  const version = u32(view, 0)
  if (version === 0x10000) for (const [i, name] of macGlyphs.entries()) names.set(name, i)
  if (version !== 0x20000) return names
  const count = u16(view, 32)
  const own: string[] = []
  for (let at = 34 + 2 * count; at < view.byteLength && own.length < 65_536;) {
    const length = view.getUint8(at)
    let name = ''
    for (let i = 1; i <= length && at + i < view.byteLength; i++)
      name += String.fromCharCode(view.getUint8(at + i))
    own.push(name)
    at += length + 1
  }
  for (let glyph = 0; glyph < count; glyph++) {
    const index = u16(view, 34 + 2 * glyph)
    const name = index < 258 ? macGlyphs[index] : own[index - 258]
    if (name !== undefined && !names.has(name)) names.set(name, glyph)
  }
  return names
}

/** Reads a font program; null when it has no tables that could be read. */
export function readTrueType(bytes: Uint8Array): TrueType | null {
  const tables = tablesOf(bytes)
  if (!tables) return null
  const head = tables.get('head')
  const hhea = tables.get('hhea')
  const hmtx = tables.get('hmtx')
  const maxp = tables.get('maxp')
  const unitsPerEm = head ? u16(head, 18) || 1000 : 1000
  const metrics = hhea ? u16(hhea, 34) : 0
  const cff = tables.get('CFF ')
  if (!maxp && !cff) return null
  const glyphs = maxp ? u16(maxp, 4) : 0
  let names: Map<string, number> | undefined
  return {
    glyphs,
    maps: readMaps(tables.get('cmap')),
    widthOf: (glyph) => {
      if (!hmtx || metrics === 0 || glyph >= glyphs) return null
      return (u16(hmtx, 4 * Math.min(glyph, metrics - 1)) * 1000) / unitsPerEm
    },
    glyphNamed: (name) => {
      names ??= readNames(tables.get('post'))
      return names.get(name) ?? null
    },
    cff: cff ? new Uint8Array(cff.buffer, cff.byteOffset, cff.byteLength) : null,
  }
}
