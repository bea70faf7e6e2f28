import { findCid, splitCodes } from './cmap.ts'
import { findGlyphName, findMappedText, type CompositeFont, type Font, type Glyph, type SimpleFont } from './font.ts'
import { encodings, isListedGlyph, decodeGlyphName, standardEncoding, macRomanEncoding } from './glyph-name.ts'
import type { TrueTypeFont } from './truetype.ts'

/** Character collections whose predefined CMaps have a published mapping to Unicode. */
const mappedOrderings = new Set(['GB1', 'CNS1', 'Japan1', 'Korea1', 'KR'])

const getSimpleWidth = ({ widths }: SimpleFont, code: number): number | null => {
  const widthIndex = code - widths.first
  if (widthIndex < 0 || widthIndex >= widths.values.length) return widths.values.length > 0 ? widths.missing : null
  return widths.values[widthIndex] ?? null
}

const macCodesByName = new Map(macRomanEncoding.map((name, code) => [name, code]))

/** Finds a glyph by its encoded name: through Unicode, Mac Roman, or the program's own names. */
function findGlyphByName(font: SimpleFont, program: TrueTypeFont, code: number): number {
  const encodedName = font.differences.get(code) ?? (encodings.get(font.encodingName ?? '') ?? standardEncoding)[code]
  if (encodedName === undefined || encodedName === '.notdef') return 0
  const unicodeMap = program.maps.find((glyphMap) => glyphMap.platform === 3 && glyphMap.encoding === 1)
  const macMap = program.maps.find((glyphMap) => glyphMap.platform === 1 && glyphMap.encoding === 0)
  const glyphText = decodeGlyphName(encodedName)
  const macCode = macCodesByName.get(encodedName)
  return (
    (unicodeMap && glyphText ? unicodeMap.findGlyph(glyphText.codePointAt(0)!) : 0) ||
    (macMap && macCode !== undefined ? macMap.findGlyph(macCode) : 0) ||
    (program.findGlyph(encodedName) ?? 0)
  )
}

/** Finds a glyph by its code as in a symbolic font; treats a Unicode table as Latin characters. */
function findGlyphByCode(program: TrueTypeFont, code: number): number {
  const symbolMap = program.maps.find((glyphMap) => glyphMap.platform === 3 && glyphMap.encoding === 0)
  const symbolGlyph =
    symbolMap &&
    [0xf000, 0, 0xf100, 0xf200].map((codeOffset) => symbolMap.findGlyph(codeOffset + code)).find((candidate) => candidate > 0)
  if (symbolGlyph) return symbolGlyph
  const macMap = program.maps.find((glyphMap) => glyphMap.platform === 1 && glyphMap.encoding === 0)
  const unicodeMap = program.maps.find((glyphMap) => glyphMap.platform === 3 && glyphMap.encoding === 1)
  return macMap?.findGlyph(code) || unicodeMap?.findGlyph(code) || (program.maps[0]?.findGlyph(code) ?? 0)
}

/** Finds a glyph of a TrueType program by the rules of ISO 32000-1, 9.6.6.4; null if the program has no table for it. */
function findTrueTypeGlyph(font: SimpleFont, program: TrueTypeFont, code: number): number | null {
  const hasSymbol = program.maps.some((glyphMap) => glyphMap.platform === 3 && glyphMap.encoding === 0)
  const namedGlyph = font.hasEncoding ? findGlyphByName(font, program, code) : 0
  if (font.hasEncoding && !font.isSymbolic) return namedGlyph > 0 || program.maps.length > 0 ? namedGlyph : null
  if (namedGlyph > 0 && !hasSymbol) return namedGlyph
  const codedGlyph = findGlyphByCode(program, code) || namedGlyph
  return codedGlyph > 0 || program.maps.length > 0 ? codedGlyph : null
}

type GlyphLookup = Pick<Glyph, 'programWidth' | 'isPresent' | 'isNotdef'>
const unknownLookup: GlyphLookup = { programWidth: null, isPresent: null, isNotdef: false }

function lookUpInProgram(font: SimpleFont, code: number, name: string | null): GlyphLookup {
  const { program } = font
  if (!program) return { ...unknownLookup, isNotdef: name === '.notdef' }
  if (program.kind === 'truetype') {
    const trueTypeGlyph = findTrueTypeGlyph(font, program.font, code)
    if (trueTypeGlyph === null) return unknownLookup
    const isPresent = trueTypeGlyph > 0 && trueTypeGlyph < program.font.glyphCount
    return { programWidth: program.font.getWidth(trueTypeGlyph), isPresent, isNotdef: trueTypeGlyph === 0 }
  }
  if (name === null) return { ...unknownLookup, isPresent: false, isNotdef: true }
  // A named glyph that is missing is missing (7.21.4.1). Only .notdef, or no name, refers to .notdef (7.21.8).
  if (program.kind === 'type1') {
    const isPresent = program.font.names.has(name)
    const shownName = isPresent ? name : '.notdef'
    return {
      programWidth: program.font.getWidth(shownName),
      isPresent,
      isNotdef: name === '.notdef',
    }
  }
  const cffGlyph = program.font.isCid ? program.font.findGlyphOfCid(code) : program.font.findGlyph(name)
  const isPresent = cffGlyph !== null
  return {
    programWidth: program.font.getWidth(cffGlyph ?? 0),
    isPresent,
    isNotdef: program.font.isCid ? (cffGlyph ?? 0) === 0 : name === '.notdef',
  }
}

function getSimpleText(font: SimpleFont, code: number, name: string | null): string | null {
  const findMappedUnicode = findMappedText(font, code)
  if (findMappedUnicode !== null) return findMappedUnicode
  return name === null || name === '.notdef' ? null : decodeGlyphName(name)
}

/**
 * Returns true if a simple font maps a code. Without ToUnicode, it needs an encoding or a program, or must be a
 * standard font without a descriptor, and its glyph name must be listed, not composed.
 */
function hasSimpleMapping(font: SimpleFont, code: number, name: string | null): boolean {
  if (findMappedText(font, code) !== null) return true
  if (name === null || decodeGlyphName(name) === null) return false
  const hasKnownEncoding = font.hasEncoding || font.hasProgram || font.descriptor === null
  return hasKnownEncoding && (!name.includes('_') || isListedGlyph(name))
}

function buildSimpleGlyph(font: SimpleFont, code: number): Glyph {
  const resolvedName = findGlyphName(font, code)
  const glyphText = getSimpleText(font, code, resolvedName)
  const isMapped = glyphText !== null && hasSimpleMapping(font, code, resolvedName)
  const glyphWidth = getSimpleWidth(font, code)
  if (font.subtype !== 'Type3')
    return { code, text: glyphText, isMapped, width: glyphWidth, ...lookUpInProgram(font, code, resolvedName) }
  return { code, text: glyphText, isMapped, width: glyphWidth, ...unknownLookup, isNotdef: resolvedName === '.notdef' }
}

function findCompositeGlyph(font: CompositeFont, cid: number): number | null {
  const { program } = font
  if (!program || program.kind === 'type1') return null
  if (program.kind === 'cff' && font.subtype === 'CIDFontType0') return program.font.findGlyphOfCid(cid)
  const gidMap = font.cidToGid
  if (typeof gidMap === 'string') return cid
  return 2 * cid + 1 < gidMap.length ? gidMap[2 * cid]! * 256 + gidMap[2 * cid + 1]! : 0
}

function lookUpComposite(font: CompositeFont, cid: number): GlyphLookup {
  const { program } = font
  if (!program || program.kind === 'type1') return { ...unknownLookup, isNotdef: cid === 0 }
  const glyphIndex = findCompositeGlyph(font, cid)
  if (glyphIndex === null) return { programWidth: program.font.getWidth(0), isPresent: false, isNotdef: true }
  const isPresent = glyphIndex < program.font.glyphCount && (glyphIndex > 0 || cid === 0)
  return { programWidth: program.font.getWidth(glyphIndex), isPresent, isNotdef: glyphIndex === 0 }
}

function buildCompositeGlyphs(font: CompositeFont, raw: string): Glyph[] {
  const isIdentity = font.encodingName?.startsWith('Identity-') ?? false
  return splitCodes(font.cmap, raw).map(({ code, bytes }) => {
    const cid = font.cmap && !isIdentity ? findCid(font.cmap, code, bytes) : isIdentity ? code : null
    const knownCid = cid ?? (font.cmap && !font.cmap.usesName ? 0 : null)
    const isMappedCollection = font.systemInfo.registry === 'Adobe' && mappedOrderings.has(font.systemInfo.ordering ?? '')
    const glyphText = findMappedText(font, code) ?? (isMappedCollection ? '\u25a1' : null)
    const glyphLookup = knownCid === null ? unknownLookup : lookUpComposite(font, knownCid)
    const glyphWidth = knownCid === null ? null : (font.widths.get(knownCid) ?? font.defaultWidth)
    return { code, text: glyphText, isMapped: glyphText !== null, width: glyphWidth, ...glyphLookup }
  })
}

/** Returns the glyphs of a string shown in a font, in order. @param raw the string's bytes */
export function buildGlyphs(font: Font, raw: string): Glyph[] {
  if (font.kind === 'composite') return buildCompositeGlyphs(font, raw)
  return Array.from(raw, (rawCharacter) => buildSimpleGlyph(font, rawCharacter.charCodeAt(0)))
}
