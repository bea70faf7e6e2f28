import { readFileSync } from 'node:fs'

const readDataLines = (name: string): string[] =>
  readFileSync(new URL(`../../../data/${name}`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))

const namesByList = new Map(
  readDataLines('font-names.txt').map((line) => {
    const [name, ...glyphNames] = line.split(' ')
    return [name!, glyphNames] as const
  }),
)
const getNameList = (name: string): readonly string[] => namesByList.get(name)!

/** Glyph names by code, `.notdef` where there is none. */
export const standardEncoding = getNameList('StandardEncoding')
export const macRomanEncoding = getNameList('MacRomanEncoding')
export const encodings: ReadonlyMap<string, readonly string[]> = new Map([
  ['StandardEncoding', standardEncoding],
  ['WinAnsiEncoding', getNameList('WinAnsiEncoding')],
  ['MacRomanEncoding', macRomanEncoding],
])
export const cffStandardStrings = getNameList('CffStrings')
export const macGlyphNames = getNameList('MacGlyphs')

const textsByGlyphName = new Map(
  readDataLines('adobe-glyph-list.txt').map((line) => {
    const [name, ...codes] = line.split(' ')
    return [name!, String.fromCodePoint(...codes.map((code) => Number.parseInt(code, 16)))] as const
  }),
)

/** Returns true for names in the list itself, not for composed names. */
export const isListedGlyph = (name: string): boolean => textsByGlyphName.has(name)

const decodeHex = (hex: string): string | null => {
  const codePoint = Number.parseInt(hex, 16)
  return codePoint <= 0x10ffff && !(codePoint >= 0xd800 && codePoint <= 0xdfff) ? String.fromCodePoint(codePoint) : null
}

/** Returns the text of a glyph name by the rules of the Adobe Glyph List; null if it has none. */
export function decodeGlyphName(glyph: string): string | null {
  const listedText = textsByGlyphName.get(glyph)
  if (listedText !== undefined) return listedText
  const nameStem = glyph.split('.', 1)[0]!
  if (nameStem === '') return null
  let decodedText = ''
  for (const namePart of nameStem.split('_')) {
    const partText = textsByGlyphName.get(namePart)
    const uniDigits = /^uni((?:[0-9A-F]{4})+)$/.exec(namePart)?.[1]
    const uDigits = /^u([0-9A-F]{4,6})$/.exec(namePart)?.[1]
    const decodedPart =
      partText ?? (uniDigits ? (uniDigits.match(/.{4}/g) ?? []).map(decodeHex).join('') : uDigits ? decodeHex(uDigits) : null)
    if (!decodedPart) return null
    decodedText += decodedPart
  }
  return decodedText
}
