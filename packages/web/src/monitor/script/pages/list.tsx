import { Plural, useLingui } from '@lingui/react/macro'
import type { ScriptSummary } from '@clearway/contract/monitor/script/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useState } from 'react'
import type * as z from 'zod/mini'
import { buttonClass } from '../../../kit/control/button.tsx'
import type { Column } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { Icon } from '../../../kit/control/icon.tsx'
import { ListCard } from '../../../kit/list/card.tsx'
import { useEditDelete } from '../../../kit/list/row-actions.tsx'
import { PageHead } from '../../../kit/page/head.tsx'
import { EmptyState, Unknown } from '../../../kit/page/states.tsx'
import { useSession } from '../../user/model.ts'
import { DeleteScriptDialog } from '../parts/delete-dialog.tsx'
import { typeWords } from '../parts/words.ts'
import { scriptListQuery } from '../queries.ts'

type Row = z.output<typeof ScriptSummary>
const route = getRouteApi('/admin/scripts')

/** /admin/scripts: the scripts that scans share. */
export function ScriptListPage(): ReactNode {
  const { t } = useLingui()
  const { api, config } = useSession()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const list = useQuery(scriptListQuery(api, search))
  const [deleting, setDeleting] = useState<Row | null>(null)
  const total = list.data?.page.totalElements
  return (
    <>
      <PageHead
        title={t`Shared scripts`}
        productName={config.productName}
        facts={!!total && <Plural value={total} one="# script" other="# scripts" />}
        actions={
          <Link to="/admin/scripts/new" className={buttonClass({ kind: 'primary' })}>
            <Icon name="plus" />
            {t`New script`}
          </Link>
        }
      />
      <ListCard
        caption={t`Shared scripts`}
        placeholder={t`Name of a script`}
        list={list}
        columns={useColumns(setDeleting)}
        rowKey={({ id }) => id}
        search={search}
        onChange={(next) => void navigate({ search: next })}
        empty={
          <EmptyState title={t`No shared scripts yet`}>
            <p>{t`A script signs in to a site, or walks through it step by step. Many scans can use the same one.`}</p>
          </EmptyState>
        }
      />
      {deleting && <DeleteScriptDialog script={deleting} onClose={() => setDeleting(null)} />}
    </>
  )
}

function useColumns(onDelete: (script: Row) => void): readonly Column<Row>[] {
  const { t } = useLingui()
  const { number, date, list } = useFormats()
  const navigate = route.useNavigate()
  const edit = ({ id }: Row) =>
    void navigate({ to: '/admin/scripts/$scriptId/edit', params: { scriptId: id } })
  const actions = useEditDelete(({ name }: Row) => name, edit, onDelete)
  return [
    {
      key: 'name',
      head: t`Name`,
      sort: 'name',
      rowHead: true,
      cell: ({ id, name }) => (
        <Link to="/admin/scripts/$scriptId/edit" params={{ scriptId: id }}>
          {name}
        </Link>
      ),
    },
    { key: 'type', head: t`Type`, sort: 'type', cell: ({ type }) => t(typeWords[type]) },
    {
      key: 'scans',
      head: t`Scans that use it`,
      sort: 'assignedScanCount',
      first: 'desc',
      numeric: true,
      cell: ({ assignedScanCount }) => number(assignedScanCount),
    },
    {
      key: 'variables',
      head: t`Environment variables`,
      cell: ({ variables }) => (variables.length > 0 ? list(variables) : <Unknown label={t`None`} />),
    },
    {
      key: 'changed',
      head: t`Changed`,
      sort: 'updatedAt',
      first: 'desc',
      cell: ({ updatedAt }) => date(updatedAt),
    },
    actions,
  ]
}
