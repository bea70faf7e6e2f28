import { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { fieldOf, formErrors, toForm, toSettings } from './form-model.ts'

const form = toForm(null, 'https://www.example.org/')

it('makes settings that the contract accepts, and the same form from them again', () => {
  const wanted = {
    ...form,
    name: 'Example',
    type: 'custom' as const,
    depth: '3',
    pageLimit: '40',
    userAgent: 'x',
  }
  const settings = z.parse(ScanSettings, toSettings(wanted, null))
  expect(settings).toMatchObject({ depth: 3, pageLimit: 40, urls: ['https://www.example.org/'] })
  expect(toForm(settings)).toEqual(wanted)
})

it('keeps settings that have no field', () => {
  const settings = z.parse(ScanSettings, {
    ...toSettings(form, null),
    advanced: { pageTimeoutMs: 5000 },
    priority: 'high',
  })
  expect(z.parse(ScanSettings, toSettings(toForm(settings), settings))).toMatchObject({
    priority: 'high',
    advanced: { pageTimeoutMs: 5000 },
  })
})

it.each([
  [{ name: ' ' }, 'name', 'required'],
  [{ urls: '' }, 'urls', 'required'],
  [{ urls: 'www.example.org' }, 'urls', 'bad-url'],
  [{ urls: 'ftp://example.org/' }, 'urls', 'url-scheme'],
  [{ urls: 'https://sam:secret@example.org/' }, 'urls', 'url-credentials'],
  [{ urls: 'https://a.example/\nhttps://a.example/' }, 'urls', 'duplicate'],
  [{ type: 'custom' as const, pageLimit: '0' }, 'pageLimit', 'too-small'],
  [{ type: 'custom' as const, pageLimit: 'many' }, 'pageLimit', 'wrong-format'],
  [{ windowWidth: '9999' }, 'windowWidth', 'too-big'],
])('finds what is wrong with %j', (wrong, field, code) => {
  const found = formErrors({ ...form, ...wrong }, null).map((error) => [fieldOf(error.path), error.code])
  expect(found).toEqual([[field, code]])
})
