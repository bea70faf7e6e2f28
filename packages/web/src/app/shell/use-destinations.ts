import { useLingui } from '@lingui/react/macro'
import type { SearchResult } from '@clearway/contract/monitor/scan/search/schema.ts'
import type { SavedView } from '@clearway/contract/monitor/view/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { IssueSearch } from '../../monitor/issue/model.ts'
import { PageSearch } from '../../monitor/page/model.ts'
import { ScanSearch } from '../../monitor/scan/model.ts'
import { useRuleTitle } from '../../monitor/ruleset/queries-texts.ts'
import { useSession } from '../../monitor/user/model.ts'
import { viewsQuery } from '../../monitor/view/queries.ts'
import { adminSections } from './admin-sections.ts'
import { type Destination, useOwnDestinations } from './own-destinations.ts'

/** Somewhere that the search leads to. */
export type FoundDestination = Destination & { detail?: string }
export type DestinationGroup = { id: string; title: string; entries: readonly FoundDestination[] }

/** The screens that one may open, and what can be begun. */
export function useScreens(): DestinationGroup {
  const { t } = useLingui()
  const { permissions } = useSession()
  const navigate = useNavigate()
  const [issues, ...own] = useOwnDestinations()
  const administration = t`Administration`
  return {
    id: 'screens',
    title: t`Screens and actions`,
    entries: [
      ...(permissions.canCreateScans
        ? [{ id: 'new', text: t`New scan`, go: () => navigate({ to: '/scans/new' }) }]
        : []),
      { id: 'scans', text: t`Scans`, go: () => navigate({ to: '/scans' }) },
      { id: 'issues', text: t`Issues`, go: () => navigate({ to: '/issues' }) },
      issues,
      { id: 'pages', text: t`Pages`, go: () => navigate({ to: '/pages' }) },
      { id: 'dashboard', text: t`Dashboard`, go: () => navigate({ to: '/rollup' }) },
      ...own,
      { id: 'docs', text: t`Help`, go: () => navigate({ to: '/docs' }) },
      ...(permissions.isAdmin
        ? adminSections.map(({ to, text }) => ({
            id: to,
            text: t(text),
            detail: administration,
            go: () => navigate({ to }),
          }))
        : []),
    ],
  }
}

/** The whole lists, narrowed to what was typed. */
export function useLists(q: string): DestinationGroup {
  const { t } = useLingui()
  const navigate = useNavigate()
  return {
    id: 'lists',
    title: t`Lists`,
    entries: [
      {
        id: 'scans',
        text: t`All scans that match “${q}”`,
        go: () => navigate({ to: '/scans', search: { q } }),
      },
      {
        id: 'issues',
        text: t`All issues that match “${q}”`,
        go: () => navigate({ to: '/issues', search: { q } }),
      },
      {
        id: 'pages',
        text: t`All pages that match “${q}”`,
        go: () => navigate({ to: '/pages', search: { q } }),
      },
    ],
  }
}

/** What the server found, by kind. */
export function useFound(found: SearchResult | undefined): readonly DestinationGroup[] {
  const { t, i18n } = useLingui()
  const titleOf = useRuleTitle(i18n.locale)
  const navigate = useNavigate()
  if (!found) return []
  const assigned = (name: string) => t`Issues assigned to ${name}`
  return [
    {
      id: 'scan',
      title: t`Scans`,
      entries: found.scans.map(({ id, name, url }) => ({
        id,
        text: name,
        detail: url,
        go: () => navigate({ to: '/scans/$scanId', params: { scanId: id } }),
      })),
    },
    {
      id: 'page',
      title: t`Pages`,
      entries: found.pages.map(({ id, url, title, scanId, scanName }) => ({
        id,
        text: title || url,
        detail: `${url} · ${scanName}`,
        go: () => navigate({ to: '/pages', search: { scanId: [scanId], view: id } }),
      })),
    },
    {
      id: 'rule',
      title: t`Rules`,
      entries: found.rules.map(({ rule, help }) => ({
        id: rule,
        text: titleOf(rule, help),
        detail: rule,
        go: () => navigate({ to: '/issues', search: { rule: [rule] } }),
      })),
    },
    {
      id: 'person',
      title: t`People`,
      entries: found.people.map(({ id, name }) => ({
        id,
        text: assigned(name),
        go: () => navigate({ to: '/issues', search: { assignedTo: [id] } }),
      })),
    },
  ]
}

/** The saved views whose names hold what was typed. */
export function useViews(q: string): DestinationGroup {
  const { t, i18n } = useLingui()
  const { api, permissions } = useSession()
  const navigate = useNavigate()
  const views = useQuery({ ...viewsQuery(api, undefined), enabled: !permissions.isGuest }).data ?? []
  const lower = (text: string) => text.toLocaleLowerCase(i18n.locale)
  const screens = { scans: t`Scans`, issues: t`Issues`, pages: t`Pages` }
  const go = (view: SavedView) => {
    const saved = view.id
    if (view.screen === 'scans')
      return navigate({ to: '/scans', search: z.parse(ScanSearch, { ...view.query, saved }) })
    if (view.screen === 'issues')
      return navigate({ to: '/issues', search: z.parse(IssueSearch, { ...view.query, saved }) })
    return navigate({ to: '/pages', search: z.parse(PageSearch, { ...view.query, saved }) })
  }
  return {
    id: 'view',
    title: t`Saved views`,
    entries: views
      .filter(({ name }) => lower(name).includes(lower(q)))
      .map((view) => ({ id: view.id, text: view.name, detail: screens[view.screen], go: () => go(view) })),
  }
}
