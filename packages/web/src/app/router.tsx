import type { ScanId } from '@clearway/contract/kit/id.ts'
import {
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  stripSearchParams,
} from '@tanstack/react-router'
import * as z from 'zod/mini'
import { IssueSearch, issueSearchDefaults } from '../monitor/issue/model.ts'
import { PageSearch, pageSearchDefaults } from '../monitor/page/model.ts'
import { ScanSearch, scanSearchDefaults } from '../monitor/scan/model.ts'
import { RollupSearch, rollupSearchDefaults } from '../monitor/scan/rollup/model.ts'
import { withLaterTexts } from '../kit/text/later-texts.ts'
import { lenient } from '../kit/list/search.ts'
import { steps } from '../monitor/scan/form/step-name.ts'
import { Pending } from './pending.tsx'
import { root, validate } from './root-route.tsx'
import { RouteError } from './route-error.tsx'
import { account, adminTree, apiKeys, inbox, webhooks } from './router-admin.tsx'
import { ScansPage } from './scans-page.tsx'

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/scans' })
  },
})

const scans = createRoute({
  getParentRoute: () => root,
  path: '/scans',
  validateSearch: validate(ScanSearch),
  search: { middlewares: [stripSearchParams<ScanSearch>(scanSearchDefaults)] },
  staticData: { help: 'scans' },
  component: ScansPage,
})
const step = lenient(z.enum(steps), 'general')
const EditSearch = z.object({ step })
const NewSearch = z.object({
  url: lenient(z.string(), ''),
  /** The scan to begin with the settings of. */
  from: lenient(z.union([z.uuid(), z.literal('')]), ''),
  step,
})
const scanNew = createRoute({
  getParentRoute: () => root,
  path: '/scans/new',
  validateSearch: validate(NewSearch),
  search: {
    middlewares: [stripSearchParams<z.output<typeof NewSearch>>({ url: '', from: '', step: 'general' })],
  },
  staticData: { help: 'scan-settings' },
  component: lazyRouteComponent(() => withLaterTexts(import('../monitor/scan/pages/new.tsx')), 'ScanNewPage'),
})

const scanParams = {
  parse: ({ scanId }: { scanId: string }) => ({ scanId: scanId as ScanId }),
  stringify: ({ scanId }: { scanId: ScanId }) => ({ scanId }),
}
const scanEdit = createRoute({
  getParentRoute: () => root,
  path: '/scans/$scanId/edit',
  params: scanParams,
  validateSearch: validate(EditSearch),
  search: { middlewares: [stripSearchParams<z.output<typeof EditSearch>>({ step: 'general' })] },
  staticData: { help: 'scan-settings' },
  component: lazyRouteComponent(
    () => withLaterTexts(import('../monitor/scan/pages/edit.tsx')),
    'ScanEditPage',
  ),
})
const scan = createRoute({
  getParentRoute: () => root,
  path: '/scans/$scanId',
  params: scanParams,
  staticData: { help: 'scan-overview' },
  component: lazyRouteComponent(
    () => withLaterTexts(import('../monitor/run/pages/overview.tsx')),
    'NewestRunPage',
  ),
})
const run = createRoute({
  getParentRoute: () => root,
  path: '/scans/$scanId/$run',
  params: {
    parse: ({ scanId, run: number }: { scanId: string; run: string }) => ({
      scanId: scanId as ScanId,
      run: Number(number),
    }),
    stringify: ({ scanId, run: number }: { scanId: ScanId; run: number }) => ({
      scanId,
      run: String(number),
    }),
  },
  // What is no number of a run leads to the newest one.
  beforeLoad: ({ params: { scanId, run: number } }) => {
    if (!Number.isSafeInteger(number) || number < 1)
      throw redirect({ to: '/scans/$scanId', params: { scanId }, replace: true })
  },
  staticData: { help: 'scan-overview' },
  component: lazyRouteComponent(
    () => withLaterTexts(import('../monitor/run/pages/overview.tsx')),
    'OneRunPage',
  ),
})

const compare = createRoute({
  getParentRoute: () => root,
  path: '/scans/$scanId/$run/compare/$other',
  params: {
    parse: ({ scanId, run: number, other }: { scanId: string; run: string; other: string }) => ({
      scanId: scanId as ScanId,
      run: Number(number),
      other: Number(other),
    }),
    stringify: ({ scanId, run: number, other }: { scanId: ScanId; run: number; other: number }) => ({
      scanId,
      run: String(number),
      other: String(other),
    }),
  },
  beforeLoad: ({ params: { scanId, run: number, other } }) => {
    if ([number, other].some((n) => !Number.isSafeInteger(n) || n < 1))
      throw redirect({ to: '/scans/$scanId', params: { scanId }, replace: true })
  },
  staticData: { help: 'compare-runs' },
  component: lazyRouteComponent(
    () => withLaterTexts(import('../monitor/run/pages/compare.tsx')),
    'CompareRunsPage',
  ),
})

const issues = createRoute({
  getParentRoute: () => root,
  path: '/issues',
  validateSearch: validate(IssueSearch),
  search: { middlewares: [stripSearchParams<IssueSearch>(issueSearchDefaults)] },
  staticData: { help: 'issues' },
  component: lazyRouteComponent(
    () => withLaterTexts(import('../monitor/issue/pages/list.tsx')),
    'IssueListPage',
  ),
})
const pages = createRoute({
  getParentRoute: () => root,
  path: '/pages',
  validateSearch: validate(PageSearch),
  search: { middlewares: [stripSearchParams<PageSearch>(pageSearchDefaults)] },
  staticData: { help: 'pages' },
  component: lazyRouteComponent(
    () => withLaterTexts(import('../monitor/page/pages/list.tsx')),
    'PageListPage',
  ),
})

const rollup = createRoute({
  getParentRoute: () => root,
  path: '/rollup',
  validateSearch: validate(RollupSearch),
  search: { middlewares: [stripSearchParams<RollupSearch>(rollupSearchDefaults)] },
  staticData: { help: 'rollup' },
  component: lazyRouteComponent(
    () => withLaterTexts(import('../monitor/scan/pages/rollup.tsx')),
    'RollupPage',
  ),
})

const accessibility = createRoute({
  getParentRoute: () => root,
  path: '/accessibility',
  component: lazyRouteComponent(() => withLaterTexts(import('./accessibility.tsx')), 'AccessibilityPage'),
})

const docs = createRoute({
  getParentRoute: () => root,
  path: '/docs',
  component: lazyRouteComponent(() => withLaterTexts(import('./docs/page.tsx'), 'docs'), 'DocsContentsPage'),
})
const docsArticle = createRoute({
  getParentRoute: () => root,
  path: '/docs/$key',
  component: lazyRouteComponent(() => withLaterTexts(import('./docs/page.tsx'), 'docs'), 'DocsPage'),
})

const tree = root.addChildren([
  home,
  scans,
  scanNew,
  scanEdit,
  scan,
  run,
  compare,
  issues,
  pages,
  rollup,
  accessibility,
  docs,
  docsArticle,
  account,
  apiKeys,
  webhooks,
  inbox,
  adminTree,
])

/** The routes below /monitor. Unknown paths lead to the scan list. */
export const createAppRouter = () =>
  createRouter({
    routeTree: tree,
    basepath: '/monitor',
    defaultPreload: 'intent',
    defaultErrorComponent: RouteError,
    defaultPendingComponent: Pending,
    defaultPendingMs: 300,
    scrollRestoration: true,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
  interface StaticDataRouteOption {
    /** Key of the screen's help page. */
    help?: string
  }
}
