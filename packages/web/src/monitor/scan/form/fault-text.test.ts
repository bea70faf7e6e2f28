import { i18n, type MessageDescriptor } from '@lingui/core'
import { expect, it } from 'vitest'
import { getProblemText } from './fault-text.ts'
import { createNewValues } from './model.ts'
import { parseNumber } from './values.ts'

const form = createNewValues('https://www.example.org/')
/** English text with the numbers and dates of a language. */
function describe(locale: string, path: string, code: 'too-small' | 'too-big', params: Record<string, string | number>): string {
  i18n.loadAndActivate({ locale, messages: {} })
  const problem = { path, code, params }
  return getProblemText(path, problem, form, (words: MessageDescriptor) => i18n._(words))
}

it('limits are whole units, as written in the language', () => {
  expect(describe('en', 'advanced.runTimeoutMs', 'too-big', { max: 2_147_483_647 })).toBe('Enter 35,791 or less.')
  expect(describe('de', 'advanced.runTimeoutMs', 'too-big', { max: 2_147_483_647 })).toBe('Enter 35.791 or less.')
  expect(describe('en', 'advanced.pageTimeoutMs', 'too-small', { min: 1500 })).toBe('Enter 2 or more.')
  expect(describe('en', 'pageLimit', 'too-big', { max: 10_000 })).toBe('Enter 10,000 or less.')
})

it('limits of dates are days, without a time zone', () => {
  expect(describe('en', 'advanced.pdfModifiedTo', 'too-small', { min: '2027-01-02' })).toBe('Choose Jan 2, 2027 or later.')
  expect(describe('en', 'schedule.end.date', 'too-big', { max: '2027-12-31' })).toBe('Choose Dec 31, 2027 or earlier.')
})

it('an empty limit is a field to fill in', () => {
  i18n.loadAndActivate({ locale: 'en', messages: {} })
  const problem = { path: 'pageLimit', code: 'wrong-type' as const, params: {} }
  const emptyForm = { ...form, pageLimit: null }
  expect(getProblemText('pageLimit', problem, emptyForm, (words: MessageDescriptor) => i18n._(words))).toBe('Fill in this field.')
})

it('full-width digits of Japanese keyboards are numbers', () => {
  expect(parseNumber('１２')).toBe(12)
  expect(parseNumber(' －３ ')).toBe(-3)
  expect(parseNumber('１２枚')).toBe('１２枚')
})
