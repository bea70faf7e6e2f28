import type { GroupId, ScanId } from '@clearway/contract/kit/id.ts'
import {
  Navigate,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  stripSearchParams,
} from '@tanstack/react-router'
import * as z from 'zod/mini'
import { GroupSearch, groupSearchDefaults } from '../monitor/group/model.ts'
import { IssueSearch, issueSearchDefaults } from '../monitor/issue/model.ts'
import { PageSearch, pageSearchDefaults } from '../monitor/page/model.ts'
import { PresetSearch, presetSearchDefaults } from '../monitor/preset/model.ts'
import { ScanSearch, scanSearchDefaults } from '../monitor/scan/model.ts'
import { withLaterTexts } from '../kit/later-texts.ts'
import { lenient } from '../kit/list-search.ts'
import { ScanListPage } from '../monitor/scan/pages/scan-list.tsx'
import { Pending } from './pending.tsx'
import { RouteError } from './route-error.tsx'
import { Shell } from './shell.tsx'

type Loose<T> = { [K in keyof T]?: T[K] | undefined }
/** Every search parameter may be left out: the schema gives it its default. */
const validate = <T extends z.ZodMiniType>(schema: T) => ({
  types: {} as { input: Loose<z.output<T>>; output: z.output<T> },
  parse: (search: unknown) => z.parse(schema, search),
})

const root = createRootRoute({ component: Shell, notFoundComponent: () => <Navigate to="/scans" replace /> })
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
  component: ScanListPage,
})
const NewSearch = z.object({ url: lenient(z.string(), '') })
const scanNew = createRoute({
  getParentRoute: () => root,
  path: '/scans/new',
  validateSearch: validate(NewSearch),
  search: { middlewares: [stripSearchParams<{ url: string }>({ url: '' })] },
  staticData: { help: 'scan-settings' },
  component: lazyRouteComponent(
    () => withLaterTexts(import('../monitor/scan/pages/scan-new.tsx')),
    'ScanNewPage',
  ),
})

const scanParams = {
  parse: ({ scanId }: { scanId: string }) => ({ scanId: scanId as ScanId }),
  stringify: ({ scanId }: { scanId: ScanId }) => ({ scanId }),
}
const scanEdit = createRoute({
  getParentRoute: () => root,
  path: '/scans/$scanId/edit',
  params: scanParams,
  staticData: { help: 'scan-settings' },
  component: lazyRouteComponent(
    () => withLaterTexts(import('../monitor/scan/pages/scan-edit.tsx')),
    'ScanEditPage',
  ),
})
const scan = createRoute({
  getParentRoute: () => root,
  path: '/scans/$scanId',
  params: scanParams,
  staticData: { help: 'scan-overview' },
  component: lazyRouteComponent(
    () => withLaterTexts(import('../monitor/run/pages/scan-overview.tsx')),
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
    () => withLaterTexts(import('../monitor/run/pages/scan-overview.tsx')),
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
    () => withLaterTexts(import('../monitor/run/pages/compare-runs.tsx')),
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
    () => withLaterTexts(import('../monitor/issue/pages/issue-list.tsx')),
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
    () => withLaterTexts(import('../monitor/page/pages/page-list.tsx')),
    'PageListPage',
  ),
})

const accessibility = createRoute({
  getParentRoute: () => root,
  path: '/accessibility',
  component: lazyRouteComponent(() => withLaterTexts(import('./accessibility.tsx')), 'AccessibilityPage'),
})

const admin = createRoute({
  getParentRoute: () => root,
  path: '/admin',
  component: lazyRouteComponent(() => withLaterTexts(import('./admin-area.tsx')), 'AdminArea'),
})
const groups = createRoute({
  getParentRoute: () => admin,
  path: '/',
  validateSearch: validate(GroupSearch),
  search: { middlewares: [stripSearchParams<GroupSearch>(groupSearchDefaults)] },
  staticData: { help: 'scan-groups' },
  component: lazyRouteComponent(
    () => withLaterTexts(import('../monitor/group/pages/group-list.tsx')),
    'GroupListPage',
  ),
})
const groupNew = createRoute({
  getParentRoute: () => admin,
  path: '/groups/new',
  staticData: { help: 'scan-groups' },
  component: lazyRouteComponent(
    () => withLaterTexts(import('../monitor/group/pages/group-new.tsx')),
    'GroupNewPage',
  ),
})
const groupEdit = createRoute({
  getParentRoute: () => admin,
  path: '/groups/$groupId/edit',
  params: {
    parse: ({ groupId }: { groupId: string }) => ({ groupId: groupId as GroupId }),
    stringify: ({ groupId }: { groupId: GroupId }) => ({ groupId }),
  },
  staticData: { help: 'scan-groups' },
  component: lazyRouteComponent(
    () => withLaterTexts(import('../monitor/group/pages/group-edit.tsx')),
    'GroupEditPage',
  ),
})
const presets = createRoute({
  getParentRoute: () => admin,
  path: '/presets',
  validateSearch: validate(PresetSearch),
  search: { middlewares: [stripSearchParams<PresetSearch>(presetSearchDefaults)] },
  staticData: { help: 'presets' },
  component: lazyRouteComponent(
    () => withLaterTexts(import('../monitor/preset/pages/preset-list.tsx')),
    'PresetListPage',
  ),
})
const permissionSettings = createRoute({
  getParentRoute: () => admin,
  path: '/permissions-settings',
  staticData: { help: 'permissions-settings' },
  component: lazyRouteComponent(
    () => withLaterTexts(import('../monitor/setting/pages/permission-settings.tsx')),
    'PermissionSettingsPage',
  ),
})

const adminTree = admin.addChildren([groups, groupNew, groupEdit, presets, permissionSettings])
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
  accessibility,
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
