import { Plural, useLingui } from '@lingui/react/macro'
import type { Team } from '@clearway/contract/account/team/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { buttonClass } from '../../../kit/control/button.tsx'
import { Icon } from '../../../kit/control/icon.tsx'
import { ListCard } from '../../../kit/list/card.tsx'
import { useEditDelete } from '../../../kit/list/row-actions.tsx'
import { PageHead } from '../../../kit/page/head.tsx'
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
  const list = useQuery(teamListQuery(session, search))
  const [deleting, setDeleting] = useState<Team | null>(null)
  const total = list.data?.page.totalElements
  return (
    <>
      <PageHead
        title={t`Teams`}
        productName={session.config.productName}
        facts={!!total && <Plural value={total} one="# team" other="# teams" />}
        actions={
          <Link to="/admin/teams/new" className={buttonClass({ kind: 'primary' })}>
            <Icon name="plus" />
            {t`New team`}
          </Link>
        }
      />
      <ListCard
        caption={t`Teams`}
        placeholder={t`Name of a team`}
        list={list}
        columns={useColumns(setDeleting)}
        rowKey={({ id }) => id}
        search={search}
        onChange={(next) => void navigate({ search: next })}
        empty={
          <EmptyState title={t`No teams yet`}>
            <p>{t`A team gives its members a role on scans.`}</p>
          </EmptyState>
        }
      />
      {deleting && <DeleteTeamDialog team={deleting} onClose={() => setDeleting(null)} />}
    </>
  )
}

function useColumns(onDelete: (team: Team) => void): readonly Column<Team>[] {
  const { t } = useLingui()
  const { number, date } = useFormats()
  const navigate = route.useNavigate()
  const edit = ({ id }: Team) => void navigate({ to: '/admin/teams/$teamId/edit', params: { teamId: id } })
  const actions = useEditDelete(({ name }: Team) => name, edit, onDelete)
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
    actions,
  ]
}
