import { Plural, useLingui } from '@lingui/react/macro'
import type { TeamAccess } from '@clearway/contract/monitor/access/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type * as z from 'zod/mini'
import { getButtonClass } from '../../../kit/control/button.tsx'
import { Icon } from '../../../kit/control/icon.tsx'
import type { Column } from '../../../kit/table/table.tsx'
import layout from '../../../kit/page/layout.module.css'
import { ListCard } from '../../../kit/list/card.tsx'
import { useRowActions } from '../../../kit/list/row-actions.tsx'
import { PageHead } from '../../../kit/page/head.tsx'
import { EmptyState } from '../../../kit/page/states.tsx'
import { useSession } from '../../user/model.ts'
import { RemoveAccessDialog } from '../list/remove-access-dialog.tsx'
import { useRoleNames } from '../parts/role-names.tsx'
import { accessListQuery } from '../queries.ts'

type TeamAccessRow = z.output<typeof TeamAccess>
const teamAccessRoute = getRouteApi('/admin/team-access')

export function TeamAccessPage(): ReactNode {
  const { t } = useLingui()
  const { api: apiClient, config: appConfig } = useSession()
  const accessSearch = teamAccessRoute.useSearch()
  const navigateTo = teamAccessRoute.useNavigate()
  const accessList = useQuery(accessListQuery(apiClient, accessSearch))
  const [rowToRemove, setRowToRemove] = useState<TeamAccessRow | null>(null)
  return (
    <>
      <PageHead
        title={t`Team access`}
        productName={appConfig.productName}
        facts={accessList.data && <Plural value={accessList.data.page.totalElements} one="# assignment" other="# assignments" />}
        actions={
          <>
            <Link to="/admin/assign-teams" search={{ by: 'file' }} className={getButtonClass()}>
              {t`Import a CSV file`}
            </Link>
            <Link to="/admin/assign-teams" className={getButtonClass()}>
              {t`Assign several teams`}
            </Link>
            <Link to="/admin/assign-team" className={getButtonClass({ kind: 'primary' })}>
              <Icon name="plus" />
              {t`Assign a team`}
            </Link>
          </>
        }
      />
      <ListCard
        caption={t`Team access`}
        placeholder={t`Team, scan or group`}
        list={accessList}
        columns={useAccessColumns(setRowToRemove)}
        rowKey={({ teamId, scan, scanGroup }) => `${teamId} ${scan?.id ?? scanGroup?.id}`}
        search={accessSearch}
        onChange={(next) => void navigateTo({ search: next })}
        emptyState={
          <EmptyState title={t`No team has access yet`}>
            <p>{t`A team gets a role on single scans, or on a group of them.`}</p>
          </EmptyState>
        }
      />
      {rowToRemove && <RemoveAccessDialog row={rowToRemove} onClose={() => setRowToRemove(null)} />}
    </>
  )
}

function useAccessColumns(onRemove: (row: TeamAccessRow) => void): readonly Column<TeamAccessRow>[] {
  const { t } = useLingui()
  const roleNames = useRoleNames()
  const navigateTo = teamAccessRoute.useNavigate()
  const actionsColumn = useRowActions(
    ({ teamName, scan, scanGroup }: TeamAccessRow) => `${teamName}, ${scan?.name ?? scanGroup?.name}`,
    (row) => [
      {
        id: 'change',
        text: t`Change access of the team`,
        onAction: () => void navigateTo({ to: '/admin/assign-team', search: { team: row.teamId } }),
      },
      { id: 'remove', text: t`Remove access…`, isDestructive: true, onAction: () => onRemove(row) },
    ],
  )
  return [
    {
      key: 'team',
      heading: t`Team`,
      sortField: 'team',
      isRowHeading: true,
      renderCell: ({ teamId, teamName }) => (
        <Link to="/admin/assign-team" search={{ team: teamId }} className={layout.rowName}>
          {teamName}
        </Link>
      ),
    },
    { key: 'role', heading: t`Role`, sortField: 'role', renderCell: ({ role }) => roleNames[role] },
    {
      key: 'target',
      heading: t`Scan or group`,
      sortField: 'target',
      renderCell: ({ scan, scanGroup }) => (
        <>
          {scan ? (
            <Link to="/scans/$scanId" params={{ scanId: scan.id }} className={layout.break}>
              {scan.name}
            </Link>
          ) : (
            <span className={layout.break}>{scanGroup?.name}</span>
          )}
          {!scan && <span className={`${layout.muted} ${layout.sm}`}> · {t`Scan group`}</span>}
        </>
      ),
    },
    actionsColumn,
  ]
}
