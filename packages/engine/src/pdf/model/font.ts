import type { PdfFile } from '../object/document.ts'
import { isDict, isName, isStream, type PdfDict } from '../object/value.ts'
import { readCff, type CffFont } from './cff.ts'
import { readCMap, findCodeText, type CMap } from './cmap.ts'
import { encodings, standardEncoding } from './glyph-name.ts'
import { readTrueType, type TrueTypeFont } from './truetype.ts'
import { readType1, type Type1Font } from './type1.ts'

/** The embedded font program by format. */
export type FontProgram =
  | { kind: 'truetype'; font: TrueTypeFont }
  | { kind: 'cff'; font: CffFont; metrics: TrueTypeFont | null }
  | { kind: 'type1'; font: Type1Font }

/** One glyph of a shown text. Null values are unknown. */
export type Glyph = {
  code: number
  text: string | null
  /** True if the font maps it as defined in ISO 32000-1, 9.10.2; otherwise the text may be a guess. */
  isMapped: boolean
  /** Width in the font dictionary, in thousandths of the em. */
  width: number | null
  programWidth: number | null
  isPresent: boolean | null
  isNotdef: boolean
}

/** Properties common to all kinds of fonts. */
type FontBase = {
  dict: PdfDict
  name: string
  /** Descriptor of the font, or of a composite font’s descendant. */
  descriptor: PdfDict | null
  program: FontProgram | null
  /** A program is embedded, readable or not. */
  hasProgram: boolean
  toUnicode: CMap | null
}

export type SimpleFont = FontBase & {
  kind: 'simple'
  subtype: 'Type1' | 'MMType1' | 'TrueType' | 'Type3'
  isSymbolic: boolean
  /** `Encoding`'s name, or its `BaseEncoding`. */
  encodingName: string | null
  hasEncoding: boolean
  differences: ReadonlyMap<number, string>
  widths: { first: number; values: readonly (number | null)[]; missing: number }
}

export type CompositeFont = FontBase & {
  kind: 'composite'
  encodingName: string | null
  /** The embedded CMap; null for a predefined one. */
  cmap: CMap | null
  cmapDict: PdfDict | null
  descendant: PdfDict
  subtype: 'CIDFontType0' | 'CIDFontType2'
  cidToGid: 'identity' | 'none' | Uint8Array
  widths: ReadonlyMap<number, number>
  defaultWidth: number
  systemInfo: { registry: string | null; ordering: string | null; supplement: number | null }
}

export type Font = SimpleFont | CompositeFont

function readProgram(file: PdfFile, descriptor: PdfDict | null): { program: FontProgram | null; hasProgram: boolean } {
  for (const fontFileKey of ['FontFile', 'FontFile2', 'FontFile3'] as const) {
    const programStream = file.stream(descriptor?.entries.get(fontFileKey))
    if (!programStream) continue
    const programBytes = file.unpack(programStream)
    const parsedProgram = programBytes ? parseProgram(fontFileKey, programBytes) : null
    return { program: parsedProgram, hasProgram: true }
  }
  return { program: null, hasProgram: false }
}

function parseProgram(key: 'FontFile' | 'FontFile2' | 'FontFile3', bytes: Uint8Array): FontProgram | null {
  const [first, second, third, fourth] = bytes
  const isSfnt =
    (first === 0 && second === 1 && third === 0 && fourth === 0) ||
    (first === 0x74 && second === 0x72) ||
    (first === 0x4f && second === 0x54)
  if (key === 'FontFile' && !isSfnt) {
    const type1Font = readType1(bytes)
    return type1Font && { kind: 'type1', font: type1Font }
  }
  if (key === 'FontFile2' || isSfnt) {
    const trueTypeFont = readTrueType(bytes)
    if (!trueTypeFont) return null
    const cffFont = trueTypeFont.cff ? readCff(trueTypeFont.cff) : null
    return cffFont ? { kind: 'cff', font: cffFont, metrics: trueTypeFont } : { kind: 'truetype', font: trueTypeFont }
  }
  const bareCffFont = readCff(bytes)
  return bareCffFont && { kind: 'cff', font: bareCffFont, metrics: null }
}

function readToUnicode(file: PdfFile, dict: PdfDict): CMap | null {
  const unicodeStream = file.stream(dict.entries.get('ToUnicode'))
  const unicodeBytes = unicodeStream && file.unpack(unicodeStream)
  return unicodeBytes ? readCMap(unicodeBytes) : null
}

function readDifferences(file: PdfFile, encoding: PdfDict | null): Map<number, string> {
  const namesByCode = new Map<number, string>()
  let nextCode = 0
  for (const item of file.array(encoding?.entries.get('Differences'))) {
    const differenceValue = file.resolve(item)
    if (typeof differenceValue === 'number') nextCode = differenceValue
    else if (isName(differenceValue)) namesByCode.set(nextCode++, differenceValue.name)
  }
  return namesByCode
}

const simpleSubtypes = ['Type1', 'MMType1', 'TrueType', 'Type3'] as const

function readSimpleFont(file: PdfFile, dict: PdfDict, subtype: SimpleFont['subtype']): SimpleFont {
  const fontDescriptor = file.dict(dict.entries.get('FontDescriptor'))
  const encodingValue = file.resolve(dict.entries.get('Encoding'))
  const descriptorFlags = file.number(fontDescriptor?.entries.get('Flags')) ?? 0
  const { program: fontProgram, hasProgram } = readProgram(file, fontDescriptor)
  return {
    kind: 'simple',
    dict,
    subtype,
    name: file.name(dict.entries.get('BaseFont')) ?? file.name(dict.entries.get('Name')) ?? '',
    descriptor: fontDescriptor,
    program: fontProgram,
    hasProgram,
    toUnicode: readToUnicode(file, dict),
    isSymbolic: (descriptorFlags & 4) !== 0,
    hasEncoding: encodingValue !== null,
    encodingName: isName(encodingValue)
      ? encodingValue.name
      : isDict(encodingValue)
        ? file.name(encodingValue.entries.get('BaseEncoding'))
        : null,
    differences: readDifferences(file, isDict(encodingValue) ? encodingValue : null),
    widths: {
      first: file.number(dict.entries.get('FirstChar')) ?? 0,
      values: file.array(dict.entries.get('Widths')).map((width) => file.number(width)),
      missing: file.number(fontDescriptor?.entries.get('MissingWidth')) ?? 0,
    },
  }
}

const maxWidths = 70_000

function readCidWidths(file: PdfFile, dict: PdfDict): Map<number, number> {
  const widthsByCid = new Map<number, number>()
  const widthItems = file.array(dict.entries.get('W'))
  for (let i = 0; i < widthItems.length && widthsByCid.size < maxWidths;) {
    const firstCid = file.number(widthItems[i])
    const secondItem = file.resolve(widthItems[i + 1])
    if (firstCid === null) break
    if (typeof secondItem === 'number') {
      const cidWidth = file.number(widthItems[i + 2]) ?? 0
      for (let cid = firstCid; cid <= secondItem && widthsByCid.size < maxWidths; cid++) widthsByCid.set(cid, cidWidth)
      i += 3
    } else {
      for (const [widthIndex, width] of file.array(secondItem).entries())
        widthsByCid.set(firstCid + widthIndex, file.number(width) ?? 0)
      i += 2
    }
  }
  return widthsByCid
}

function readCompositeFont(file: PdfFile, dict: PdfDict): CompositeFont | null {
  const descendantDict = file.dict(file.array(dict.entries.get('DescendantFonts'))[0])
  if (!descendantDict) return null
  const descendantDescriptor = file.dict(descendantDict.entries.get('FontDescriptor'))
  const encodingValue = file.resolve(dict.entries.get('Encoding'))
  const cmapBytes = isStream(encodingValue) ? file.unpack(encodingValue) : null
  const systemInfo = file.dict(descendantDict.entries.get('CIDSystemInfo'))
  const cidToGidMap = file.resolve(descendantDict.entries.get('CIDToGIDMap'))
  return {
    kind: 'composite',
    dict,
    name: file.name(dict.entries.get('BaseFont')) ?? '',
    descriptor: descendantDescriptor,
    ...readProgram(file, descendantDescriptor),
    toUnicode: readToUnicode(file, dict),
    encodingName: isName(encodingValue)
      ? encodingValue.name
      : isStream(encodingValue)
        ? file.name(encodingValue.dict.entries.get('CMapName'))
        : null,
    cmap: cmapBytes ? readCMap(cmapBytes) : null,
    cmapDict: isStream(encodingValue) ? encodingValue.dict : null,
    descendant: descendantDict,
    subtype: file.name(descendantDict.entries.get('Subtype')) === 'CIDFontType2' ? 'CIDFontType2' : 'CIDFontType0',
    cidToGid: isStream(cidToGidMap)
      ? (file.unpack(cidToGidMap) ?? 'none')
      : isName(cidToGidMap) && cidToGidMap.name === 'Identity'
        ? 'identity'
        : 'none',
    widths: readCidWidths(file, descendantDict),
    defaultWidth: file.number(descendantDict.entries.get('DW')) ?? 1000,
    systemInfo: {
      registry: file.string(systemInfo?.entries.get('Registry')),
      ordering: file.string(systemInfo?.entries.get('Ordering')),
      supplement: file.number(systemInfo?.entries.get('Supplement')),
    },
  }
}

/** Reads a font dictionary; null if its type is unsupported. */
export function readFont(file: PdfFile, dict: PdfDict): Font | null {
  const fontSubtype = file.name(dict.entries.get('Subtype'))
  if (fontSubtype === 'Type0') return readCompositeFont(file, dict)
  const simpleSubtype = simpleSubtypes.find((type) => type === fontSubtype)
  return simpleSubtype ? readSimpleFont(file, dict, simpleSubtype) : null
}

const symbolFonts = /^(Symbol|ZapfDingbats)\b/
const standardFonts = /^(Helvetica|Times|Courier)(-|$)/

/** Returns a simple font's glyph name for a code: `.notdef` if none is assigned, null if only the program knows it. */
export function findGlyphName(font: SimpleFont, code: number): string | null {
  const differenceName = font.differences.get(code)
  if (differenceName !== undefined) return differenceName
  const baseEncoding = font.encodingName ? encodings.get(font.encodingName) : undefined
  if (baseEncoding) return baseEncoding[code] ?? '.notdef'
  const { program } = font
  if (program?.kind === 'type1') return program.font.getCodeName(code)
  if (program?.kind === 'cff') return program.font.getCodeName(code)
  if (symbolFonts.test(font.name)) return null
  if (font.hasEncoding || (font.subtype !== 'TrueType' && standardFonts.test(font.name)))
    return standardEncoding[code] ?? '.notdef'
  return null
}

export const findMappedText = (font: Font, code: number): string | null =>
  font.toUnicode ? findCodeText(font.toUnicode, code) : null
