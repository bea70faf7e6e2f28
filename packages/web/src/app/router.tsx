import type { ScanId } from '@clearway/contract/kit/id.ts'
import { createRoute, createRouter, lazyRouteComponent, redirect, stripSearchParams } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { IssueSearch, issueSearchDefaults } from '../monitor/issue/model.ts'
import { RegisterSearch, registerSearchDefaults } from '../monitor/issue/model-register.ts'
import { BranchSearch, branchSearchDefaults } from '../monitor/run/model-branch.ts'
import { PageSearch, pageSearchDefaults } from '../monitor/page/model.ts'
import { ScanSearch, scanSearchDefaults } from '../monitor/scan/model.ts'
import { RollupSearch, rollupSearchDefaults } from '../monitor/scan/rollup/model.ts'
import { withDeferredTexts } from '../kit/text/deferred-texts.ts'
import { withDefault } from '../kit/list/search.ts'
import { wizardSteps } from '../monitor/scan/form/step-name.ts'
import { PendingScreen } from './pending.tsx'
import { rootRoute, searchValidator } from './root-route.tsx'
import { RouteError } from './route-error.tsx'
import { accountRoute, adminRouteTree, apiKeysRoute, inboxRoute, webhookRoute, webhooksRoute } from './router-admin.tsx'
import { ScansPage } from './scans-page.tsx'

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/scans' })
  },
})

const scanListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/scans',
  validateSearch: searchValidator(ScanSearch),
  search: { middlewares: [stripSearchParams<ScanSearch>(scanSearchDefaults)] },
  staticData: { help: 'scans' },
  component: ScansPage,
})
const stepParam = withDefault(z.enum(wizardSteps), 'general')
const ScanEditSearch = z.object({ step: stepParam })
const ScanNewSearch = z.object({
  url: withDefault(z.string(), ''),
  /** Scan to copy the settings from. */
  from: withDefault(z.union([z.uuid(), z.literal('')]), ''),
  step: stepParam,
})
const scanNewRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/scans/new',
  validateSearch: searchValidator(ScanNewSearch),
  search: { middlewares: [stripSearchParams<z.output<typeof ScanNewSearch>>({ url: '', from: '', step: 'general' })] },
  staticData: { help: 'scan-settings' },
  component: lazyRouteComponent(() => withDeferredTexts(import('../monitor/scan/pages/new.tsx')), 'ScanNewPage'),
})

const scanPathParams = {
  parse: ({ scanId }: { scanId: string }) => ({ scanId: scanId as ScanId }),
  stringify: ({ scanId }: { scanId: ScanId }) => ({ scanId }),
}
const scanEditRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/scans/$scanId/edit',
  params: scanPathParams,
  validateSearch: searchValidator(ScanEditSearch),
  search: { middlewares: [stripSearchParams<z.output<typeof ScanEditSearch>>({ step: 'general' })] },
  staticData: { help: 'scan-settings' },
  component: lazyRouteComponent(() => withDeferredTexts(import('../monitor/scan/pages/edit.tsx')), 'ScanEditPage'),
})
const scanOverviewRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/scans/$scanId',
  params: scanPathParams,
  staticData: { help: 'scan-overview' },
  component: lazyRouteComponent(() => withDeferredTexts(import('../monitor/run/pages/overview.tsx')), 'NewestRunPage'),
})
/** A run of a scan. An invalid run number redirects to the latest run. */
const runPath = {
  params: {
    parse: ({ scanId, run: runNumber }: { scanId: string; run: string }) => ({
      scanId: scanId as ScanId,
      run: Number(runNumber),
    }),
    stringify: ({ scanId, run: runNumber }: { scanId: ScanId; run: number }) => ({ scanId, run: String(runNumber) }),
  },
  beforeLoad: ({ params: { scanId, run: runNumber } }: { params: { scanId: ScanId; run: number } }) => {
    if (!Number.isSafeInteger(runNumber) || runNumber < 1)
      throw redirect({ to: '/scans/$scanId', params: { scanId }, replace: true })
  },
} as const
const runOverviewRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/scans/$scanId/$run',
  ...runPath,
  staticData: { help: 'scan-overview' },
  component: lazyRouteComponent(() => withDeferredTexts(import('../monitor/run/pages/overview.tsx')), 'OneRunPage'),
})

const runReportRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/scans/$scanId/$run/report',
  ...runPath,
  staticData: { help: 'scan-overview' },
  component: lazyRouteComponent(() => withDeferredTexts(import('../monitor/run/pages/report.tsx')), 'RunReportPage'),
})
const compareRunsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/scans/$scanId/$run/compare/$other',
  params: {
    parse: ({ scanId, run: runNumber, other }: { scanId: string; run: string; other: string }) => ({
      scanId: scanId as ScanId,
      run: Number(runNumber),
      other: Number(other),
    }),
    stringify: ({ scanId, run: runNumber, other }: { scanId: ScanId; run: number; other: number }) => ({
      scanId,
      run: String(runNumber),
      other: String(other),
    }),
  },
  beforeLoad: ({ params: { scanId, run: runNumber, other } }) => {
    if ([runNumber, other].some((candidate) => !Number.isSafeInteger(candidate) || candidate < 1))
      throw redirect({ to: '/scans/$scanId', params: { scanId }, replace: true })
  },
  staticData: { help: 'compare-runs' },
  component: lazyRouteComponent(() => withDeferredTexts(import('../monitor/run/pages/compare.tsx')), 'CompareRunsPage'),
})

const branchListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/scans/$scanId/branches',
  params: scanPathParams,
  validateSearch: searchValidator(BranchSearch),
  search: { middlewares: [stripSearchParams<BranchSearch>(branchSearchDefaults)] },
  staticData: { help: 'branches' },
  component: lazyRouteComponent(() => withDeferredTexts(import('../monitor/run/pages/branches.tsx')), 'BranchListPage'),
})
const branchRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/scans/$scanId/branches/$branchRun',
  params: {
    parse: ({ scanId, branchRun }: { scanId: string; branchRun: string }) => ({ scanId: scanId as ScanId, branchRun }),
    stringify: ({ scanId, branchRun }: { scanId: ScanId; branchRun: string }) => ({ scanId, branchRun }),
  },
  staticData: { help: 'branches' },
  component: lazyRouteComponent(() => withDeferredTexts(import('../monitor/run/pages/branch.tsx')), 'BranchPage'),
})

const issueListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/issues',
  validateSearch: searchValidator(IssueSearch),
  search: { middlewares: [stripSearchParams<IssueSearch>(issueSearchDefaults)] },
  staticData: { help: 'issues' },
  component: lazyRouteComponent(() => withDeferredTexts(import('../monitor/issue/pages/list.tsx')), 'IssueListPage'),
})
const registerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/ignored',
  validateSearch: searchValidator(RegisterSearch),
  search: { middlewares: [stripSearchParams<RegisterSearch>(registerSearchDefaults)] },
  staticData: { help: 'ignored-issues' },
  component: lazyRouteComponent(() => withDeferredTexts(import('../monitor/issue/pages/register.tsx')), 'RegisterPage'),
})
const pageListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/pages',
  validateSearch: searchValidator(PageSearch),
  search: { middlewares: [stripSearchParams<PageSearch>(pageSearchDefaults)] },
  staticData: { help: 'pages' },
  component: lazyRouteComponent(() => withDeferredTexts(import('../monitor/page/pages/list.tsx')), 'PageListPage'),
})

const rollupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/rollup',
  validateSearch: searchValidator(RollupSearch),
  search: { middlewares: [stripSearchParams<RollupSearch>(rollupSearchDefaults)] },
  staticData: { help: 'rollup' },
  component: lazyRouteComponent(() => withDeferredTexts(import('../monitor/scan/pages/rollup.tsx')), 'RollupPage'),
})

const accessibilityRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/accessibility',
  component: lazyRouteComponent(() => withDeferredTexts(import('./accessibility.tsx')), 'AccessibilityPage'),
})

const docsContentsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/docs',
  component: lazyRouteComponent(() => withDeferredTexts(import('./docs/page.tsx'), 'docs'), 'DocsContentsPage'),
})
const docsArticleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/docs/$key',
  component: lazyRouteComponent(() => withDeferredTexts(import('./docs/page.tsx'), 'docs'), 'DocsPage'),
})

const routeTree = rootRoute.addChildren([
  homeRoute,
  scanListRoute,
  scanNewRoute,
  scanEditRoute,
  scanOverviewRoute,
  runOverviewRoute,
  runReportRoute,
  compareRunsRoute,
  branchListRoute,
  branchRoute,
  issueListRoute,
  registerRoute,
  pageListRoute,
  rollupRoute,
  accessibilityRoute,
  docsContentsRoute,
  docsArticleRoute,
  accountRoute,
  apiKeysRoute,
  webhooksRoute,
  webhookRoute,
  inboxRoute,
  adminRouteTree,
])

/** Creates the router of all paths below /monitor. Unknown paths redirect to the scan list. */
export const createAppRouter = () =>
  createRouter({
    routeTree,
    basepath: '/monitor',
    defaultPreload: 'intent',
    defaultErrorComponent: RouteError,
    defaultPendingComponent: PendingScreen,
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
