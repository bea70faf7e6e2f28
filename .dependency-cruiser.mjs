/**
 * Import rules of docs/ARCHITECTURE.md. Each rule has a planted violation in
 * scripts/boundaries.test.ts. Needs @swc/core: without it a cruise of TypeScript 7 code finds no modules at all.
 */
const test = '\\.test\\.tsx?$'
const ours = (...names) => `^packages/(${names.join('|')})/`
const src = (name, rest = '') => `^packages/${name}/src/${rest}`

/** The jobs that reach the engine. */
const workerJobs = src('server', 'monitor/(run|session)/.*jobs\\.ts$')
/** The engine's only modules that processes without a worker load: for webhooks, and for an outbound proxy (ADR 108). */
const dialer = src('engine', 'guard/(dial|outbound-proxy)\\.ts$')

/** One rule: nothing at `from` may import what is at `to`. Tests may reach further, unless `tests` says otherwise. */
const never = (name, comment, from, to, { tests = false } = {}) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from.path ?? from, pathNot: [...(from.pathNot ?? []), ...(tests ? [] : [test])] },
  to,
})

const packages = [
  never('contract-stands-alone', 'contract imports nothing of ours', src('contract'), {
    path: '^(packages|e2e|fixtures|bench)/',
    pathNot: src('contract'),
  }),
  never('contract-is-pure', 'contract is data and pure rules, also in the browser', src('contract'), {
    dependencyTypes: ['core'],
  }),
  never('engine-knows-contract-only', 'engine imports contract and itself', src('engine'), {
    path: '^(packages|e2e|fixtures|bench)/',
    pathNot: ours('engine', 'contract'),
  }),
  never('web-knows-contract-only', 'web imports contract and itself', src('web'), {
    path: '^(packages|e2e|fixtures|bench)/',
    pathNot: ours('web', 'contract'),
  }),
  never('cli-knows-engine-and-contract', 'cli imports engine and contract', src('cli'), {
    path: '^(packages|e2e|fixtures|bench)/',
    pathNot: ours('cli', 'engine', 'contract'),
  }),
  never('server-knows-contract-and-engine', 'server imports contract and engine', src('server'), {
    path: '^(packages|e2e|fixtures|bench)/',
    pathNot: ours('server', 'contract', 'engine'),
  }),
  never('product-knows-no-test-support', 'what tests need is not in the product', '^packages/[^/]+/src/', {
    path: '^packages/[^/]+/test/',
  }),
  never(
    'engine-from-jobs-only',
    'the server reaches the engine from the jobs.ts files of a worker, and from process/worker.ts, which injects it',
    { path: src('server'), pathNot: [workerJobs, src('server', 'process/worker\\.ts$')] },
    { path: ours('engine'), pathNot: dialer, dependencyTypesNot: ['type-only'] },
  ),
  never(
    'dialer-from-webhooks-only',
    'webhooks connect like the guard, to checked addresses only',
    { path: src('server'), pathNot: [workerJobs, src('server', '(monitor/notification/jobs|process/network)\\.ts$')] },
    { path: dialer, dependencyTypesNot: ['type-only'] },
  ),
  never('dialer-stands-alone', 'the server process loads no other module of the engine', dialer, {
    path: ours('engine'),
    pathNot: dialer,
  }),
]

const server = [
  // So that a process without the role of a worker never loads the engine.
  never(
    'worker-jobs-from-worker-only',
    'what loads the engine is loaded by process/worker.ts',
    { path: src('server'), pathNot: [workerJobs, src('server', 'process/worker\\.ts$')] },
    { path: workerJobs, dependencyTypesNot: ['type-only'] },
  ),
  never('worker-loaded-by-need', 'process/worker.ts is imported when a process has that role, not before', src('server'), {
    path: src('server', 'process/worker\\.ts$'),
    dynamic: false,
    dependencyTypesNot: ['type-only'],
  }),
  never('server-kit-knows-no-noun', 'kit serves every noun and knows none', src('server', 'kit/'), {
    path: [src('server', '(monitor|account|idp|process)/'), src('contract', '(monitor|account)/')],
  }),
  ...['monitor', 'account', 'idp'].map((area) =>
    never(`${area}-is-a-stranger`, 'monitor, account and idp talk HTTP', src('server', `${area}/`), {
      path: src('server', `(${['monitor', 'account', 'idp'].filter((a) => a !== area).join('|')})/`),
    }),
  ),
  never(
    'routes-go-through-service',
    'routes and jobs reach tables through the service',
    src('server', '(monitor|account)/[^/]+/.*(routes|jobs)\\.ts$'),
    {
      path: '/(store|table)\\.ts$',
    },
  ),
  never(
    'store-knows-table-only',
    'a store calls no service, route or job',
    src('server', '(monitor|account)/[^/]+/.*store\\.ts$'),
    {
      path: '/(service|routes|jobs)\\.ts$',
    },
  ),
  never('table-knows-nothing', 'a table is a shape', src('server', '(monitor|account)/[^/]+/.*table\\.ts$'), {
    path: '/(store|service|routes|jobs)\\.ts$',
  }),
  never('server-model-is-pure', 'a model knows no database and no HTTP', src('server', '(monitor|account)/[^/]+/.*model\\.ts$'), {
    path: '/(table|store|service|routes|jobs)\\.ts$|(^|/)node_modules/(kysely|pg|fastify)/',
  }),
  never(
    'service-knows-no-door',
    'a service is not called with HTTP in hand',
    src('server', '(monitor|account)/[^/]+/.*service\\.ts$'),
    {
      path: '/(routes|jobs)\\.ts$|(^|/)node_modules/fastify/',
    },
  ),
  {
    ...never(
      'nouns-meet-in-service',
      'another noun is reached from service.ts only, and through its service or model',
      src('server', '(monitor|account)/([^/]+)/.*(routes|jobs|store|model)\\.ts$'),
      {
        path: src('server', '(monitor|account)/[^/]+/'),
        pathNot: [src('server', '$1/$2/'), '/(table|model)\\.ts$'],
      },
    ),
  },
  never(
    'sql-in-stores-only',
    'the database library is for stores, tables, migrations and kit',
    { path: src('server', '(monitor|account|idp|process)/'), pathNot: ['/(store|table)\\.ts$'] },
    { path: '(^|/)node_modules/(kysely|pg)/', dependencyTypesNot: ['type-only'] },
  ),
]

const nounsMeet = (name, comment, from, ...also) =>
  never(name, comment, from, {
    path: src('web', '(monitor|account)/[^/]+/'),
    pathNot: [src('web', '$1/$2/'), src('web', '(monitor|account)/[^/]+/(parts/|(queries|model)[a-z-]*\\.ts)'), ...also],
  })

const web = [
  never('web-kit-knows-no-noun', 'kit serves every noun and knows none', src('web', 'kit/'), {
    path: src('web', '(monitor|account|app)/'),
  }),
  never('web-pages-know-no-app', 'app knows pages, not the other way round', src('web', '(monitor|account)/'), {
    path: src('web', 'app/'),
  }),
  never(
    'web-parts-know-no-pages',
    'a page is shown by a route and imported by app alone',
    { path: src('web', '(monitor|account)/'), pathNot: [src('web', '(monitor|account)/[^/]+/pages/')] },
    { path: src('web', '(monitor|account)/[^/]+/pages/') },
  ),
  never(
    'web-parts-are-made-of-kit',
    'what other nouns use too (queries, model, parts) needs nothing that is private to its noun',
    src('web', '(monitor|account)/([^/]+)/(parts/|(queries|model)[a-z-]*\\.ts)'),
    { path: src('web', '$1/$2/[^/]+/'), pathNot: [src('web', '$1/$2/parts/')] },
  ),
  nounsMeet('web-nouns-meet-in-queries-and-parts', 'another noun is reached through its queries, model or parts', {
    path: src('web', '(monitor|account)/([^/]+)/'),
    pathNot: [src('web', 'monitor/preset/')],
  }),
  nounsMeet(
    'web-preset-has-the-fields-of-a-scan',
    'a preset is edited by the fields of a scan, and knows no more of other nouns than they do of each other',
    src('web', '(monitor)/(preset)/'),
    src('web', 'monitor/scan/form/'),
  ),
]

const general = [
  {
    name: 'no-cycles',
    severity: 'error',
    comment: 'A cycle has no first line to read',
    from: {},
    to: { circular: true },
  },
  {
    name: 'no-orphans',
    severity: 'error',
    comment: 'Nobody imports it',
    from: {
      orphan: true,
      pathNot: [
        test,
        '\\.d\\.ts$',
        '\\.config\\.(ts|mjs)$',
        '^scripts/',
        '^e2e/',
        '^fixtures/',
        '/(main|build|check-[a-z]+)\\.ts$',
        '/bin/',
        '/(process|migrations)/',
      ],
    },
    to: {},
  },
  {
    name: 'no-unresolved',
    severity: 'error',
    comment: 'It does not exist',
    from: {},
    to: { couldNotResolve: true, pathNot: ['^virtual:'] },
  },
  {
    name: 'named-dependencies-only',
    severity: 'error',
    comment: 'A package imports what its own package.json names',
    from: { path: '^packages/[^/]+/src/', pathNot: [test] },
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  },
]

export default {
  forbidden: [...packages, ...server, ...web, ...general],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(packages/[^/]+/dist|data|docs)/|/locales/[a-z-]+\\.(po|ts|js)$' },
    tsPreCompilationDeps: true,
    parser: 'swc',
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json', '.css'],
    },
  },
}
