import type { GroupId, PresetId, ScriptId, ScanId } from '@clearway/contract/kit/id.ts'
import type { WebhookId } from '@clearway/contract/monitor/notification/schema.ts'
import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router'
import type * as z from 'zod/mini'
import { StepSearch, stepSearchDefaults } from '../kit/list/search.ts'
import { withDeferredTexts } from '../kit/text/deferred-texts.ts'
import { PeopleSearch, peopleSearchDefaults } from '../account/member/model.ts'
import { TeamSearch, teamSearchDefaults } from '../account/team/model.ts'
import { AccessSearch, AssignAllSearch, AssignSearch, accessSearchDefaults } from '../monitor/access/model.ts'
import { AuditSearch, auditSearchDefaults } from '../monitor/audit/model.ts'
import { GroupSearch, groupSearchDefaults } from '../monitor/group/model.ts'
import { InboxSearch, inboxSearchDefaults, WebhookSearch, webhookSearchDefaults } from '../monitor/notification/model.ts'
import { PresetSearch, presetSearchDefaults } from '../monitor/preset/model.ts'
import { ScriptSearch, scriptSearchDefaults } from '../monitor/script/model.ts'
import { rootRoute, searchValidator } from './root-route.tsx'

/** Route options of a multi-step form with its step in the URL. */
const stepFormOptions = {
  validateSearch: searchValidator(StepSearch),
  search: { middlewares: [stripSearchParams<{ step: string }>(stepSearchDefaults)] },
}

const adminRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin',
  component: lazyRouteComponent(() => withDeferredTexts(import('./shell/admin-area.tsx')), 'AdminArea'),
})
const groupListRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/',
  validateSearch: searchValidator(GroupSearch),
  search: { middlewares: [stripSearchParams<GroupSearch>(groupSearchDefaults)] },
  staticData: { help: 'scan-groups' },
  component: lazyRouteComponent(() => withDeferredTexts(import('../monitor/group/pages/list.tsx')), 'GroupListPage'),
})
const groupNewRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/groups/new',
  ...stepFormOptions,
  staticData: { help: 'scan-groups' },
  component: lazyRouteComponent(() => withDeferredTexts(import('../monitor/group/pages/new.tsx')), 'GroupNewPage'),
})
const groupEditRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/groups/$groupId/edit',
  ...stepFormOptions,
  params: {
    parse: ({ groupId }: { groupId: string }) => ({ groupId: groupId as GroupId }),
    stringify: ({ groupId }: { groupId: GroupId }) => ({ groupId }),
  },
  staticData: { help: 'scan-groups' },
  component: lazyRouteComponent(() => withDeferredTexts(import('../monitor/group/pages/edit.tsx')), 'GroupEditPage'),
})
const presetListRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/presets',
  validateSearch: searchValidator(PresetSearch),
  search: { middlewares: [stripSearchParams<PresetSearch>(presetSearchDefaults)] },
  staticData: { help: 'presets' },
  component: lazyRouteComponent(() => withDeferredTexts(import('../monitor/preset/pages/list.tsx')), 'PresetListPage'),
})
const permissionSettingsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/permissions-settings',
  staticData: { help: 'permissions-settings' },
  component: lazyRouteComponent(
    () => withDeferredTexts(import('../monitor/setting/pages/permission-settings.tsx')),
    'PermissionSettingsPage',
  ),
})

const scriptListRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/scripts',
  validateSearch: searchValidator(ScriptSearch),
  search: { middlewares: [stripSearchParams<ScriptSearch>(scriptSearchDefaults)] },
  staticData: { help: 'scripts' },
  component: lazyRouteComponent(() => withDeferredTexts(import('../monitor/script/pages/list.tsx')), 'ScriptListPage'),
})
const scriptNewRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/scripts/new',
  ...stepFormOptions,
  staticData: { help: 'scripts' },
  component: lazyRouteComponent(() => withDeferredTexts(import('../monitor/script/pages/new.tsx')), 'ScriptNewPage'),
})
const scriptEditRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/scripts/$scriptId/edit',
  ...stepFormOptions,
  params: {
    parse: ({ scriptId }: { scriptId: string }) => ({ scriptId: scriptId as ScriptId }),
    stringify: ({ scriptId }: { scriptId: ScriptId }) => ({ scriptId }),
  },
  staticData: { help: 'scripts' },
  component: lazyRouteComponent(() => withDeferredTexts(import('../monitor/script/pages/edit.tsx')), 'ScriptEditPage'),
})

const teamAccessRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/team-access',
  validateSearch: searchValidator(AccessSearch),
  search: { middlewares: [stripSearchParams<AccessSearch>(accessSearchDefaults)] },
  staticData: { help: 'team-access' },
  component: lazyRouteComponent(() => withDeferredTexts(import('../monitor/access/pages/team-access.tsx')), 'TeamAccessPage'),
})
const assignTeamRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/assign-team',
  validateSearch: searchValidator(AssignSearch),
  search: { middlewares: [stripSearchParams<AssignSearch>({ team: '', step: '' })] },
  staticData: { help: 'team-access' },
  component: lazyRouteComponent(() => withDeferredTexts(import('../monitor/access/pages/assign-team.tsx')), 'AssignTeamPage'),
})
const assignTeamsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/assign-teams',
  validateSearch: searchValidator(AssignAllSearch),
  search: { middlewares: [stripSearchParams<AssignAllSearch>({ by: 'hand', step: '' })] },
  staticData: { help: 'team-access' },
  component: lazyRouteComponent(() => withDeferredTexts(import('../monitor/access/pages/assign-teams.tsx')), 'AssignTeamsPage'),
})

const presetNewRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/presets/new',
  ...stepFormOptions,
  staticData: { help: 'presets' },
  component: lazyRouteComponent(() => withDeferredTexts(import('../monitor/preset/pages/new.tsx')), 'PresetNewPage'),
})
const presetEditRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/presets/$presetId/edit',
  ...stepFormOptions,
  params: {
    parse: ({ presetId }: { presetId: string }) => ({ presetId: presetId as PresetId }),
    stringify: ({ presetId }: { presetId: PresetId }) => ({ presetId }),
  },
  staticData: { help: 'presets' },
  component: lazyRouteComponent(() => withDeferredTexts(import('../monitor/preset/pages/edit.tsx')), 'PresetEditPage'),
})

const retentionRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/retention',
  staticData: { help: 'retention' },
  component: lazyRouteComponent(() => withDeferredTexts(import('../monitor/setting/pages/retention.tsx')), 'RetentionPage'),
})

const quotasRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/quotas',
  staticData: { help: 'quotas' },
  component: lazyRouteComponent(() => withDeferredTexts(import('../monitor/setting/pages/quotas.tsx')), 'QuotasPage'),
})

const healthRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/health',
  staticData: { help: 'system-health' },
  component: lazyRouteComponent(() => withDeferredTexts(import('../monitor/health/pages/system-health.tsx')), 'SystemHealthPage'),
})

const auditRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/audit',
  validateSearch: searchValidator(AuditSearch),
  search: { middlewares: [stripSearchParams<AuditSearch>(auditSearchDefaults)] },
  staticData: { help: 'audit-log' },
  component: lazyRouteComponent(() => withDeferredTexts(import('../monitor/audit/pages/list.tsx')), 'AuditListPage'),
})

const peopleRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/people',
  validateSearch: searchValidator(PeopleSearch),
  search: { middlewares: [stripSearchParams<PeopleSearch>(peopleSearchDefaults)] },
  staticData: { help: 'people' },
  component: lazyRouteComponent(() => withDeferredTexts(import('../account/member/pages/list.tsx')), 'PeoplePage'),
})
const peopleImportRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/people/import',
  staticData: { help: 'people' },
  component: lazyRouteComponent(() => withDeferredTexts(import('../account/member/pages/import.tsx')), 'PeopleImportPage'),
})
const teamListRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/teams',
  validateSearch: searchValidator(TeamSearch),
  search: { middlewares: [stripSearchParams<TeamSearch>(teamSearchDefaults)] },
  staticData: { help: 'people' },
  component: lazyRouteComponent(() => withDeferredTexts(import('../account/team/pages/list.tsx')), 'TeamListPage'),
})
const teamNewRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/teams/new',
  staticData: { help: 'people' },
  component: lazyRouteComponent(() => withDeferredTexts(import('../account/team/pages/new.tsx')), 'TeamNewPage'),
})
const teamEditRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/teams/$teamId/edit',
  staticData: { help: 'people' },
  component: lazyRouteComponent(() => withDeferredTexts(import('../account/team/pages/edit.tsx')), 'TeamEditPage'),
})

/** Personal screens: API keys, and webhooks of scans that the user manages. */
export const apiKeysRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/api-keys',
  staticData: { help: 'api-keys' },
  component: lazyRouteComponent(() => withDeferredTexts(import('../monitor/user/pages/api-keys.tsx')), 'ApiKeysPage'),
})
export const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/account',
  staticData: { help: 'account' },
  component: lazyRouteComponent(() => withDeferredTexts(import('../account/member/pages/own.tsx')), 'OwnAccountPage'),
})
export const webhooksRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/webhooks',
  validateSearch: searchValidator(WebhookSearch),
  search: { middlewares: [stripSearchParams<WebhookSearch>(webhookSearchDefaults)] },
  staticData: { help: 'webhooks' },
  component: lazyRouteComponent(() => withDeferredTexts(import('../monitor/notification/pages/webhooks.tsx')), 'WebhooksPage'),
})
type WebhookPath = { scanId: ScanId; webhookId: z.output<typeof WebhookId> }
export const webhookRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/webhooks/$scanId/$webhookId',
  params: {
    parse: (path: Record<keyof WebhookPath, string>) => path as WebhookPath,
    stringify: (path: WebhookPath): Record<keyof WebhookPath, string> => path,
  },
  staticData: { help: 'webhooks' },
  component: lazyRouteComponent(() => withDeferredTexts(import('../monitor/notification/pages/webhook.tsx')), 'WebhookPage'),
})

export const inboxRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/inbox',
  validateSearch: searchValidator(InboxSearch),
  search: { middlewares: [stripSearchParams<InboxSearch>(inboxSearchDefaults)] },
  staticData: { help: 'inbox' },
  component: lazyRouteComponent(() => withDeferredTexts(import('../monitor/notification/pages/inbox.tsx')), 'InboxPage'),
})

export const adminRouteTree = adminRoute.addChildren([
  groupListRoute,
  groupNewRoute,
  groupEditRoute,
  presetListRoute,
  permissionSettingsRoute,
  scriptListRoute,
  scriptNewRoute,
  scriptEditRoute,
  teamAccessRoute,
  assignTeamRoute,
  assignTeamsRoute,
  presetNewRoute,
  presetEditRoute,
  retentionRoute,
  quotasRoute,
  healthRoute,
  auditRoute,
  peopleRoute,
  peopleImportRoute,
  teamListRoute,
  teamNewRoute,
  teamEditRoute,
])
