import { ofName, ofScan, ofValidation, type Rule } from './rule.ts'

const custom = (more: object) => ({ type: 'custom', ...more })
const advanced = (more: object) => ({ advanced: more })
const long = 'x'.repeat(256)
const start = 'https://example.org/'

const general: Rule[] = [
  ofScan('Scan name: required', 'name', 'too-short', { name: '   ' }, {}),
  ofScan('maximum length from a limit', 'name', 'too-long', { name: long }, { name: long.slice(1) }),
  ofName(
    'unique (server-validated',
    'POST /scans',
    { name: 'World', urls: [start] },
    { name: 'Worlds', urls: [start] },
  ),
  ofValidation(
    'optionally excluding the scan being edited',
    'POST /scans/validate',
    'name-taken',
    { name: 'World' },
    (world) => ({ name: 'World', scanId: world.scan }),
  ),
  ofScan('Scan URL: valid', 'urls.0', 'bad-url', { urls: ['http://'] }, { urls: [start] }),
  ofScan(
    'Scan URL: valid',
    'urls.0',
    'url-scheme',
    { urls: ['ftp://example.org/'] },
    { urls: ['http://example.org/'] },
  ),
  ofScan(
    'Scan URL: unique',
    'urls.1',
    'duplicate',
    { urls: [start, 'https://example.org'] },
    { urls: [start, `${start}b`] },
  ),
  ofScan('Scan URL: at least one', 'urls', 'too-short', { urls: [] }, { urls: [start] }),
  ofScan(
    'Domains: at least one',
    'urls.0',
    'outside-domains',
    { domains: ['other.example'] },
    { domains: ['example.org'] },
  ),
  ofScan(
    'Domains: valid',
    'domains.0',
    'bad-domain',
    { domains: ['exa mple'] },
    { domains: ['*.example.org', 'example.org'] },
  ),
  ofScan('Page limit: above 0', 'pageLimit', 'too-small', custom({ pageLimit: 0 }), custom({ pageLimit: 1 })),
  ofScan(
    'Page limit: below a limit',
    'pageLimit',
    'too-big',
    custom({ pageLimit: 10_001 }),
    custom({ pageLimit: 10_000 }),
  ),
  ofScan(
    'Pre-scan wait: positive',
    'advanced.preScanWaitMs',
    'too-small',
    advanced({ preScanWaitMs: -1 }),
    advanced({ preScanWaitMs: 1 }),
  ),
  ofScan(
    'Pre-scan wait: below a limit',
    'advanced.preScanWaitMs',
    'too-big',
    advanced({ preScanWaitMs: 60_001 }),
    advanced({ preScanWaitMs: 60_000 }),
  ),
  ofScan(
    'At least one page type',
    'advanced.mimeTypes',
    'too-short',
    advanced({ mimeTypes: [] }),
    advanced({ mimeTypes: ['application/pdf'] }),
  ),
  ofScan(
    'PDF target count below the page limit',
    'advanced.pdfTargetCount',
    'too-big',
    custom({ pageLimit: 10, advanced: { mimeTypes: ['application/pdf'], pdfTargetCount: 10 } }),
    custom({ pageLimit: 10, advanced: { mimeTypes: ['application/pdf'], pdfTargetCount: 9 } }),
  ),
  ofScan(
    'PDF modified "to" date after "from"',
    'advanced.pdfModifiedTo',
    'too-small',
    advanced({ mimeTypes: ['application/pdf'], pdfModifiedFrom: '2026-02-02', pdfModifiedTo: '2026-02-01' }),
    advanced({ mimeTypes: ['application/pdf'], pdfModifiedFrom: '2026-02-01', pdfModifiedTo: '2026-02-02' }),
  ),
  ofScan(
    'Window width and height required',
    'advanced.windowWidth',
    'wrong-type',
    advanced({ windowWidth: null }),
    advanced({ windowWidth: 1280 }),
  ),
  ofScan(
    'Window width and height required',
    'advanced.windowHeight',
    'wrong-type',
    advanced({ windowHeight: null }),
    advanced({ windowHeight: 1024 }),
  ),
]

const head = { name: 'Header', selectors: ['header'] }
const parts = (more: object) => ({
  commonComponents: { templateUrls: [start], components: [head], ...more },
})
const component = 'commonComponents.components'
const templates = 'commonComponents.templateUrls'
const components: Rule[] = [
  ofScan('Common components: at least one', templates, 'too-short', parts({ templateUrls: [] }), parts({})),
  ofScan(
    'Common components: valid',
    `${templates}.0`,
    'bad-url',
    parts({ templateUrls: ['nowhere'] }),
    parts({}),
  ),
  ofScan(
    'Common components: unique template URL',
    templates,
    'duplicate',
    parts({ templateUrls: [start, 'https://example.org'] }),
    parts({ templateUrls: [start, `${start}b`] }),
  ),
  ofScan('at least one component', component, 'too-short', parts({ components: [] }), parts({})),
  ofScan(
    'component name required',
    `${component}.0.name`,
    'too-short',
    parts({ components: [{ name: ' ', selectors: ['header'] }] }),
    parts({}),
  ),
  ofScan(
    'component name unique',
    component,
    'duplicate',
    parts({ components: [head, { name: 'Header', selectors: ['footer'] }] }),
    parts({ components: [head, { name: 'Footer', selectors: ['footer'] }] }),
  ),
  ofScan(
    'selectors valid',
    `${component}.0.selectors.0`,
    'wrong-format',
    parts({ components: [{ name: 'Header', selectors: ['##'] }] }),
    parts({ components: [{ name: 'Header', selectors: ['//header'] }] }),
  ),
  ofScan(
    'selectors unique',
    component,
    'duplicate',
    parts({ components: [head, { name: 'Top', selectors: ['header'] }] }),
    parts({ components: [head, { name: 'Top', selectors: ['#top'] }] }),
  ),
]

const variables = (...list: object[]) => ({ scripts: { variables: list } })
const word = { name: 'WORD', value: 'a' }
const path = 'scripts.variables'
const environment: Rule[] = [
  ofScan(
    'Environment variables: name not empty',
    `${path}.0.name`,
    'too-short',
    variables({ name: '', value: 'a' }),
    variables(word),
  ),
  ofScan(
    'Environment variables: name unique',
    `${path}.1.name`,
    'duplicate',
    variables(word, word),
    variables(word, { name: 'OTHER', value: 'b' }),
  ),
  ofScan(
    'value not empty',
    `${path}.0.value`,
    'too-short',
    variables({ name: 'WORD', value: '' }),
    variables(word),
  ),
]

export const scanRules: Rule[] = [...general, ...components, ...environment]
