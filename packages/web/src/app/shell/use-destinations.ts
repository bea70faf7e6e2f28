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

export type FoundDestination = Destination & { detail?: string }
export type DestinationGroup = { id: string; title: string; entries: readonly FoundDestination[] }

export function useScreenDestinations(): DestinationGroup {
  const { t } = useLingui()
  const { permissions } = useSession()
  const navigateTo = useNavigate()
  const [assignedIssues, ...personalScreens] = useOwnDestinations()
  const adminLabel = t`Administration`
  return {
    id: 'screens',
    title: t`Screens and actions`,
    entries: [
      ...(permissions.canCreateScans ? [{ id: 'new', text: t`New scan`, go: () => navigateTo({ to: '/scans/new' }) }] : []),
      { id: 'scans', text: t`Scans`, go: () => navigateTo({ to: '/scans' }) },
      { id: 'issues', text: t`Issues`, go: () => navigateTo({ to: '/issues' }) },
      assignedIssues,
      { id: 'pages', text: t`Pages`, go: () => navigateTo({ to: '/pages' }) },
      { id: 'dashboard', text: t`Dashboard`, go: () => navigateTo({ to: '/rollup' }) },
      ...personalScreens,
      { id: 'docs', text: t`Help`, go: () => navigateTo({ to: '/docs' }) },
      ...(permissions.isAdmin
        ? adminSections.map(({ to, text }) => ({ id: to, text: t(text), detail: adminLabel, go: () => navigateTo({ to }) }))
        : []),
    ],
  }
}

export function useListDestinations(queryText: string): DestinationGroup {
  const { t } = useLingui()
  const navigateTo = useNavigate()
  return {
    id: 'lists',
    title: t`Lists`,
    entries: [
      {
        id: 'scans',
        text: t`All scans that match “${queryText}”`,
        go: () => navigateTo({ to: '/scans', search: { q: queryText } }),
      },
      {
        id: 'issues',
        text: t`All issues that match “${queryText}”`,
        go: () => navigateTo({ to: '/issues', search: { q: queryText } }),
      },
      {
        id: 'pages',
        text: t`All pages that match “${queryText}”`,
        go: () => navigateTo({ to: '/pages', search: { q: queryText } }),
      },
    ],
  }
}

export function useResultDestinations(searchResult: SearchResult | undefined): readonly DestinationGroup[] {
  const { t, i18n } = useLingui()
  const getRuleTitle = useRuleTitle(i18n.locale)
  const navigateTo = useNavigate()
  if (!searchResult) return []
  const getAssignedText = (name: string) => t`Issues assigned to ${name}`
  return [
    {
      id: 'scan',
      title: t`Scans`,
      entries: searchResult.scans.map(({ id, name, url }) => ({
        id,
        text: name,
        detail: url,
        go: () => navigateTo({ to: '/scans/$scanId', params: { scanId: id } }),
      })),
    },
    {
      id: 'page',
      title: t`Pages`,
      entries: searchResult.pages.map(({ id, url, title, scanId, scanName }) => ({
        id,
        text: title || url,
        detail: `${url} · ${scanName}`,
        go: () => navigateTo({ to: '/pages', search: { scanId: [scanId], view: id } }),
      })),
    },
    {
      id: 'rule',
      title: t`Rules`,
      entries: searchResult.rules.map(({ rule, help }) => ({
        id: rule,
        text: getRuleTitle(rule, help),
        detail: rule,
        go: () => navigateTo({ to: '/issues', search: { rule: [rule] } }),
      })),
    },
    {
      id: 'person',
      title: t`People`,
      entries: searchResult.people.map(({ id, name }) => ({
        id,
        text: getAssignedText(name),
        go: () => navigateTo({ to: '/issues', search: { assignedTo: [id] } }),
      })),
    },
  ]
}

export function useViewDestinations(queryText: string): DestinationGroup {
  const { t, i18n } = useLingui()
  const { api: apiClient, permissions } = useSession()
  const navigateTo = useNavigate()
  const savedViews = useQuery({ ...viewsQuery(apiClient, undefined), enabled: !permissions.isGuest }).data ?? []
  const toLowerCase = (text: string) => text.toLocaleLowerCase(i18n.locale)
  const screenNames = { scans: t`Scans`, issues: t`Issues`, pages: t`Pages` }
  const openView = (view: SavedView) => {
    const viewId = view.id
    if (view.screen === 'scans')
      return navigateTo({ to: '/scans', search: z.parse(ScanSearch, { ...view.query, saved: viewId }) })
    if (view.screen === 'issues')
      return navigateTo({ to: '/issues', search: z.parse(IssueSearch, { ...view.query, saved: viewId }) })
    return navigateTo({ to: '/pages', search: z.parse(PageSearch, { ...view.query, saved: viewId }) })
  }
  return {
    id: 'view',
    title: t`Saved views`,
    entries: savedViews
      .filter(({ name }) => toLowerCase(name).includes(toLowerCase(queryText)))
      .map((view) => ({ id: view.id, text: view.name, detail: screenNames[view.screen], go: () => openView(view) })),
  }
}
