import { Plural, useLingui } from '@lingui/react/macro'
import type { ScanGroup } from '@clearway/contract/monitor/group/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { buttonClass } from '../../../kit/control/button.tsx'
import type { Column } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { Icon } from '../../../kit/control/icon.tsx'
import { ListCard } from '../../../kit/list/card.tsx'
import { useEditDelete } from '../../../kit/list/row-actions.tsx'
import { PageHead } from '../../../kit/page/head.tsx'
import { EmptyState, Unknown } from '../../../kit/page/states.tsx'
import { useSession } from '../../user/model.ts'
import { DeleteGroupDialog } from '../parts/delete-dialog.tsx'
import { groupListQuery } from '../queries.ts'

const route = getRouteApi('/admin/')

/** /admin: every scan group. */
export function GroupListPage(): ReactNode {
  const { t } = useLingui()
  const { api, config } = useSession()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const list = useQuery(groupListQuery(api, search))
  const [deleting, setDeleting] = useState<ScanGroup | null>(null)
  const total = list.data?.page.totalElements
  return (
    <>
      <PageHead
        title={t`Scan groups`}
        productName={config.productName}
        facts={!!total && <Plural value={total} one="# scan group" other="# scan groups" />}
        actions={
          <Link to="/admin/groups/new" className={buttonClass({ kind: 'primary' })}>
            <Icon name="plus" />
            {t`New scan group`}
          </Link>
        }
      />
      <ListCard
        caption={t`Scan groups`}
        placeholder={t`Name of a group`}
        list={list}
        columns={useColumns(setDeleting)}
        rowKey={({ scanGroupId }) => scanGroupId}
        search={search}
        onChange={(next) => void navigate({ search: next })}
        empty={
          <EmptyState title={t`No scan groups yet`}>
            <p>{t`A group gives teams a role on many scans at once.`}</p>
          </EmptyState>
        }
      />
      {deleting && <DeleteGroupDialog group={deleting} onClose={() => setDeleting(null)} />}
    </>
  )
}

function useColumns(onDelete: (group: ScanGroup) => void): readonly Column<ScanGroup>[] {
  const { t } = useLingui()
  const { number, date, list } = useFormats()
  const navigate = route.useNavigate()
  const edit = ({ scanGroupId }: ScanGroup) =>
    void navigate({ to: '/admin/groups/$groupId/edit', params: { groupId: scanGroupId } })
  const actions = useEditDelete(({ scanGroupName }: ScanGroup) => scanGroupName, edit, onDelete)
  const names = (all: readonly string[]) => (all.length > 0 ? list(all) : <Unknown label={t`None`} />)
  return [
    {
      key: 'name',
      head: t`Name`,
      sort: 'scanGroupName',
      rowHead: true,
      cell: ({ scanGroupId, scanGroupName }) => (
        <Link to="/admin/groups/$groupId/edit" params={{ groupId: scanGroupId }}>
          {scanGroupName}
        </Link>
      ),
    },
    {
      key: 'scans',
      head: t`Scans`,
      sort: 'scanCount',
      first: 'desc',
      numeric: true,
      cell: ({ scanCount }) => number(scanCount),
    },
    { key: 'teams', head: t`Teams`, cell: ({ teams }) => names(teams.map(({ teamName }) => teamName)) },
    { key: 'admins', head: t`Group admins`, cell: ({ admins }) => names(admins.map(({ name }) => name)) },
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
