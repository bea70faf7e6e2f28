import { Plural, useLingui } from '@lingui/react/macro'
import type { Team } from '@clearway/contract/account/team/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ManagedList } from '../../../kit/list/managed-list.tsx'
import { EmptyState } from '../../../kit/page/states.tsx'
import type { Column } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { useSession } from '../../../monitor/user/model.ts'
import { DeleteTeamDialog } from '../parts/delete-dialog.tsx'
import { teamListQuery } from '../queries.ts'

const route = getRouteApi('/admin/teams')

/** /admin/teams: every team. */
export function TeamListPage(): ReactNode {
  const { t } = useLingui()
  const session = useSession()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <ManagedList
      title={t`Teams`}
      productName={session.config.productName}
      renderCount={(total) => <Plural value={total} one="# team" other="# teams" />}
      create={{ to: '/admin/teams/new', label: t`New team` }}
      placeholder={t`Name of a team`}
      list={useQuery(teamListQuery(session, search))}
      columns={useColumns()}
      rowKey={({ id }) => id}
      nameOf={({ name }) => name}
      onEdit={({ id }) => void navigate({ to: '/admin/teams/$teamId/edit', params: { teamId: id } })}
      renderDelete={(team, onClose) => <DeleteTeamDialog team={team} onClose={onClose} />}
      search={search}
      onChange={(next) => void navigate({ search: next })}
      empty={
        <EmptyState title={t`No teams yet`}>
          <p>{t`A team gives its members a role on scans.`}</p>
        </EmptyState>
      }
    />
  )
}

function useColumns(): readonly Column<Team>[] {
  const { t } = useLingui()
  const { number, date } = useFormats()
  return [
    {
      key: 'name',
      head: t`Name`,
      sort: 'name',
      rowHead: true,
      cell: ({ id, name }) => (
        <Link to="/admin/teams/$teamId/edit" params={{ teamId: id }}>
          {name}
        </Link>
      ),
    },
    {
      key: 'members',
      head: t`Members`,
      sort: 'memberCount',
      first: 'desc',
      numeric: true,
      cell: ({ memberCount }) => number(memberCount),
    },
    {
      key: 'created',
      head: t`Created`,
      sort: 'createdAt',
      first: 'desc',
      cell: ({ createdAt }) => date(createdAt),
    },
  ]
}
