import { expect, it } from 'vitest'
import { decodeFileText } from './decode-text.ts'

const text = 'Grün & Söhne\nœuvre €'
const toUtf16 = (isLittleEndian: boolean) => {
  const bytes = new Uint8Array(text.length * 2)
  for (let index = 0; index < text.length; index++)
    new DataView(bytes.buffer).setUint16(index * 2, text.charCodeAt(index), isLittleEndian)
  return bytes
}
const windowsBytes: Readonly<Record<string, number>> = { ü: 0xfc, ö: 0xf6, œ: 0x9c, '€': 0x80 }

it.each([
  ['UTF-8', new TextEncoder().encode(text)],
  ['UTF-8 with a byte order mark', new TextEncoder().encode(`\uFEFF${text}`)],
  ['UTF-16 of PowerShell', new Uint8Array([0xff, 0xfe, ...toUtf16(true)])],
  ['UTF-16, big-endian', new Uint8Array([0xfe, 0xff, ...toUtf16(false)])],
  ['UTF-16 without a mark', toUtf16(true)],
  ['UTF-16, big-endian, without a mark', toUtf16(false)],
  ['Windows-1252 of Excel', Uint8Array.from(text, (character) => windowsBytes[character] ?? character.charCodeAt(0))],
])('%s', (_, bytes) => expect(decodeFileText(bytes)).toBe(text))

it('empty files and single bytes', () =>
  expect([new Uint8Array(), new Uint8Array([65])].map((bytes) => decodeFileText(bytes))).toEqual(['', 'A']))
