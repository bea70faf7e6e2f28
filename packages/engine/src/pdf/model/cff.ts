import { cffStandardStrings, standardEncoding } from './glyph-name.ts'

/** A bare CFF font program (Adobe Technical Note 5176). Widths are in thousandths of the em. */
export type CffFont = {
  glyphCount: number
  isCid: boolean
  /** Names of the glyphs by number; empty for a CID font. */
  names: readonly string[]
  findGlyph(name: string): number | null
  findGlyphOfCid(cid: number): number | null
  listCids(): Iterable<number>
  /** Glyph name of a code in the font's own encoding. */
  getCodeName(code: number): string | null
  getWidth(glyph: number): number | null
}

type ByteReader = { bytes: Uint8Array; position: number }
type ByteRanges = { start: number; end: number }[]
type CffDict = Map<number, number[]>

const readByte = (bytes: Uint8Array, offset: number): number => bytes[offset] ?? 0
const readUint = (bytes: Uint8Array, offset: number, byteCount: number): number => {
  let result = 0
  for (let i = 0; i < byteCount; i++) result = result * 256 + readByte(bytes, offset + i)
  return result
}

function readIndex(byteReader: ByteReader): ByteRanges {
  const { bytes } = byteReader
  const entryCount = readUint(bytes, byteReader.position, 2)
  if (entryCount === 0) {
    byteReader.position += 2
    return []
  }
  const offsetSize = readByte(bytes, byteReader.position + 2)
  if (offsetSize < 1 || offsetSize > 4) throw new RangeError('An index of a CFF font is broken')
  const offsetsStart = byteReader.position + 3
  const dataStart = offsetsStart + (entryCount + 1) * offsetSize - 1
  const byteRanges: ByteRanges = []
  for (let i = 0; i < entryCount; i++)
    byteRanges.push({
      start: dataStart + readUint(bytes, offsetsStart + i * offsetSize, offsetSize),
      end: dataStart + readUint(bytes, offsetsStart + (i + 1) * offsetSize, offsetSize),
    })
  byteReader.position = byteRanges.at(-1)!.end
  return byteRanges
}

const nibbleCharacters = '0123456789.EE?-'

function readReal(byteReader: ByteReader, endOffset: number): number {
  let digits = ''
  while (byteReader.position < endOffset) {
    const nibblePair = readByte(byteReader.bytes, byteReader.position++)
    for (const nibble of [nibblePair >> 4, nibblePair & 15]) {
      if (nibble === 15) return Number(digits) || 0
      digits += nibbleCharacters[nibble] ?? ''
      if (nibble === 12) digits += '-'
    }
  }
  return 0
}

function readDict(bytes: Uint8Array, startOffset: number, endOffset: number): CffDict {
  const fontDict: CffDict = new Map()
  const byteReader: ByteReader = { bytes, position: startOffset }
  let operands: number[] = []
  while (byteReader.position < endOffset && byteReader.position < bytes.length) {
    const firstByte = readByte(bytes, byteReader.position++)
    if (firstByte <= 21) {
      const operatorKey = firstByte === 12 ? 1200 + readByte(bytes, byteReader.position++) : firstByte
      fontDict.set(operatorKey, operands)
      operands = []
    } else if (firstByte === 28) {
      operands.push((readUint(bytes, byteReader.position, 2) << 16) >> 16)
      byteReader.position += 2
    } else if (firstByte === 29) {
      operands.push(readUint(bytes, byteReader.position, 4) | 0)
      byteReader.position += 4
    } else if (firstByte === 30) operands.push(readReal(byteReader, endOffset))
    else if (firstByte <= 246) operands.push(firstByte - 139)
    else if (firstByte <= 250) operands.push((firstByte - 247) * 256 + readByte(bytes, byteReader.position++) + 108)
    else operands.push(-(firstByte - 251) * 256 - readByte(bytes, byteReader.position++) - 108)
  }
  return fontDict
}

/** Glyph identifiers by glyph index: string ids of names, or CIDs. */
function readCharset(bytes: Uint8Array, charsetOffset: number, glyphCount: number, isCid: boolean): number[] {
  // The predefined charsets start identically; only ISOAdobe occurs in practice.
  if (charsetOffset <= 2) return Array.from({ length: glyphCount }, (_, i) => (isCid || charsetOffset === 0 ? i : i))
  const glyphIds = [0]
  const charsetFormat = readByte(bytes, charsetOffset)
  let readOffset = charsetOffset + 1
  while (glyphIds.length < glyphCount && readOffset < bytes.length) {
    const firstId = readUint(bytes, readOffset, 2)
    readOffset += 2
    if (charsetFormat === 0) {
      glyphIds.push(firstId)
      continue
    }
    const remainingCount = readUint(bytes, readOffset, charsetFormat === 1 ? 1 : 2)
    readOffset += charsetFormat === 1 ? 1 : 2
    for (let i = 0; i <= remainingCount && glyphIds.length < glyphCount; i++) glyphIds.push(firstId + i)
  }
  return glyphIds
}

function readEncoding(bytes: Uint8Array, encodingOffset: number, glyphNames: readonly string[]): (code: number) => string | null {
  if (encodingOffset === 0) return (code) => standardEncoding[code] ?? null
  if (encodingOffset === 1) return () => null
  const namesByCode = new Map<number, string>()
  const encodingFormat = readByte(bytes, encodingOffset) & 127
  const encodingCount = readByte(bytes, encodingOffset + 1)
  let glyphIndex = 1
  for (let i = 0; i < encodingCount; i++) {
    if (encodingFormat === 0) namesByCode.set(readByte(bytes, encodingOffset + 2 + i), glyphNames[glyphIndex++] ?? '.notdef')
    else
      for (let codeIndex = 0; codeIndex <= readByte(bytes, encodingOffset + 3 + 2 * i); codeIndex++)
        namesByCode.set(readByte(bytes, encodingOffset + 2 + 2 * i) + codeIndex, glyphNames[glyphIndex++] ?? '.notdef')
  }
  return (code) => namesByCode.get(code) ?? null
}

type CffWidths = { standard: number; nominal: number }

/** Operators that may start a charstring, and their number of operands without a leading width. */
const hintOperators = new Set([1, 3, 18, 23, 19, 20])
const moveOperandCounts: Record<number, number> = { 21: 2, 22: 1, 4: 1, 14: 0 }

/** Returns the width before a charstring's first operator; the standard width if there is none. */
function readCharstringWidth(bytes: Uint8Array, { start, end }: { start: number; end: number }, widths: CffWidths): number {
  const operandStack: number[] = []
  for (let offset = start; offset < end;) {
    const operator = readByte(bytes, offset++)
    if (operator >= 32 || operator === 28) {
      const [value, operandSize] = readOperand(bytes, operator, offset)
      operandStack.push(value)
      offset += operandSize
      continue
    }
    if (hintOperators.has(operator)) return operandStack.length % 2 === 1 ? widths.nominal + operandStack[0]! : widths.standard
    const operandCount = moveOperandCounts[operator]
    if (operandCount !== undefined) {
      const hasWidth =
        operator === 14 ? operandStack.length === 1 || operandStack.length === 5 : operandStack.length > operandCount
      return hasWidth ? widths.nominal + operandStack[0]! : widths.standard
    }
    return Number.NaN
  }
  return widths.standard
}

function readOperand(bytes: Uint8Array, firstByte: number, offset: number): [value: number, size: number] {
  if (firstByte === 28) return [(readUint(bytes, offset, 2) << 16) >> 16, 2]
  if (firstByte <= 246) return [firstByte - 139, 0]
  if (firstByte <= 250) return [(firstByte - 247) * 256 + readByte(bytes, offset) + 108, 1]
  if (firstByte <= 254) return [-(firstByte - 251) * 256 - readByte(bytes, offset) - 108, 1]
  return [(readUint(bytes, offset, 4) | 0) / 65_536, 4]
}

function readPrivateWidths(bytes: Uint8Array, fontDict: CffDict): CffWidths {
  const [dictSize = 0, dictOffset = 0] = fontDict.get(18) ?? []
  const privateDict = dictSize > 0 ? readDict(bytes, dictOffset, dictOffset + dictSize) : new Map<number, number[]>()
  return { standard: privateDict.get(20)?.[0] ?? 0, nominal: privateDict.get(21)?.[0] ?? 0 }
}

/** Returns the function that maps a glyph of a CID font to its font dictionary. */
function readFontSelect(bytes: Uint8Array, selectOffset: number, glyphCount: number): (glyph: number) => number {
  if (readByte(bytes, selectOffset) === 0) return (glyph) => readByte(bytes, selectOffset + 1 + glyph)
  const rangeCount = readUint(bytes, selectOffset + 1, 2)
  return (glyph) => {
    if (glyph >= glyphCount) return 0
    for (let i = rangeCount - 1; i >= 0; i--)
      if (readUint(bytes, selectOffset + 3 + 3 * i, 2) <= glyph) return readByte(bytes, selectOffset + 5 + 3 * i)
    return 0
  }
}

/** Parses a font program; null if it is invalid. */
export function readCff(bytes: Uint8Array): CffFont | null {
  try {
    return parseCff(bytes)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function parseCff(bytes: Uint8Array): CffFont | null {
  const byteReader: ByteReader = { bytes, position: readByte(bytes, 2) }
  readIndex(byteReader)
  const topRanges = readIndex(byteReader)
  const stringRanges = readIndex(byteReader)
  if (topRanges.length === 0) return null
  const topDict = readDict(bytes, topRanges[0]!.start, topRanges[0]!.end)
  const charstringsOffset = topDict.get(17)?.[0]
  if (charstringsOffset === undefined) return null
  const charstringRanges = readIndex({ bytes, position: charstringsOffset })
  const isCid = topDict.has(1230)
  const glyphIds = readCharset(bytes, topDict.get(15)?.[0] ?? 0, charstringRanges.length, isCid)
  const getString = (id: number): string => {
    if (id < cffStandardStrings.length) return cffStandardStrings[id]!
    const stringRange = stringRanges[id - cffStandardStrings.length]
    return stringRange ? Buffer.from(bytes.subarray(stringRange.start, stringRange.end)).toString('latin1') : ''
  }
  const glyphNames = isCid ? [] : glyphIds.map(getString)
  const glyphsByName = new Map(glyphNames.map((name, glyph) => [name, glyph]))
  const glyphsByCid = new Map(isCid ? glyphIds.map((cid, glyph) => [cid, glyph]) : [])
  const fontDicts = isCid
    ? readIndex({ bytes, position: topDict.get(1236)?.[0] ?? 0 }).map((dictRange) =>
        readDict(bytes, dictRange.start, dictRange.end),
      )
    : [topDict]
  const fontWidths = fontDicts.map((font) => readPrivateWidths(bytes, font))
  const selectOffset = topDict.get(1237)?.[0]
  const selectFont = isCid && selectOffset !== undefined ? readFontSelect(bytes, selectOffset, charstringRanges.length) : () => 0
  const fontScales = fontDicts.map(
    (font) => 1000 * ((topDict.get(1207)?.[0] ?? 0.001) * (isCid && topDict.has(1207) ? (font.get(1207)?.[0] ?? 1) : 1) || 0.001),
  )
  return {
    glyphCount: charstringRanges.length,
    isCid,
    names: glyphNames,
    findGlyph: (name) => glyphsByName.get(name) ?? null,
    findGlyphOfCid: (cid) => (isCid ? (glyphsByCid.get(cid) ?? null) : cid < charstringRanges.length ? cid : null),
    listCids: () => (isCid ? glyphsByCid.keys() : charstringRanges.keys()),
    getCodeName: readEncoding(bytes, topDict.get(16)?.[0] ?? 0, glyphNames),
    getWidth: (glyph) => {
      const charstringRange = charstringRanges[glyph]
      const fontIndex = selectFont(glyph)
      if (!charstringRange || !fontWidths[fontIndex]) return null
      const glyphWidth = readCharstringWidth(bytes, charstringRange, fontWidths[fontIndex])
      return Number.isNaN(glyphWidth) ? null : glyphWidth * fontScales[fontIndex]!
    },
  }
}
