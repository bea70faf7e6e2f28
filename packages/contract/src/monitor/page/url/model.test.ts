import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { findFormerKey, hideSessionsInText, hidesSecret, readPageUrl, toShownUrl, type PageUrlSettings } from './model.ts'

const defaultSettings: PageUrlSettings = {
  meaningfulParameters: [],
  meaninglessParameters: [],
  ignoreAllParameters: false,
  discardAnchors: true,
  hashRoutes: false,
}

/** URL, changed settings, expected key or reason for refusal. */
const urlCases: [string, Partial<PageUrlSettings>, string][] = [
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
  ['/shop/1?sort=a&b=2', { meaninglessParameters: ['/shop/*?sort'] }, 'http://site.test/shop/1?b=2'],
  ['/news/1?sort=a', { meaninglessParameters: ['/shop/*?sort'] }, 'http://site.test/news/1?sort=a'],
  ['/shop/1/2?sort=a', { meaninglessParameters: ['/shop/*?sort'] }, 'http://site.test/shop/1/2?sort=a'],
  ['/shop?sort=a', { meaninglessParameters: ['/shop/*?sort'] }, 'http://site.test/shop?sort=a'],
  ['/?a=1', { meaninglessParameters: ['/?a'] }, 'http://site.test/'],
  ['/x?%61=1&b=2', { meaninglessParameters: ['a'] }, 'http://site.test/x?b=2'],
  ['/x?post=7&_wpnonce=3f9ab2c81d', {}, 'http://site.test/x?post=7'],
  ['/x?post=7&_wpnonce=3f9ab2c81d', { meaningfulParameters: ['_wpnonce'] }, 'http://site.test/x?_wpnonce=3f9ab2c81d'],
  ['/x?form[csrf_token]=3f9ab2c81d&b=2', {}, 'http://site.test/x?b=2'],
  ['/t?f=2&sid=0123456789abcdef0123456789abcdef', {}, 'http://site.test/t?f=2'],
  ['/t?sid=507f1f77bcf86cd799439011', {}, 'http://site.test/t?sid=507f1f77bcf86cd799439011'],
  ['/t?sid=kitchen-2024', {}, 'http://site.test/t?sid=kitchen-2024'],
  ['/share?token=3f9ab2c81d', {}, 'http://site.test/share?token=3f9ab2c81d'],
  ['/help?topic=csrf2024&nonce=1', {}, 'http://site.test/help?topic=csrf2024&nonce=1'],
  ['/x?%zz=1', { meaninglessParameters: ['a'] }, 'http://site.test/x?%zz=1'],
  ['/%c3%a9', {}, 'http://site.test/%C3%A9'],
  ['/é', {}, 'http://site.test/%C3%A9'],
  ['/e\u0301', {}, 'http://site.test/%C3%A9'],
  ['/%7Efoo/a%2Db', {}, 'http://site.test/~foo/a-b'],
  ['/a%28b%29', {}, 'http://site.test/a(b)'],
  ['/a%2fb?c%26d=%2f', {}, 'http://site.test/a%2Fb?c%26d=%2F'],
  ['/x?%c3%bc=%C3%BC&b=2', { meaningfulParameters: ['ü'] }, 'http://site.test/x?%C3%BC=%C3%BC'],
  ['/x#/%c3%a9', { hashRoutes: true }, 'http://site.test/x#/%C3%A9'],
  ['http://user:secret@site.test/', {}, 'credentials'],
  ['mailto:a@site.test', {}, 'scheme'],
  ['file:///etc/passwd', {}, 'scheme'],
  ['http://', {}, 'bad-url'],
  [`/${'x'.repeat(5000)}`, {}, 'bad-url'],
]

it.each(urlCases)('%s with %o is %s', (text, settings, expected) => {
  const parsedUrl = readPageUrl(text, { ...defaultSettings, ...settings }, 'http://site.test/base/')
  expect(parsedUrl.ok ? parsedUrl.key : parsedUrl.why).toBe(expected)
})

it('visits the URL as written, regardless of the settings for keys', () => {
  const parsedUrl = readPageUrl('http://site.test/x?a=1#p', { ...defaultSettings, ignoreAllParameters: true })
  expect(parsedUrl).toMatchObject({ ok: true, url: 'http://site.test/x?a=1', key: 'http://site.test/x' })
})

it.each([
  ['http://site.test/%c3%a9?a=1', {}, 'http://site.test/%c3%a9?a=1'],
  ['http://site.test/%7Efoo;jsessionid=1?b=%c3&c=2', { meaningfulParameters: ['b'] }, 'http://site.test/%7Efoo?b=%c3'],
  ['http://site.test/%7Efoo?b=1#/%7e', { ignoreAllParameters: true, hashRoutes: true }, 'http://site.test/%7Efoo#/%7e'],
  ['http://site.test/%C3%A9?a=1#part', {}, null],
])('knows the former key of %s', (url, settings, formerKey) => {
  const pageUrl = readPageUrl(url, { ...defaultSettings, ...settings })
  expect(pageUrl.ok && findFormerKey(url, pageUrl.key)).toBe(formerKey)
})

type StandardCase = { input: string; base: string } & (
  | { failure: true }
  | { href: string; hash: string; username: string; password: string }
)
const standardCases = JSON.parse(
  readFileSync(new URL('../../../../../../fixtures/url/web-platform-tests.json', import.meta.url), 'utf8'),
) as StandardCase[]

it('parses URLs according to the web platform tests', () => {
  const mismatches: unknown[] = []
  for (const testCase of standardCases) {
    const baseUrl = testCase.base === 'about:blank' ? undefined : testCase.base
    const parsedUrl = readPageUrl(testCase.input, { ...defaultSettings, discardAnchors: false, hashRoutes: true }, baseUrl)
    if ('failure' in testCase) {
      // Node accepts hosts with invalid punycode, which never resolve.
      if (parsedUrl.ok && !/xn--pokxncvks$/i.test(testCase.input)) mismatches.push([testCase, parsedUrl.url])
    } else if (testCase.username !== '' || testCase.password !== '') {
      if (parsedUrl.ok || parsedUrl.why !== 'credentials') mismatches.push([testCase, parsedUrl])
    } else {
      // An empty query or fragment does not identify another page.
      const expectedUrl = testCase.href.replace(/#$/, '').replace(/^([^#?]*)\?(?=#|$)/, '$1')
      if (!parsedUrl.ok || parsedUrl.url !== expectedUrl) mismatches.push([testCase, parsedUrl])
    }
  }
  expect(mismatches).toEqual([])
  expect(standardCases.length).toBeGreaterThan(400)
})

/** URL as it is visited, and as it is stored and shown. */
const shownCases: [string, string][] = [
  ['http://site.test/x?post=7&_wpnonce=3f9ab2c81d', 'http://site.test/x?post=7'],
  ['http://site.test/x?PHPSESSID=a1b2c3d4e5&b=%c3', 'http://site.test/x?b=%c3'],
  ['http://site.test/x;jsessionid=0A1B?b=2', 'http://site.test/x?b=2'],
  ['http://site.test/x?sid=0123456789abcdef0123456789abcdef', 'http://site.test/x'],
  ['http://site.test/x?access_token=abc&view=list', 'http://site.test/x?access_token=*&view=list'],
  ['http://site.test/x?apiKey=k1', 'http://site.test/x?apiKey=*'],
  ['http://site.test/x?token=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.x-1', 'http://site.test/x?token=*'],
  ['http://site.test/x?key=9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c&a=1', 'http://site.test/x?key=*&a=1'],
  ['http://site.test/share?token=3f9ab2c81d', 'http://site.test/share?token=3f9ab2c81d'],
  ['http://site.test/x?key=0b7c6a1e-52f4-4d9a-9f1e-3a5d7c9b1e20', 'http://site.test/x?key=0b7c6a1e-52f4-4d9a-9f1e-3a5d7c9b1e20'],
  ['http://site.test/x?utm_source=mail&id=5', 'http://site.test/x?utm_source=mail&id=5'],
  ['http://site.test/#/list?sesskey=a1b2c3d4e5&page=2', 'http://site.test/#/list?page=2'],
  ['http://site.test/#access_token=abc&state=1', 'http://site.test/#access_token=*&state=1'],
  ['http://site.test/x?a=1#part', 'http://site.test/x?a=1#part'],
  ['http://site.test/#?page=2', 'http://site.test/#?page=2'],
  ['http://site.test/#!/list?', 'http://site.test/#!/list?'],
  ['http://site.test/#/list?sesskey=a1b2c3d4e5', 'http://site.test/#/list'],
  ...[
    'key=uploads/2024/01/annual-report-2024.pdf',
    'key=how-to-apply-for-a-2024-housing-grant',
    'code=Commission.Regulation.2016.679.article.5',
    'hash=9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c',
  ].map((query): [string, string] => [`http://site.test/x?${query}`, `http://site.test/x?${query}`]),
  ['http://site.test/x?key=kX3_9aZ-q7Lm2Pv_Rt5Yw8Bn-c4Df6Gh1Jk0', 'http://site.test/x?key=*'],
  // Signed links of stores of files.
  [
    'http://site.test/f?X-Amz-Credential=AKIA2%2F20240101%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Expires=60&X-Amz-Signature=9f8e',
    'http://site.test/f?X-Amz-Credential=*&X-Amz-Expires=60&X-Amz-Signature=*',
  ],
  ['http://site.test/f?X-Goog-Signature=9f8e&X-Goog-Expires=60', 'http://site.test/f?X-Goog-Signature=*&X-Goog-Expires=60'],
  [
    'http://site.test/f?AWSAccessKeyId=AK1&Signature=vjbyPxybdZaNmGa%2ByT272YEAiv4%3D',
    'http://site.test/f?AWSAccessKeyId=*&Signature=*',
  ],
  [
    'http://site.test/f?sv=2023-11-03&se=2024-01-01&sp=r&sig=Zm9v%2FYmFyMTIzNDU2Nzg5MGFiY2RlZmdoaWprbG1ubw%3D',
    'http://site.test/f?sv=2023-11-03&se=2024-01-01&sp=r&sig=*',
  ],
  ['http://site.test/x?client_secret=ab&password=cd', 'http://site.test/x?client_secret=*&password=*'],
  ['http://site.test/x?reset_token=kX3_9aZ-q7Lm2Pv_Rt5Yw8Bn-c4Df6Gh1Jk0', 'http://site.test/x?reset_token=*'],
  ...[
    'sig=2024-spring-meeting',
    'signature=dish-of-the-house',
    'pageToken=kX3_9aZ-q7Lm2Pv_Rt5Yw8Bn-c4Df6Gh1Jk0',
    'digest=weekly-2024',
    'ticket=adult',
  ].map((query): [string, string] => [`http://site.test/x?${query}`, `http://site.test/x?${query}`]),
  // Secrets in paths.
  ['http://site.test/reset/9f8e7d6c5b4a39281706f5e4d3c2b1a0', 'http://site.test/reset/*'],
  ['http://site.test/de/unsubscribe/news/kX3_9aZ-q7Lm2Pv_Rt5Yw8Bn-c4Df6Gh1Jk0?a=1', 'http://site.test/de/unsubscribe/news/*?a=1'],
  ['http://site.test/verify-email/9f8e7d6c5b4a39281706f5e4d3c2b1a0/done', 'http://site.test/verify-email/*/done'],
  ['http://site.test/s/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.x-1/view', 'http://site.test/s/eyJ*/view'],
  ...[
    '/reset/password',
    '/reset/how-to-choose-a-password-that-lasts-2024',
    '/verify/0b7c6a1e-52f4-4d9a-9f1e-3a5d7c9b1e20',
    '/files/9f8e7d6c5b4a39281706f5e4d3c2b1a0',
    '/login/help/2024',
    '/confirm/1234',
    '/login/help/how-to-use-windows11-with-your-account',
    '/verify/covid19-vaccination-certificates-in-europe',
    '/token/0xdac17f958d2ee523a2206206994597c13d831ec7',
    '/password/static/main.9f8e7d6c5b4a39281706f5e4d3c2b1a0.html',
    '/web/*/harbor.test',
    '/x?crumb=home-garden-2024',
    '/x?postKey=64f1c2a5e7b3d90123456789',
    '/x?viewState=list-with-filters-and-groups',
    '/x?key=guide-for-windows11-and-office365-users',
  ].map((path): [string, string] => [`http://site.test${path}`, `http://site.test${path}`]),
]

it.each(shownCases)('stores %s as %s', (url, shownUrl) => {
  expect(toShownUrl(url, defaultSettings)).toBe(shownUrl)
  expect(hideSessionsInText(`Redirects to ${url} (302)`, defaultSettings)).toBe(`Redirects to ${shownUrl} (302)`)
  // Both are the same page, so that a later run can visit it, or the one that is shown is known to be another. Fragments are discarded.
  const settings = { ...defaultSettings, hashRoutes: true }
  const [visited, shown] = [readPageUrl(url, settings), readPageUrl(shownUrl, settings)]
  expect((visited.ok && visited.key) === (shown.ok && shown.key)).toBe(!hidesSecret(shownUrl) || url.includes('#access_token'))
})

it('hides secrets in a path of any number of segments', () => {
  const url = `http://site.test/${'/'.repeat(100_000)}reset/9f8e7d6c5b4a39281706f5e4d3c2b1a0`
  expect(hideSessionsInText(url, defaultSettings)).toBe(url.replace(/[^/]+$/, '*'))
})

it('shows a parameter that a person chose', () => {
  expect(toShownUrl('http://site.test/x?apikey=k1', { meaningfulParameters: ['apikey'] })).toBe('http://site.test/x?apikey=k1')
})
