import type { GroupId, PresetId, ScriptId } from '@clearway/contract/kit/id.ts'
import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router'
import { StepSearch, stepSearchDefaults } from '../kit/list/search.ts'
import { withLaterTexts } from '../kit/text/later-texts.ts'
import { PeopleSearch, peopleSearchDefaults } from '../account/member/model.ts'
import { TeamSearch, teamSearchDefaults } from '../account/team/model.ts'
import { AccessSearch, AssignAllSearch, AssignSearch, accessSearchDefaults } from '../monitor/access/model.ts'
import { AuditSearch, auditSearchDefaults } from '../monitor/audit/model.ts'
import { GroupSearch, groupSearchDefaults } from '../monitor/group/model.ts'
import { InboxSearch, inboxSearchDefaults, WebhookSearch } from '../monitor/notification/model.ts'
import { PresetSearch, presetSearchDefaults } from '../monitor/preset/model.ts'
import { ScriptSearch, scriptSearchDefaults } from '../monitor/script/model.ts'
import { root, validate } from './root-route.tsx'

/** Of a form whose step is in the URL. */
const inSteps = {
  validateSearch: validate(StepSearch),
  search: { middlewares: [stripSearchParams<{ step: string }>(stepSearchDefaults)] },
}

const admin = createRoute({
  getParentRoute: () => root,
  path: '/admin',
  component: lazyRouteComponent(() => withLaterTexts(import('./shell/admin-area.tsx')), 'AdminArea'),
})
const groups = createRoute({
  getParentRoute: () => admin,
  path: '/',
  validateSearch: validate(GroupSearch),
  search: { middlewares: [stripSearchParams<GroupSearch>(groupSearchDefaults)] },
  staticData: { help: 'scan-groups' },
  component: lazyRouteComponent(
    () => withLaterTexts(import('../monitor/group/pages/list.tsx')),
    'GroupListPage',
  ),
})
const groupNew = createRoute({
  getParentRoute: () => admin,
  path: '/groups/new',
  ...inSteps,
  staticData: { help: 'scan-groups' },
  component: lazyRouteComponent(
    () => withLaterTexts(import('../monitor/group/pages/new.tsx')),
    'GroupNewPage',
  ),
})
const groupEdit = createRoute({
  getParentRoute: () => admin,
  path: '/groups/$groupId/edit',
  ...inSteps,
  params: {
    parse: ({ groupId }: { groupId: string }) => ({ groupId: groupId as GroupId }),
    stringify: ({ groupId }: { groupId: GroupId }) => ({ groupId }),
  },
  staticData: { help: 'scan-groups' },
  component: lazyRouteComponent(
    () => withLaterTexts(import('../monitor/group/pages/edit.tsx')),
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
    () => withLaterTexts(import('../monitor/preset/pages/list.tsx')),
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

const scripts = createRoute({
  getParentRoute: () => admin,
  path: '/scripts',
  validateSearch: validate(ScriptSearch),
  search: { middlewares: [stripSearchParams<ScriptSearch>(scriptSearchDefaults)] },
  staticData: { help: 'scripts' },
  component: lazyRouteComponent(
    () => withLaterTexts(import('../monitor/script/pages/list.tsx')),
    'ScriptListPage',
  ),
})
const scriptNew = createRoute({
  getParentRoute: () => admin,
  path: '/scripts/new',
  ...inSteps,
  staticData: { help: 'scripts' },
  component: lazyRouteComponent(
    () => withLaterTexts(import('../monitor/script/pages/new.tsx')),
    'ScriptNewPage',
  ),
})
const scriptEdit = createRoute({
  getParentRoute: () => admin,
  path: '/scripts/$scriptId/edit',
  ...inSteps,
  params: {
    parse: ({ scriptId }: { scriptId: string }) => ({ scriptId: scriptId as ScriptId }),
    stringify: ({ scriptId }: { scriptId: ScriptId }) => ({ scriptId }),
  },
  staticData: { help: 'scripts' },
  component: lazyRouteComponent(
    () => withLaterTexts(import('../monitor/script/pages/edit.tsx')),
    'ScriptEditPage',
  ),
})

const teamAccess = createRoute({
  getParentRoute: () => admin,
  path: '/team-access',
  validateSearch: validate(AccessSearch),
  search: { middlewares: [stripSearchParams<AccessSearch>(accessSearchDefaults)] },
  staticData: { help: 'team-access' },
  component: lazyRouteComponent(
    () => withLaterTexts(import('../monitor/access/pages/team-access.tsx')),
    'TeamAccessPage',
  ),
})
const assignTeam = createRoute({
  getParentRoute: () => admin,
  path: '/assign-team',
  validateSearch: validate(AssignSearch),
  search: { middlewares: [stripSearchParams<AssignSearch>({ team: '', step: '' })] },
  staticData: { help: 'team-access' },
  component: lazyRouteComponent(
    () => withLaterTexts(import('../monitor/access/pages/assign-team.tsx')),
    'AssignTeamPage',
  ),
})
const assignTeams = createRoute({
  getParentRoute: () => admin,
  path: '/assign-teams',
  validateSearch: validate(AssignAllSearch),
  search: { middlewares: [stripSearchParams<AssignAllSearch>({ by: 'hand', step: '' })] },
  staticData: { help: 'team-access' },
  component: lazyRouteComponent(
    () => withLaterTexts(import('../monitor/access/pages/assign-teams.tsx')),
    'AssignTeamsPage',
  ),
})

const presetNew = createRoute({
  getParentRoute: () => admin,
  path: '/presets/new',
  ...inSteps,
  staticData: { help: 'presets' },
  component: lazyRouteComponent(
    () => withLaterTexts(import('../monitor/preset/pages/new.tsx')),
    'PresetNewPage',
  ),
})
const presetEdit = createRoute({
  getParentRoute: () => admin,
  path: '/presets/$presetId/edit',
  ...inSteps,
  params: {
    parse: ({ presetId }: { presetId: string }) => ({ presetId: presetId as PresetId }),
    stringify: ({ presetId }: { presetId: PresetId }) => ({ presetId }),
  },
  staticData: { help: 'presets' },
  component: lazyRouteComponent(
    () => withLaterTexts(import('../monitor/preset/pages/edit.tsx')),
    'PresetEditPage',
  ),
})

const retention = createRoute({
  getParentRoute: () => admin,
  path: '/retention',
  staticData: { help: 'retention' },
  component: lazyRouteComponent(
    () => withLaterTexts(import('../monitor/setting/pages/retention.tsx')),
    'RetentionPage',
  ),
})

const quotas = createRoute({
  getParentRoute: () => admin,
  path: '/quotas',
  staticData: { help: 'quotas' },
  component: lazyRouteComponent(
    () => withLaterTexts(import('../monitor/setting/pages/quotas.tsx')),
    'QuotasPage',
  ),
})

const health = createRoute({
  getParentRoute: () => admin,
  path: '/health',
  staticData: { help: 'system-health' },
  component: lazyRouteComponent(
    () => withLaterTexts(import('../monitor/health/pages/system-health.tsx')),
    'SystemHealthPage',
  ),
})

const audit = createRoute({
  getParentRoute: () => admin,
  path: '/audit',
  validateSearch: validate(AuditSearch),
  search: { middlewares: [stripSearchParams<AuditSearch>(auditSearchDefaults)] },
  staticData: { help: 'audit-log' },
  component: lazyRouteComponent(
    () => withLaterTexts(import('../monitor/audit/pages/list.tsx')),
    'AuditListPage',
  ),
})

const people = createRoute({
  getParentRoute: () => admin,
  path: '/people',
  validateSearch: validate(PeopleSearch),
  search: { middlewares: [stripSearchParams<PeopleSearch>(peopleSearchDefaults)] },
  staticData: { help: 'people' },
  component: lazyRouteComponent(
    () => withLaterTexts(import('../account/member/pages/list.tsx')),
    'PeoplePage',
  ),
})
const peopleImport = createRoute({
  getParentRoute: () => admin,
  path: '/people/import',
  staticData: { help: 'people' },
  component: lazyRouteComponent(
    () => withLaterTexts(import('../account/member/pages/import.tsx')),
    'PeopleImportPage',
  ),
})
const teams = createRoute({
  getParentRoute: () => admin,
  path: '/teams',
  validateSearch: validate(TeamSearch),
  search: { middlewares: [stripSearchParams<TeamSearch>(teamSearchDefaults)] },
  staticData: { help: 'people' },
  component: lazyRouteComponent(
    () => withLaterTexts(import('../account/team/pages/list.tsx')),
    'TeamListPage',
  ),
})
const teamNew = createRoute({
  getParentRoute: () => admin,
  path: '/teams/new',
  staticData: { help: 'people' },
  component: lazyRouteComponent(() => withLaterTexts(import('../account/team/pages/new.tsx')), 'TeamNewPage'),
})
const teamEdit = createRoute({
  getParentRoute: () => admin,
  path: '/teams/$teamId/edit',
  staticData: { help: 'people' },
  component: lazyRouteComponent(
    () => withLaterTexts(import('../account/team/pages/edit.tsx')),
    'TeamEditPage',
  ),
})

/** What belongs to whoever is signed in: keys of the API, and webhooks of the scans that they manage. */
export const apiKeys = createRoute({
  getParentRoute: () => root,
  path: '/api-keys',
  staticData: { help: 'api-keys' },
  component: lazyRouteComponent(
    () => withLaterTexts(import('../monitor/user/pages/api-keys.tsx')),
    'ApiKeysPage',
  ),
})
export const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  staticData: { help: 'account' },
  component: lazyRouteComponent(
    () => withLaterTexts(import('../account/member/pages/own.tsx')),
    'OwnAccountPage',
  ),
})
export const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/webhooks',
  validateSearch: validate(WebhookSearch),
  staticData: { help: 'webhooks' },
  component: lazyRouteComponent(
    () => withLaterTexts(import('../monitor/notification/pages/webhooks.tsx')),
    'WebhooksPage',
  ),
})

export const inbox = createRoute({
  getParentRoute: () => root,
  path: '/inbox',
  validateSearch: validate(InboxSearch),
  search: { middlewares: [stripSearchParams<InboxSearch>(inboxSearchDefaults)] },
  staticData: { help: 'inbox' },
  component: lazyRouteComponent(
    () => withLaterTexts(import('../monitor/notification/pages/inbox.tsx')),
    'InboxPage',
  ),
})

/** The routes of administrators. */
export const adminTree = admin.addChildren([
  groups,
  groupNew,
  groupEdit,
  presets,
  permissionSettings,
  scripts,
  scriptNew,
  scriptEdit,
  teamAccess,
  assignTeam,
  assignTeams,
  presetNew,
  presetEdit,
  retention,
  quotas,
  health,
  audit,
  people,
  peopleImport,
  teams,
  teamNew,
  teamEdit,
])
