import { Plural, useLingui } from '@lingui/react/macro'
import type { Team } from '@clearway/contract/account/team/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ManagedList } from '../../../kit/list/managed-list.tsx'
import layout from '../../../kit/page/layout.module.css'
import type { Column } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { useSession } from '../../../monitor/user/model.ts'
import { DeleteTeamDialog } from '../list/delete-dialog.tsx'
import { teamListQuery } from '../queries.ts'

const teamListRoute = getRouteApi('/admin/teams')

export function TeamListPage(): ReactNode {
  const { t } = useLingui()
  const userSession = useSession()
  const teamSearch = teamListRoute.useSearch()
  const navigateTo = teamListRoute.useNavigate()
  return (
    <ManagedList
      title={t`Teams`}
      productName={userSession.config.productName}
      renderCount={(total) => <Plural value={total} one="# team" other="# teams" />}
      createLink={{ to: '/admin/teams/new', label: t`New team` }}
      placeholder={t`Name of a team`}
      list={useQuery(teamListQuery(userSession, teamSearch))}
      columns={useTeamColumns()}
      rowKey={({ id }) => id}
      getRowName={({ name }) => name}
      onEdit={({ id }) => void navigateTo({ to: '/admin/teams/$teamId/edit', params: { teamId: id } })}
      renderDelete={(team, onClose) => <DeleteTeamDialog team={team} onClose={onClose} />}
      search={teamSearch}
      onChange={(next) => void navigateTo({ search: next })}
      empty={{ title: t`No teams yet`, text: t`A team gives its members a role on scans.` }}
    />
  )
}

function useTeamColumns(): readonly Column<Team>[] {
  const { t } = useLingui()
  const { formatNumber, formatDate } = useFormats()
  return [
    {
      key: 'name',
      heading: t`Name`,
      sortField: 'name',
      isRowHeading: true,
      renderCell: ({ id, name }) => (
        <Link to="/admin/teams/$teamId/edit" params={{ teamId: id }} className={layout.rowName}>
          {name}
        </Link>
      ),
    },
    {
      key: 'members',
      heading: t`Members`,
      sortField: 'memberCount',
      firstDirection: 'desc',
      renderCell: ({ memberCount }) => formatNumber(memberCount),
    },
    {
      key: 'created',
      heading: t`Created`,
      sortField: 'createdAt',
      firstDirection: 'desc',
      renderCell: ({ createdAt }) => formatDate(createdAt),
    },
  ]
}
