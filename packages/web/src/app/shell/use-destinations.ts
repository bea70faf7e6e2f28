import { useLingui } from '@lingui/react/macro'
import type { SearchResult } from '@clearway/contract/monitor/scan/search/schema.ts'
import { useNavigate } from '@tanstack/react-router'
import { useSession } from '../../monitor/user/model.ts'
import { adminSections } from './admin-sections.ts'
import { type Place, useOwnPlaces } from './own-places.ts'

/** Somewhere that the search leads to. */
export type Destination = Place & { detail?: string }
export type DestinationGroup = { id: string; title: string; entries: readonly Destination[] }

/** The screens that one may open, and what can be begun. */
export function useScreens(): DestinationGroup {
  const { t } = useLingui()
  const { permissions } = useSession()
  const navigate = useNavigate()
  const [issues, ...own] = useOwnPlaces()
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
  const { t } = useLingui()
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
        text: help,
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
