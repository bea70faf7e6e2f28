import { expect, it } from 'vitest'
import { makeNumberRemover } from './number-remover-in-page.ts'

const removeNumbers = makeNumberRemover()

it.each([
  '2 November 2026',
  'November 2nd, 2026',
  '02.11.2026',
  '2026-11-02',
  '11/2/2026',
  'Mon, 2 Nov 2026, 3:04 PM',
  'Monday, November 2, 2026 at 3:04 p.m.',
  'Montag, 2. November 2026 um 15:04 Uhr',
  '2 de noviembre de 2026',
  'lundi 2 novembre 2026 à 15:04',
  'lunedì 2 novembre 2026 alle 15:04',
  '2026年11月2日',
  'Nov 2',
  '17',
])('sees one number in %s', (date) => expect(removeNumbers(`Updated on ${date}`)).toBe('Updated on 0'))

it.each([
  ['5 markets', '0 markets'],
  ['3 sundaes', '0 sundaes'],
  ['Price 1,299.00 EUR', 'Price 0 EUR'],
  ['Monday and May', 'Monday and May'],
  ['Room 5 of Marion', 'Room 0 of Marion'],
])('keeps other words: %s', (text, expected) => expect(removeNumbers(text)).toBe(expected))
