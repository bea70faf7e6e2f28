import { macGlyphNames } from './glyph-name.ts'

/** A table of a TrueType `cmap`. */
export type GlyphMap = { platform: number; encoding: number; findGlyph(code: number): number }

/** A TrueType or OpenType font program. Glyphs are indexes; widths are in thousandths of the em. */
export type TrueTypeFont = {
  glyphCount: number
  maps: GlyphMap[]
  getWidth(glyph: number): number | null
  findGlyph(name: string): number | null
  /** Bytes of the `CFF ` table, if it contains the outlines. */
  cff: Uint8Array | null
}

type FontTables = Map<string, DataView>

function readTables(bytes: Uint8Array): FontTables | null {
  const fileView = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (fileView.byteLength < 12) return null
  const fontTables: FontTables = new Map()
  const tableCount = fileView.getUint16(4)
  for (let i = 0; i < tableCount && 12 + i * 16 + 16 <= fileView.byteLength; i++) {
    const entryOffset = 12 + i * 16
    const tableTag = String.fromCharCode(
      bytes[entryOffset]!,
      bytes[entryOffset + 1]!,
      bytes[entryOffset + 2]!,
      bytes[entryOffset + 3]!,
    )
    const tableOffset = fileView.getUint32(entryOffset + 8)
    const tableLength = Math.min(fileView.getUint32(entryOffset + 12), fileView.byteLength - tableOffset)
    if (tableOffset < fileView.byteLength && tableLength > 0)
      fontTables.set(tableTag, new DataView(bytes.buffer, bytes.byteOffset + tableOffset, tableLength))
  }
  return fontTables
}

const readUint16 = (view: DataView, offset: number): number =>
  offset >= 0 && offset + 2 <= view.byteLength ? view.getUint16(offset) : 0
const readUint32 = (view: DataView, offset: number): number =>
  offset >= 0 && offset + 4 <= view.byteLength ? view.getUint32(offset) : 0

function readSegments(view: DataView): (code: number) => number {
  const segmentCount = readUint16(view, 6) >> 1
  return (code) => {
    for (let i = 0; i < segmentCount; i++) {
      if (readUint16(view, 14 + 2 * i) < code) continue
      const startCode = readUint16(view, 16 + 2 * (segmentCount + i))
      if (startCode > code) return 0
      const idDelta = readUint16(view, 16 + 2 * (2 * segmentCount + i))
      const rangeOffsetPosition = 16 + 2 * (3 * segmentCount + i)
      const rangeOffset = readUint16(view, rangeOffsetPosition)
      if (rangeOffset === 0) return (code + idDelta) & 0xffff
      const rawGlyph = readUint16(view, rangeOffsetPosition + rangeOffset + 2 * (code - startCode))
      return rawGlyph === 0 ? 0 : (rawGlyph + idDelta) & 0xffff
    }
    return 0
  }
}

/** Glyph lookup for each subtable format. */
const subtableReaders: Record<number, (view: DataView) => (code: number) => number> = {
  0: (view) => (code) => (code < 256 && 6 + code < view.byteLength ? view.getUint8(6 + code) : 0),
  4: readSegments,
  6: (view) => (code) => {
    const codeIndex = code - readUint16(view, 6)
    return codeIndex >= 0 && codeIndex < readUint16(view, 8) ? readUint16(view, 10 + 2 * codeIndex) : 0
  },
  12: (view) => (code) => {
    const groupCount = Math.min(readUint32(view, 12), 100_000)
    for (let i = 0; i < groupCount; i++) {
      const groupOffset = 16 + 12 * i
      if (code >= readUint32(view, groupOffset) && code <= readUint32(view, groupOffset + 4))
        return readUint32(view, groupOffset + 8) + code - readUint32(view, groupOffset)
    }
    return 0
  },
}

function readGlyphMaps(view: DataView | undefined): GlyphMap[] {
  if (!view) return []
  const glyphMaps: GlyphMap[] = []
  const mapCount = readUint16(view, 2)
  for (let i = 0; i < mapCount && i < 100; i++) {
    const mapOffset = readUint32(view, 8 + 8 * i)
    if (mapOffset + 2 > view.byteLength) continue
    const subtableView = new DataView(view.buffer, view.byteOffset + mapOffset, view.byteLength - mapOffset)
    const subtableReader = subtableReaders[readUint16(subtableView, 0)]
    glyphMaps.push({
      platform: readUint16(view, 4 + 8 * i),
      encoding: readUint16(view, 6 + 8 * i),
      findGlyph: subtableReader ? subtableReader(subtableView) : () => 0,
    })
  }
  return glyphMaps
}

function readGlyphNames(view: DataView | undefined): Map<string, number> {
  const glyphsByName = new Map<string, number>()
  if (!view) return glyphsByName
  const postVersion = readUint32(view, 0)
  if (postVersion === 0x10000) for (const [i, name] of macGlyphNames.entries()) glyphsByName.set(name, i)
  if (postVersion !== 0x20000) return glyphsByName
  const nameCount = readUint16(view, 32)
  const customNames: string[] = []
  for (let nameOffset = 34 + 2 * nameCount; nameOffset < view.byteLength && customNames.length < 65_536;) {
    const nameLength = view.getUint8(nameOffset)
    let customName = ''
    for (let i = 1; i <= nameLength && nameOffset + i < view.byteLength; i++)
      customName += String.fromCharCode(view.getUint8(nameOffset + i))
    customNames.push(customName)
    nameOffset += nameLength + 1
  }
  for (let glyphIndex = 0; glyphIndex < nameCount; glyphIndex++) {
    const nameIndex = readUint16(view, 34 + 2 * glyphIndex)
    const resolvedName = nameIndex < 258 ? macGlyphNames[nameIndex] : customNames[nameIndex - 258]
    if (resolvedName !== undefined && !glyphsByName.has(resolvedName)) glyphsByName.set(resolvedName, glyphIndex)
  }
  return glyphsByName
}

/** Parses a font program; null if it has no readable tables. */
export function readTrueType(bytes: Uint8Array): TrueTypeFont | null {
  const parsedTables = readTables(bytes)
  if (!parsedTables) return null
  const headTable = parsedTables.get('head')
  const hheaTable = parsedTables.get('hhea')
  const hmtxTable = parsedTables.get('hmtx')
  const maxpTable = parsedTables.get('maxp')
  const unitsPerEm = headTable ? readUint16(headTable, 18) || 1000 : 1000
  const metricCount = hheaTable ? readUint16(hheaTable, 34) : 0
  const cffTable = parsedTables.get('CFF ')
  if (!maxpTable && !cffTable) return null
  const glyphCount = maxpTable ? readUint16(maxpTable, 4) : 0
  let cachedNames: Map<string, number> | undefined
  return {
    glyphCount,
    maps: readGlyphMaps(parsedTables.get('cmap')),
    getWidth: (glyph) => {
      if (!hmtxTable || metricCount === 0 || glyph >= glyphCount) return null
      return (readUint16(hmtxTable, 4 * Math.min(glyph, metricCount - 1)) * 1000) / unitsPerEm
    },
    findGlyph: (name) => {
      cachedNames ??= readGlyphNames(parsedTables.get('post'))
      return cachedNames.get(name) ?? null
    },
    cff: cffTable ? new Uint8Array(cffTable.buffer, cffTable.byteOffset, cffTable.byteLength) : null,
  }
}
