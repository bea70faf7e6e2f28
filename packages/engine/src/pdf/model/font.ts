import type { PdfFile } from '../object/document.ts'
import { isDict, isName, isStream, type PdfDict } from '../object/value.ts'
import { readCff, type Cff } from './cff.ts'
import { readCMap, textOfCode, type CMap } from './cmap.ts'
import { encodings } from './glyph-name.ts'
import { readTrueType, type TrueType } from './truetype.ts'
import { readType1, type Type1 } from './type1.ts'

/** The embedded font program, by how it is made. */
export type Program =
  | { kind: 'truetype'; font: TrueType }
  | { kind: 'cff'; font: Cff; metrics: TrueType | null }
  | { kind: 'type1'; font: Type1 }

/** One glyph that a text shows. Null: the file gives no means to know. */
export type Glyph = {
  code: number
  text: string | null
  /** Whether the font says so by the means of ISO 32000-1, 9.10.2; a text may be guessed by others. */ isMapped: boolean
  /** In thousandths of the em, as the font dictionary says. */ width: number | null
  programWidth: number | null
  isPresent: boolean | null
  isNotdef: boolean
}

/** What all kinds of font have. */
type Any = {
  dict: PdfDict
  name: string
  /** The font's, or for a composite font its descendant's. */ descriptor: PdfDict | null
  program: Program | null
  /** A program is embedded, readable or not. */ hasProgram: boolean
  toUnicode: CMap | null
}

export type SimpleFont = Any & {
  kind: 'simple'
  subtype: 'Type1' | 'MMType1' | 'TrueType' | 'Type3'
  isSymbolic: boolean
  /** `Encoding`'s name, or its `BaseEncoding`. */ encodingName: string | null
  hasEncoding: boolean
  differences: ReadonlyMap<number, string>
  widths: { first: number; values: readonly (number | null)[]; missing: number }
}

export type CompositeFont = Any & {
  kind: 'composite'
  encodingName: string | null
  /** The CMap that is in the file; null for a predefined one. */ cmap: CMap | null
  cmapDict: PdfDict | null
  descendant: PdfDict
  subtype: 'CIDFontType0' | 'CIDFontType2'
  cidToGid: 'identity' | 'none' | Uint8Array
  widths: ReadonlyMap<number, number>
  defaultWidth: number
  systemInfo: { registry: string | null; ordering: string | null; supplement: number | null }
}

export type Font = SimpleFont | CompositeFont

function readProgram(
  file: PdfFile,
  descriptor: PdfDict | null,
): { program: Program | null; hasProgram: boolean } {
  for (const key of ['FontFile', 'FontFile2', 'FontFile3'] as const) {
    const stream = file.stream(descriptor?.entries.get(key))
    if (!stream) continue
    const bytes = file.unpack(stream)
    const program = bytes ? programOf(key, bytes) : null
    return { program, hasProgram: true }
  }
  return { program: null, hasProgram: false }
}

function programOf(key: 'FontFile' | 'FontFile2' | 'FontFile3', bytes: Uint8Array): Program | null {
  const [a, b, c, d] = bytes
  const isSfnt =
    (a === 0 && b === 1 && c === 0 && d === 0) || (a === 0x74 && b === 0x72) || (a === 0x4f && b === 0x54)
  if (key === 'FontFile' && !isSfnt) {
    const font = readType1(bytes)
    return font && { kind: 'type1', font }
  }
  if (key === 'FontFile2' || isSfnt) {
    const font = readTrueType(bytes)
    if (!font) return null
    const cff = font.cff ? readCff(font.cff) : null
    return cff ? { kind: 'cff', font: cff, metrics: font } : { kind: 'truetype', font }
  }
  const font = readCff(bytes)
  return font && { kind: 'cff', font, metrics: null }
}

function readToUnicode(file: PdfFile, dict: PdfDict): CMap | null {
  const stream = file.stream(dict.entries.get('ToUnicode'))
  const bytes = stream && file.unpack(stream)
  return bytes ? readCMap(bytes) : null
}

function readDifferences(file: PdfFile, encoding: PdfDict | null): Map<number, string> {
  const differences = new Map<number, string>()
  let code = 0
  for (const item of file.array(encoding?.entries.get('Differences'))) {
    const value = file.resolve(item)
    if (typeof value === 'number') code = value
    else if (isName(value)) differences.set(code++, value.name)
  }
  return differences
}

const simpleTypes = ['Type1', 'MMType1', 'TrueType', 'Type3'] as const

function readSimple(file: PdfFile, dict: PdfDict, subtype: SimpleFont['subtype']): SimpleFont {
  const descriptor = file.dict(dict.entries.get('FontDescriptor'))
  const encoding = file.resolve(dict.entries.get('Encoding'))
  const flags = file.number(descriptor?.entries.get('Flags')) ?? 0
  const { program, hasProgram } = readProgram(file, descriptor)
  return {
    kind: 'simple',
    dict,
    subtype,
    name: file.name(dict.entries.get('BaseFont')) ?? file.name(dict.entries.get('Name')) ?? '',
    descriptor,
    program,
    hasProgram,
    toUnicode: readToUnicode(file, dict),
    isSymbolic: (flags & 4) !== 0,
    hasEncoding: encoding !== null,
    encodingName: isName(encoding)
      ? encoding.name
      : isDict(encoding)
        ? file.name(encoding.entries.get('BaseEncoding'))
        : null,
    differences: readDifferences(file, isDict(encoding) ? encoding : null),
    widths: {
      first: file.number(dict.entries.get('FirstChar')) ?? 0,
      values: file.array(dict.entries.get('Widths')).map((width) => file.number(width)),
      missing: file.number(descriptor?.entries.get('MissingWidth')) ?? 0,
    },
  }
}

const mostWidths = 70_000

function readCidWidths(file: PdfFile, dict: PdfDict): Map<number, number> {
  const widths = new Map<number, number>()
  const items = file.array(dict.entries.get('W'))
  for (let i = 0; i < items.length && widths.size < mostWidths;) {
    const first = file.number(items[i])
    const second = file.resolve(items[i + 1])
    if (first === null) break
    if (typeof second === 'number') {
      const width = file.number(items[i + 2]) ?? 0
      for (let cid = first; cid <= second && widths.size < mostWidths; cid++) widths.set(cid, width)
      i += 3
    } else {
      for (const [k, width] of file.array(second).entries()) widths.set(first + k, file.number(width) ?? 0)
      i += 2
    }
  }
  return widths
}

function readComposite(file: PdfFile, dict: PdfDict): CompositeFont | null {
  const descendant = file.dict(file.array(dict.entries.get('DescendantFonts'))[0])
  if (!descendant) return null
  const descriptor = file.dict(descendant.entries.get('FontDescriptor'))
  const encoding = file.resolve(dict.entries.get('Encoding'))
  const bytes = isStream(encoding) ? file.unpack(encoding) : null
  const info = file.dict(descendant.entries.get('CIDSystemInfo'))
  const map = file.resolve(descendant.entries.get('CIDToGIDMap'))
  return {
    kind: 'composite',
    dict,
    name: file.name(dict.entries.get('BaseFont')) ?? '',
    descriptor,
    ...readProgram(file, descriptor),
    toUnicode: readToUnicode(file, dict),
    encodingName: isName(encoding)
      ? encoding.name
      : isStream(encoding)
        ? file.name(encoding.dict.entries.get('CMapName'))
        : null,
    cmap: bytes ? readCMap(bytes) : null,
    cmapDict: isStream(encoding) ? encoding.dict : null,
    descendant,
    subtype:
      file.name(descendant.entries.get('Subtype')) === 'CIDFontType2' ? 'CIDFontType2' : 'CIDFontType0',
    cidToGid: isStream(map)
      ? (file.unpack(map) ?? 'none')
      : isName(map) && map.name === 'Identity'
        ? 'identity'
        : 'none',
    widths: readCidWidths(file, descendant),
    defaultWidth: file.number(descendant.entries.get('DW')) ?? 1000,
    systemInfo: {
      registry: file.string(info?.entries.get('Registry')),
      ordering: file.string(info?.entries.get('Ordering')),
      supplement: file.number(info?.entries.get('Supplement')),
    },
  }
}

/** Reads a font dictionary; null when it is none that can be shown. */
export function readFont(file: PdfFile, dict: PdfDict): Font | null {
  const subtype = file.name(dict.entries.get('Subtype'))
  if (subtype === 'Type0') return readComposite(file, dict)
  const simple = simpleTypes.find((type) => type === subtype)
  return simple ? readSimple(file, dict, simple) : null
}

const symbolFonts = /^(Symbol|ZapfDingbats)\b/
const standardFonts = /^(Helvetica|Times|Courier)(-|$)/

/** The glyph name that a simple font gives to a code: `.notdef` when it gives none, null when only the program knows. */
export function glyphName(font: SimpleFont, code: number): string | null {
  const own = font.differences.get(code)
  if (own !== undefined) return own
  const base = font.encodingName ? encodings[font.encodingName] : undefined
  if (base) return base[code] ?? '.notdef'
  const { program } = font
  if (program?.kind === 'type1') return program.font.nameOfCode(code)
  if (program?.kind === 'cff') return program.font.nameOfCode(code)
  if (symbolFonts.test(font.name)) return null
  if (font.hasEncoding || (font.subtype !== 'TrueType' && standardFonts.test(font.name)))
    return encodings.StandardEncoding![code] ?? '.notdef'
  return null
}

export const mappedText = (font: Font, code: number): string | null =>
  font.toUnicode ? textOfCode(font.toUnicode, code) : null
