import { Plural, useLingui } from '@lingui/react/macro'
import type { ScriptSummary } from '@clearway/contract/monitor/script/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type * as z from 'zod/mini'
import type { Column } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { ManagedList } from '../../../kit/list/managed-list.tsx'
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
  return (
    <ManagedList
      title={t`Shared scripts`}
      productName={config.productName}
      renderCount={(total) => <Plural value={total} one="# script" other="# scripts" />}
      create={{ to: '/admin/scripts/new', label: t`New script` }}
      placeholder={t`Name of a script`}
      list={useQuery(scriptListQuery(api, search))}
      columns={useColumns()}
      rowKey={({ id }) => id}
      nameOf={({ name }) => name}
      onEdit={({ id }) => void navigate({ to: '/admin/scripts/$scriptId/edit', params: { scriptId: id } })}
      renderDelete={(script, onClose) => <DeleteScriptDialog script={script} onClose={onClose} />}
      search={search}
      onChange={(next) => void navigate({ search: next })}
      empty={
        <EmptyState title={t`No shared scripts yet`}>
          <p>{t`A script signs in to a site, or walks through it step by step. Many scans can use the same one.`}</p>
        </EmptyState>
      }
    />
  )
}

function useColumns(): readonly Column<Row>[] {
  const { t } = useLingui()
  const { number, date, list } = useFormats()
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
  ]
}
