import { cidOf, splitCodes } from './cmap.ts'
import { glyphName, mappedText, type CompositeFont, type Font, type Glyph, type SimpleFont } from './font.ts'
import { encodings, isListedGlyph, textOfGlyph } from './glyph-name.ts'
import type { TrueType } from './truetype.ts'

/** Collections whose predefined CMaps have a published way to Unicode. */
const mappedOrderings = new Set(['GB1', 'CNS1', 'Japan1', 'Korea1', 'KR'])

const simpleWidth = ({ widths }: SimpleFont, code: number): number | null => {
  const index = code - widths.first
  if (index < 0 || index >= widths.values.length) return widths.values.length > 0 ? widths.missing : null
  return widths.values[index] ?? null
}

const macCodes = new Map(encodings.MacRomanEncoding!.map((name, code) => [name, code]))

/** By the name that the encoding gives: through Unicode, Mac Roman, or the program's own names. */
function glyphByName(font: SimpleFont, program: TrueType, code: number): number {
  const name =
    font.differences.get(code) ?? (encodings[font.encodingName ?? ''] ?? encodings.StandardEncoding!)[code]
  if (name === undefined || name === '.notdef') return 0
  const unicode = program.maps.find((m) => m.platform === 3 && m.encoding === 1)
  const mac = program.maps.find((m) => m.platform === 1 && m.encoding === 0)
  const text = textOfGlyph(name)
  const macCode = macCodes.get(name)
  return (
    (unicode && text ? unicode.glyphOf(text.codePointAt(0)!) : 0) ||
    (mac && macCode !== undefined ? mac.glyphOf(macCode) : 0) ||
    (program.glyphNamed(name) ?? 0)
  )
}

/** By the code itself, as a symbolic font is read; a Unicode table as if it were of Latin characters. */
function glyphByCode(program: TrueType, code: number): number {
  const symbol = program.maps.find((m) => m.platform === 3 && m.encoding === 0)
  const found =
    symbol && [0xf000, 0, 0xf100, 0xf200].map((high) => symbol.glyphOf(high + code)).find((g) => g > 0)
  if (found) return found
  const mac = program.maps.find((m) => m.platform === 1 && m.encoding === 0)
  const unicode = program.maps.find((m) => m.platform === 3 && m.encoding === 1)
  return mac?.glyphOf(code) || unicode?.glyphOf(code) || (program.maps[0]?.glyphOf(code) ?? 0)
}

/** A glyph of a TrueType program by the rules of ISO 32000-1, 9.6.6.4; null when the program has no table for it. */
function trueTypeGlyph(font: SimpleFont, program: TrueType, code: number): number | null {
  const hasSymbol = program.maps.some((m) => m.platform === 3 && m.encoding === 0)
  const named = font.hasEncoding ? glyphByName(font, program, code) : 0
  if (font.hasEncoding && !font.isSymbolic) return named > 0 || program.maps.length > 0 ? named : null
  if (named > 0 && !hasSymbol) return named
  const coded = glyphByCode(program, code) || named
  return coded > 0 || program.maps.length > 0 ? coded : null
}

type Looked = Pick<Glyph, 'programWidth' | 'isPresent' | 'isNotdef'>
const unknown: Looked = { programWidth: null, isPresent: null, isNotdef: false }

function lookInProgram(font: SimpleFont, code: number, name: string | null): Looked {
  const { program } = font
  if (!program) return { ...unknown, isNotdef: name === '.notdef' }
  if (program.kind === 'truetype') {
    const glyph = trueTypeGlyph(font, program.font, code)
    if (glyph === null) return unknown
    const isPresent = glyph > 0 && glyph < program.font.glyphs
    return { programWidth: program.font.widthOf(glyph), isPresent, isNotdef: glyph === 0 }
  }
  if (name === null) return { ...unknown, isPresent: false, isNotdef: true }
  // A glyph that is named and missing is missing (7.21.4.1); only who names .notdef, or nothing, refers to it (7.21.8).
  if (program.kind === 'type1') {
    const isPresent = program.font.names.has(name)
    const shown = isPresent ? name : '.notdef'
    return {
      programWidth: program.font.widthOf(shown),
      isPresent,
      isNotdef: name === '.notdef',
    }
  }
  const glyph = program.font.isCid ? program.font.glyphOfCid(code) : program.font.glyphNamed(name)
  const isPresent = glyph !== null
  return {
    programWidth: program.font.widthOf(glyph ?? 0),
    isPresent,
    isNotdef: program.font.isCid ? (glyph ?? 0) === 0 : name === '.notdef',
  }
}

function simpleText(font: SimpleFont, code: number, name: string | null): string | null {
  const mapped = mappedText(font, code)
  if (mapped !== null) return mapped
  return name === null || name === '.notdef' ? null : textOfGlyph(name)
}

/**
 * Without a map of its own, a font has to have an encoding or a program, or be a standard one that says nothing of itself; and
 * names of the list itself, none put together.
 */
function isSimplyMapped(font: SimpleFont, code: number, name: string | null): boolean {
  if (mappedText(font, code) !== null) return true
  if (name === null || textOfGlyph(name) === null) return false
  const isKnown = font.hasEncoding || font.hasProgram || font.descriptor === null
  return isKnown && (!name.includes('_') || isListedGlyph(name))
}

function simpleGlyph(font: SimpleFont, code: number): Glyph {
  const name = glyphName(font, code)
  const text = simpleText(font, code, name)
  const isMapped = text !== null && isSimplyMapped(font, code, name)
  const width = simpleWidth(font, code)
  if (font.subtype !== 'Type3') return { code, text, isMapped, width, ...lookInProgram(font, code, name) }
  return { code, text, isMapped, width, ...unknown, isNotdef: name === '.notdef' }
}

function compositeGlyphNumber(font: CompositeFont, cid: number): number | null {
  const { program } = font
  if (!program || program.kind === 'type1') return null
  if (program.kind === 'cff' && font.subtype === 'CIDFontType0') return program.font.glyphOfCid(cid)
  const map = font.cidToGid
  if (typeof map === 'string') return cid
  return 2 * cid + 1 < map.length ? map[2 * cid]! * 256 + map[2 * cid + 1]! : 0
}

function compositeProgram(font: CompositeFont, cid: number): Looked {
  const { program } = font
  if (!program || program.kind === 'type1') return { ...unknown, isNotdef: cid === 0 }
  const glyph = compositeGlyphNumber(font, cid)
  if (glyph === null) return { programWidth: program.font.widthOf(0), isPresent: false, isNotdef: true }
  const isPresent = glyph < program.font.glyphs && (glyph > 0 || cid === 0)
  return { programWidth: program.font.widthOf(glyph), isPresent, isNotdef: glyph === 0 }
}

function compositeGlyphs(font: CompositeFont, raw: string): Glyph[] {
  const identity = font.encodingName?.startsWith('Identity-') ?? false
  return splitCodes(font.cmap, raw).map(({ code, bytes }) => {
    const cid = font.cmap && !identity ? cidOf(font.cmap, code, bytes) : identity ? code : null
    const known = cid ?? (font.cmap && !font.cmap.usesName ? 0 : null)
    const collection =
      font.systemInfo.registry === 'Adobe' && mappedOrderings.has(font.systemInfo.ordering ?? '')
    const text = mappedText(font, code) ?? (collection ? '\u25a1' : null)
    const looked = known === null ? unknown : compositeProgram(font, known)
    const width = known === null ? null : (font.widths.get(known) ?? font.defaultWidth)
    return { code, text, isMapped: text !== null, width, ...looked }
  })
}

/** The glyphs that a string shows in a font, in order. @param raw the string's bytes */
export function glyphsOf(font: Font, raw: string): Glyph[] {
  if (font.kind === 'composite') return compositeGlyphs(font, raw)
  return Array.from(raw, (char) => simpleGlyph(font, char.charCodeAt(0)))
}
