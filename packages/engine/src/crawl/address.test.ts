import { expect, it } from 'vitest'
import { readAddress, type AddressSettings } from './address.ts'

const plain: AddressSettings = {
  meaningfulParameters: [],
  meaninglessParameters: [],
  ignoreAllParameters: false,
  discardAnchors: true,
  hashRoutes: false,
}

/** Address, settings that differ, expected key or why it is refused. */
const table: [string, Partial<AddressSettings>, string][] = [
  ['HTTP://EXAMPLE.org:80/a/../b', {}, 'http://example.org/b'],
  ['https://example.org:443', {}, 'https://example.org/'],
  ['https://example.org:8443/', {}, 'https://example.org:8443/'],
  ['https://bücher.example/ü', {}, 'https://xn--bcher-kva.example/%C3%BC'],
  ['http://2130706433/', {}, 'http://127.0.0.1/'],
  ['/x?', {}, 'http://site.test/x'],
  ['?b=2&a=1', {}, 'http://site.test/base/?b=2&a=1'],
  ['#part', {}, 'http://site.test/base/'],
  ['#part', { discardAnchors: false }, 'http://site.test/base/#part'],
  ['#/route', { discardAnchors: false }, 'http://site.test/base/#/route'],
  ['#!route', { discardAnchors: false }, 'http://site.test/base/#!route'],
  ['#', { discardAnchors: false }, 'http://site.test/base/'],
  ['#:~:text=x', { discardAnchors: false }, 'http://site.test/base/'],
  ['/x?a=1&b=2', { ignoreAllParameters: true }, 'http://site.test/x'],
  ['/x?a=1&b=2', { meaningfulParameters: ['b'] }, 'http://site.test/x?b=2'],
  ['/x?a=1&b=2', { meaninglessParameters: ['b'] }, 'http://site.test/x?a=1'],
  ['/x?%61=1&b=2', { meaninglessParameters: ['a'] }, 'http://site.test/x?b=2'],
  ['/x?%zz=1', { meaninglessParameters: ['a'] }, 'http://site.test/x?%zz=1'],
  ['http://user:secret@site.test/', {}, 'credentials'],
  ['mailto:a@site.test', {}, 'scheme'],
  ['file:///etc/passwd', {}, 'scheme'],
  ['http://', {}, 'bad-url'],
  [`/${'x'.repeat(5000)}`, {}, 'bad-url'],
]

it.each(table)('%s with %o is %s', (text, settings, expected) => {
  const address = readAddress(text, { ...plain, ...settings }, 'http://site.test/base/')
  expect(address.ok ? address.key : address.why).toBe(expected)
})

it('visits the address as it was written, whatever tells pages apart', () => {
  const address = readAddress('http://site.test/x?a=1#p', { ...plain, ignoreAllParameters: true })
  expect(address).toMatchObject({ ok: true, url: 'http://site.test/x?a=1', key: 'http://site.test/x' })
})
