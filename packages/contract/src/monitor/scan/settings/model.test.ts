import { defaultLimits } from '../../../kit/limit.ts'
import { ScanSettings } from '../schema.ts'
import { describe, expect, it } from 'vitest'
import { parse } from 'zod/mini'
import { findDomainErrors, findSettingsErrors } from './model.ts'

const both = ['text/html', 'application/pdf']
const component = { name: 'Head', selectors: ['header'] }

it.each([
  [{ type: 'quick', advanced: { mimeTypes: both, pdfTargetCount: 100 } }, ['advanced.pdfTargetCount too-big']],
  [{ type: 'quick', advanced: { mimeTypes: both, pdfTargetCount: 99 } }, []],
  [{ type: 'quick', advanced: { pdfTargetCount: 500 } }, []],
  [
    { advanced: { mimeTypes: both, pdfModifiedFrom: '2026-05-02', pdfModifiedTo: '2026-05-01' } },
    ['advanced.pdfModifiedTo too-small'],
  ],
  [
    { advanced: { mimeTypes: both, pdfModifiedFrom: '2026-05-02', pdfModifiedTo: '2026-05-02' } },
    ['advanced.pdfModifiedTo too-small'],
  ],
  [{ advanced: { mimeTypes: both, pdfModifiedFrom: '2026-05-02', pdfModifiedTo: '2026-05-03' } }, []],
  [{ commonComponents: { templateUrls: ['nonsense'], components: [component] } }, ['commonComponents.templateUrls.0 bad-url']],
  [
    { advanced: { alwaysTested: ['https://a.example/b', 'abc', 'https://u:p@a.example/'] } },
    ['advanced.alwaysTested.1 bad-url', 'advanced.alwaysTested.2 url-credentials'],
  ],
  [
    { sources: { sitemaps: ['ftp://a.example/s.xml'], urls: ['https://u:p@a.example/'] } },
    ['sources.sitemaps.0 url-scheme', 'sources.urls.0 url-credentials'],
  ],
  [
    { urls: ['https://a.example/', 'https://A.example', 'nonsense', 'nonsense'] },
    ['urls.2 bad-url', 'urls.3 bad-url', 'urls.1 duplicate'],
  ],
  [{ urls: ['https://a.example/a#x', 'https://a.example/a#y'] }, ['urls.1 duplicate']],
  [{ urls: ['https://a.example/a#x', 'https://a.example/a#y'], advanced: { discardAnchors: false } }, []],
  [{ urls: ['https://a.example/#/x', 'https://a.example/#/y'], advanced: { hashRoutes: true } }, []],
  [{ urls: ['https://a.example/a#x', 'https://a.example/a#y'], advanced: { hashRoutes: true } }, ['urls.1 duplicate']],
  [
    { urls: ['https://a.example/%7Ea', 'https://a.example/~a', 'https://a.example/~a?utm_source=x'] },
    ['urls.1 duplicate', 'urls.2 duplicate'],
  ],
  [{ urls: ['https://a.example/?a=1', 'https://a.example/?a=2'] }, []],
  [{ urls: ['https://a.example/?a=1', 'https://a.example/?a=2'], advanced: { ignoreAllParameters: true } }, ['urls.1 duplicate']],
  [{ domains: ['b.example', '*.A.example'] }, []],
  [{ domains: ['b.example'] }, ['urls.0 outside-domains']],
  [{ domains: ['b.example', 'B.example', 'b c'] }, ['domains.2 bad-domain', 'domains.1 duplicate']],
  [{ name: 'A\nB' }, ['name wrong-format']],
  [
    {
      commonComponents: {
        templateUrls: ['https://a.example/'],
        components: [component, { name: 'HEAD', selectors: ['['] }],
      },
    },
    ['commonComponents.components.1.name duplicate', 'commonComponents.components.1.selectors.0 wrong-format'],
  ],
  [
    { advanced: { meaninglessParameters: ['sort', '/shop/*?sort', '/shop/*', '/shop?', 'https://a.example/?sort', '/?a=1'] } },
    [2, 3, 4, 5].map((index) => `advanced.meaninglessParameters.${index} wrong-format`),
  ],
  [{ advanced: { waitFor: ['a', '['] } }, ['advanced.waitFor.1 wrong-format']],
])('checks settings against each other: %j', (more, expected) => {
  const settings = parse(ScanSettings, { name: 'A', urls: ['https://a.example/'], ...more })
  const errors = findSettingsErrors(settings, {
    limits: defaultLimits,
    isSelector: (text) => text !== '[',
    isExpression: () => true,
  })
  expect(errors.map(({ path, code }) => `${path} ${code}`)).toEqual(expected)
})

it('applies the configured limits', () => {
  const urls = ['https://a.example/', 'https://b.example/']
  const settings = parse(ScanSettings, { name: 'A', type: 'custom', urls, pageLimit: 11, depth: 6 })
  const limits = { pageLimit: 10, depth: 5, startUrls: 1 }
  expect(findSettingsErrors(settings, { limits, isSelector: () => true, isExpression: () => true })).toEqual([
    { path: 'pageLimit', code: 'too-big', params: { max: 10 } },
    { path: 'depth', code: 'too-big', params: { max: 5 } },
    { path: 'urls', code: 'too-long', params: { max: 1 } },
  ])
})

describe('domains', () => {
  const findPaths = (domains: string[]) => findDomainErrors('domains', domains).map(({ path }) => path)
  it.each([
    'example.org',
    '*.example.org',
    'Bücher.example',
    'localhost:8080',
    '*.localhost',
    '[::1]:80',
    '127.0.0.2',
    'my_host.example',
    'example.org.',
    `${'a'.repeat(63)}.example`,
  ])('accepts %s', (domain) => expect(findPaths([domain])).toEqual([]))
  it.each([
    'x..example',
    '-x.example',
    'x-.example',
    '..',
    'x.example:0',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(126)}example`,
    '*.com',
    '*.',
    '.example.org',
  ])('refuses %s', (domain) => expect(findPaths([domain])).toEqual(['domains.0']))
})
