import { buildNameRule, buildScanRule, buildValidationRule, type Rule } from './rule.ts'

const buildCustom = (extraSettings: object) => ({ type: 'custom', ...extraSettings })
const buildAdvanced = (advancedSettings: object) => ({ advanced: advancedSettings })
const tooLongText = 'x'.repeat(256)
const start = 'https://example.org/'

const general: Rule[] = [
  buildScanRule('Scan name: required', 'name', 'too-short', { name: '   ' }, {}),
  buildScanRule('maximum length from a limit', 'name', 'too-long', { name: tooLongText }, { name: tooLongText.slice(1) }),
  buildNameRule('unique (server-validated', 'POST /scans', { name: 'World', urls: [start] }, { name: 'Worlds', urls: [start] }),
  buildValidationRule(
    'optionally excluding the scan being edited',
    'POST /scans/validate',
    'name-taken',
    { name: 'World' },
    (world) => ({ name: 'World', scanId: world.scan }),
  ),
  buildScanRule('Scan URL: valid', 'urls.0', 'bad-url', { urls: ['http://'] }, { urls: [start] }),
  buildScanRule('Scan URL: valid', 'urls.0', 'url-scheme', { urls: ['ftp://example.org/'] }, { urls: ['http://example.org/'] }),
  buildScanRule(
    'Scan URL: unique',
    'urls.1',
    'duplicate',
    { urls: [start, 'https://example.org'] },
    { urls: [start, `${start}b`] },
  ),
  buildScanRule('Scan URL: at least one', 'urls', 'too-short', { urls: [] }, { urls: [start] }),
  buildScanRule(
    'Domains: at least one',
    'urls.0',
    'outside-domains',
    { domains: ['other.example'] },
    { domains: ['example.org'] },
  ),
  buildScanRule(
    'Domains: valid',
    'domains.0',
    'bad-domain',
    { domains: ['exa mple'] },
    { domains: ['*.example.org', 'example.org'] },
  ),
  buildScanRule('Page limit: above 0', 'pageLimit', 'too-small', buildCustom({ pageLimit: 0 }), buildCustom({ pageLimit: 1 })),
  buildScanRule(
    'Page limit: below a limit',
    'pageLimit',
    'too-big',
    buildCustom({ pageLimit: 10_001 }),
    buildCustom({ pageLimit: 10_000 }),
  ),
  buildScanRule(
    'Pre-scan wait: positive',
    'advanced.preScanWaitMs',
    'too-small',
    buildAdvanced({ preScanWaitMs: -1 }),
    buildAdvanced({ preScanWaitMs: 1 }),
  ),
  buildScanRule(
    'Pre-scan wait: below a limit',
    'advanced.preScanWaitMs',
    'too-big',
    buildAdvanced({ preScanWaitMs: 60_001 }),
    buildAdvanced({ preScanWaitMs: 60_000 }),
  ),
  buildScanRule(
    'At least one page type',
    'advanced.mimeTypes',
    'too-short',
    buildAdvanced({ mimeTypes: [] }),
    buildAdvanced({ mimeTypes: ['application/pdf'] }),
  ),
  buildScanRule(
    'PDF target count below the page limit',
    'advanced.pdfTargetCount',
    'too-big',
    buildCustom({ pageLimit: 10, advanced: { mimeTypes: ['application/pdf'], pdfTargetCount: 10 } }),
    buildCustom({ pageLimit: 10, advanced: { mimeTypes: ['application/pdf'], pdfTargetCount: 9 } }),
  ),
  buildScanRule(
    'PDF modified "to" date after "from"',
    'advanced.pdfModifiedTo',
    'too-small',
    buildAdvanced({ mimeTypes: ['application/pdf'], pdfModifiedFrom: '2026-02-02', pdfModifiedTo: '2026-02-01' }),
    buildAdvanced({ mimeTypes: ['application/pdf'], pdfModifiedFrom: '2026-02-01', pdfModifiedTo: '2026-02-02' }),
  ),
  buildScanRule(
    'Window width and height required',
    'advanced.windowWidth',
    'wrong-type',
    buildAdvanced({ windowWidth: null }),
    buildAdvanced({ windowWidth: 1280 }),
  ),
  buildScanRule(
    'Window width and height required',
    'advanced.windowHeight',
    'wrong-type',
    buildAdvanced({ windowHeight: null }),
    buildAdvanced({ windowHeight: 1024 }),
  ),
]

const head = { name: 'Header', selectors: ['header'] }
const buildUrlParts = (extraParts: object) => ({ commonComponents: { templateUrls: [start], components: [head], ...extraParts } })
const component = 'commonComponents.components'
const templates = 'commonComponents.templateUrls'
const components: Rule[] = [
  buildScanRule(
    'Common components: at least one',
    templates,
    'too-short',
    buildUrlParts({ templateUrls: [] }),
    buildUrlParts({}),
  ),
  buildScanRule(
    'Common components: valid',
    `${templates}.0`,
    'bad-url',
    buildUrlParts({ templateUrls: ['nowhere'] }),
    buildUrlParts({}),
  ),
  buildScanRule(
    'Common components: unique template URL',
    templates,
    'duplicate',
    buildUrlParts({ templateUrls: [start, 'https://example.org'] }),
    buildUrlParts({ templateUrls: [start, `${start}b`] }),
  ),
  buildScanRule('at least one component', component, 'too-short', buildUrlParts({ components: [] }), buildUrlParts({})),
  buildScanRule(
    'component name required',
    `${component}.0.name`,
    'too-short',
    buildUrlParts({ components: [{ name: ' ', selectors: ['header'] }] }),
    buildUrlParts({}),
  ),
  buildScanRule(
    'component name unique',
    component,
    'duplicate',
    buildUrlParts({ components: [head, { name: 'Header', selectors: ['footer'] }] }),
    buildUrlParts({ components: [head, { name: 'Footer', selectors: ['footer'] }] }),
  ),
  buildScanRule(
    'selectors valid',
    `${component}.0.selectors.0`,
    'wrong-format',
    buildUrlParts({ components: [{ name: 'Header', selectors: ['##'] }] }),
    buildUrlParts({ components: [{ name: 'Header', selectors: ['//header'] }] }),
  ),
  buildScanRule(
    'selectors unique',
    component,
    'duplicate',
    buildUrlParts({ components: [head, { name: 'Top', selectors: ['header'] }] }),
    buildUrlParts({ components: [head, { name: 'Top', selectors: ['#top'] }] }),
  ),
]

const buildVariables = (...variableList: object[]) => ({ scripts: { variables: variableList } })
const wordVariable = { name: 'WORD', value: 'a' }
const path = 'scripts.variables'
const environment: Rule[] = [
  buildScanRule(
    'Environment variables: name not empty',
    `${path}.0.name`,
    'too-short',
    buildVariables({ name: '', value: 'a' }),
    buildVariables(wordVariable),
  ),
  buildScanRule(
    'Environment variables: name unique',
    `${path}.1.name`,
    'duplicate',
    buildVariables(wordVariable, wordVariable),
    buildVariables(wordVariable, { name: 'OTHER', value: 'b' }),
  ),
  buildScanRule(
    'value not empty',
    `${path}.0.value`,
    'too-short',
    buildVariables({ name: 'WORD', value: '' }),
    buildVariables(wordVariable),
  ),
]

export const scanRules: Rule[] = [...general, ...components, ...environment]
