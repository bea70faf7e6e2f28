const exampleId = '0198c6f2-7d1c-7a53-9b1e-2f60a4d8c111'

/** Script that tests a page after a click, as YAML. */
export const exampleScript = `projects:
  - name: Shop
    id: shop
    pageList:
      - name: Menu
        url: https://www.example.org/
        actions:
          - click element "#menu"
          - analyze
`

/** Example values of properties and parameters, by name. Optional properties appear in the examples of bodies only if they are here. */
export const exampleValues: ReadonlyMap<string, unknown> = new Map<string, unknown>(
  Object.entries({
    code: '123456',
    email: 'ada@example.org',
    filename: 'accounts.csv',
    firstName: 'Ada',
    label: 'checkout',
    labels: ['checkout'],
    lastName: 'Lovelace',
    message: 'Maintenance on Saturday from 8 to 10',
    name: 'Public website',
    rule: 'image-alt',
    scanGroupName: 'Public websites',
    script: exampleScript,
    search: 'image-alt',
    selector: 'main > img',
    startDate: '2026-03-02',
    dueOn: '2026-06-30',
    day: '2026-03-02',
    startTime: '03:00',
    teamId: '9f3c1d20-5a8e-4b7c-9d11-0c2b6a7e5f10',
    text: 'The logo needs a text alternative',
    timeZone: 'Europe/Berlin',
    url: 'https://www.example.org/',
    urls: ['https://www.example.org/'],
    username: 'ada',
    version: 3,
  }),
)

const selectedScans = { selectAllMode: false, selectedScans: [exampleId] }
const issueFilters = { scanId: [exampleId], severity: ['critical'], status: ['open'] }
const selectedIssues = { filters: issueFilters, selected: { selectAllMode: true }, expectedCount: 12 }
const selectedPages = {
  filters: { scanId: [exampleId], status: ['failed'] },
  selected: { selectAllMode: true },
  expectedCount: 4,
}
const weeklySchedule = {
  frequency: 'weekly',
  startDate: '2026-03-02',
  startTime: '03:00',
  timeZone: 'Europe/Berlin',
  weekdays: ['monday'],
}
const passwordProof = { password: 'correct horse battery staple' }
const scriptBody = { name: 'Open the menu', type: 'TASK', text: exampleScript }
const draft = {
  values: { name: 'Public website' },
  base: { name: '' },
  version: null,
  left: ['general'],
  skipped: [],
  savedAt: '2026-03-02T08:30:00.000Z',
}
const issueExports = ['Csv', 'CsvBrief', 'CsvDetailed', 'Json', 'Xlsx', 'Sarif', 'Junit', 'Earl'].map(
  (format) => `exportIssues${format}`,
)
const pageExports = ['Json', 'Csv', 'Xlsx'].map((format) => `exportPages${format}`)

/** The same body for several calls. */
const shareBody = (operations: readonly string[], body: unknown) => operations.map((operation) => [operation, body] as const)

/** Whole bodies of calls whose parts depend on each other, by operation. */
export const exampleBodies: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ...shareBody(['removeTotp', 'offerPasskey', 'removePasskey', 'renewRecoveryCodes'], passwordProof),
  ...shareBody(['selectedScans', 'startScans', 'deleteScans', 'exportScansCsv'], selectedScans),
  ...shareBody(['countSelectedIssues', 'usersOfSelectedIssues', 'deleteIssues', ...issueExports], selectedIssues),
  ...shareBody(['countSelectedPages', 'deletePages', ...pageExports], selectedPages),
  ...shareBody(['saveNewDraft', 'saveScanDraft'], draft),
  ['changeOwnPassword', { ...passwordProof, newPassword: 'four other words in a row' }],
  [
    'createScan',
    {
      name: 'Public website',
      urls: ['https://www.example.org/'],
      type: 'custom',
      depth: 3,
      pageLimit: 200,
      excludeRules: [{ kind: 'glob', pattern: '*/archive/*' }],
      schedule: weeklySchedule,
    },
  ],
  ['updateScans', { ...selectedScans, presetId: exampleId }],
  ['tagScans', { ...selectedScans, add: ['shop'], remove: ['old'] }],
  ['configureScans', { ...selectedScans, favorite: true }],
  ['updateIssue', { fieldsToUpdate: { status: 'ignored', ignore: { scope: 'issue', reason: 'Decoration only' } }, version: 3 }],
  ['updateIssues', { ...selectedIssues, fieldsToUpdate: { addLabels: ['checkout'] } }],
  ['updateIgnore', { reason: 'Decoration only', until: '2026-12-31T23:00:00.000Z' }],
  [
    'createBranchRun',
    {
      branch: 'feature/cart',
      commit: '4f2a91c',
      buildUrl: 'https://ci.example.org/builds/17',
      result: 'failed',
      axeRelease: '4.14.1',
      baselineAxe: '4.14',
      failOn: 'minor',
      totals: { new: 1, axeChanged: 0, known: 12, fixed: 2, notChecked: 0, pages: 8, otherNew: 0, unchecked: 0 },
      newIssues: [
        {
          url: 'https://preview.example.org/cart',
          rule: 'image-alt',
          severity: 'critical',
          help: 'Images must have alternative text',
          helpUrl: 'https://dequeuniversity.com/rules/axe/4.14/image-alt',
          selector: '.cart > img',
          html: '<img src="/lamp.png">',
          fix: 'Element does not have an alt attribute',
        },
      ],
      otherNewIssues: [],
      axeChangedIssues: [],
      unchecked: [],
      notChecked: [],
      fixed: [{ page: '/', rule: 'link-name', issues: 2 }],
    },
  ],
  ['createPublicToken', { expiresAt: '2026-12-31T23:00:00.000Z' }],
  ['createScript', scriptBody],
  ['updateScript', { settings: scriptBody, version: 3 }],
  ['previewSchedule', { schedule: weeklySchedule }],
  ['importAccounts', { filename: 'accounts.csv', content: 'email,role\nada@example.org,user\n', check: true }],
  [
    'importTeamAccess',
    { filename: 'access.csv', content: 'team,scan,scan group,role\nEditors,Public website,,scanMember\n', check: true },
  ],
  [
    'createView',
    { name: 'Critical', audience: { kind: 'me' }, screen: 'issues', query: { severity: ['critical'], sort: 'pages,desc' } },
  ],
])

/** Example values of properties that only replies have, by name. */
export const exampleReplyValues: ReadonlyMap<string, unknown> = new Map<string, unknown>(
  Object.entries({
    address: '192.0.2.10',
    agent: 'Firefox 140 on Linux',
    all: [],
    any: ['Element does not have an alt attribute'],
    apiUrl: 'https://clearway.example.org/monitor-api',
    axeAccountUrl: 'https://clearway.example.org/axe-account',
    axeRelease: '4.14.1',
    build: '2026-03-01.1',
    codes: ['7h2k-9m4p', 'q3xw-5t8r'],
    codeSecret: 'JBSWY3DPEHPK3PXP',
    component: 'Header',
    criteria: ['1.1.1'],
    description: 'Images have a text alternative or a role of none or presentation',
    examples: ['https://www.example.org/news?page=2'],
    example: 'https://www.example.org/news/1',
    middle: `${exampleId}.${exampleId}`,
    next: `${exampleId}.${exampleId}`,
    pattern: 'https://www.example.org/news/*',
    buildUrl: 'https://ci.example.org/builds/17',
    fields: ['status'],
    file: '0012-runs',
    first: ['https://www.example.org/'],
    groupId: exampleId,
    hash: 'b94d27b9934d3e08a52e52d7da7dabfa',
    help: 'Images must have alternative text',
    helpUrl: 'https://www.w3.org/WAI/WCAG22/Understanding/non-text-content',
    hint: 'Ends in 4f2a',
    html: '<img src="logo.svg">',
    id: exampleId,
    issueId: exampleId,
    key: 'cw_3f9a1c20d45b7e68',
    keycloakUrl: 'https://clearway.example.org',
    left: ['general'],
    none: [],
    organisation: 'Example City',
    pageId: exampleId,
    pageUrl: 'https://www.example.org/contact',
    password: 'correct horse battery staple',
    picture: `/monitor-api/issues/${exampleId}/screenshot`,
    productName: 'Clearway',
    publicClientId: 'clearway-web',
    realmId: 'clearway',
    reason: 'Decoration only',
    referrer: 'https://www.example.org/',
    release: '0.2.0',
    resourceClientId: 'clearway-api',
    scanName: 'Public website',
    scanNames: ['Public website'],
    secret: 'whsec_5f0c2a9d81b34e67',
    selectors: ['header'],
    skipped: [],
    startUrls: ['https://www.example.org/'],
    states: ['390 px'],
    subject: exampleId,
    tag: 'wcag2a',
    tags: ['wcag2a', 'wcag111'],
    target: ['main > img'],
    team: 'Editors',
    teamName: 'Editors',
    templateId: exampleId,
    templateUrls: ['https://www.example.org/'],
    termsUrl: 'https://www.example.org/terms',
    termsVersion: '2026-01',
    title: 'Contact',
    token: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl',
    uri: 'otpauth://totp/Clearway:ada?secret=JBSWY3DPEHPK3PXP&issuer=Clearway',
    userAgent: 'ExampleScanner/1.0',
    validTo: '2027-03-02',
    value: 'Text',
  }),
)
