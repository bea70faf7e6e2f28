import { defaultLimits } from '@clearway/contract/kit/limit.ts'
import { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import { expect, it } from 'vitest'
import { parse } from 'zod/mini'
import { findSettingsErrors } from './model.ts'

const both = ['text/html', 'application/pdf']
const component = { name: 'Head', selectors: ['header'] }

it.each([
  [
    { type: 'quick', advanced: { mimeTypes: both, pdfTargetCount: 100 } },
    ['advanced.pdfTargetCount too-big'],
  ],
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
  [
    { commonComponents: { templateUrls: ['nonsense'], components: [component] } },
    ['commonComponents.templateUrls.0 bad-url'],
  ],
  [
    { sources: { sitemaps: ['ftp://a.example/s.xml'], urls: ['https://u:p@a.example/'] } },
    ['sources.sitemaps.0 url-scheme', 'sources.urls.0 url-credentials'],
  ],
])('checks settings against each other: %j', (more, expected) => {
  const settings = parse(ScanSettings, { name: 'A', urls: ['https://a.example/'], ...more })
  const errors = findSettingsErrors(settings, defaultLimits)
  expect(errors.map(({ path, code }) => `${path.replace('settings.', '')} ${code}`)).toEqual(expected)
})
