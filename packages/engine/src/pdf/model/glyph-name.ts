import { readFileSync } from 'node:fs'

const read = (name: string): string[] =>
  readFileSync(new URL(`../../../data/${name}`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))

const lists = new Map(
  read('font-names.txt').map((line) => {
    const [name, ...glyphs] = line.split(' ')
    return [name!, glyphs] as const
  }),
)
const list = (name: string): readonly string[] => lists.get(name)!

/** Glyph names by code, `.notdef` where there is none. */
export const encodings: Readonly<Record<string, readonly string[]>> = {
  StandardEncoding: list('StandardEncoding'),
  WinAnsiEncoding: list('WinAnsiEncoding'),
  MacRomanEncoding: list('MacRomanEncoding'),
}
export const cffStrings = list('CffStrings')
export const macGlyphs = list('MacGlyphs')

const adobe = new Map(
  read('adobe-glyph-list.txt').map((line) => {
    const [name, ...codes] = line.split(' ')
    return [name!, String.fromCodePoint(...codes.map((code) => Number.parseInt(code, 16)))] as const
  }),
)

/** A name that is in the list itself, not one that is only formed by its rules. */
export const isListedGlyph = (name: string): boolean => adobe.has(name)

const fromHex = (hex: string): string | null => {
  const code = Number.parseInt(hex, 16)
  return code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : null
}

/** The text that a glyph's name means, by the rules of the Adobe Glyph List; null when it names none. */
export function textOfGlyph(glyph: string): string | null {
  const known = adobe.get(glyph)
  if (known !== undefined) return known
  const stem = glyph.split('.', 1)[0]!
  if (stem === '') return null
  let text = ''
  for (const part of stem.split('_')) {
    const listed = adobe.get(part)
    const uni = /^uni((?:[0-9A-F]{4})+)$/.exec(part)?.[1]
    const u = /^u([0-9A-F]{4,6})$/.exec(part)?.[1]
    const one = listed ?? (uni ? (uni.match(/.{4}/g) ?? []).map(fromHex).join('') : u ? fromHex(u) : null)
    if (!one) return null
    text += one
  }
  return text
}
