import { Plural, useLingui } from '@lingui/react/macro'
import type { ScriptSummary } from '@clearway/contract/monitor/script/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type * as z from 'zod/mini'
import type { Column } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { ManagedList } from '../../../kit/list/managed-list.tsx'
import { UnknownValue } from '../../../kit/page/states.tsx'
import { useSession } from '../../user/model.ts'
import { DeleteScriptDialog } from '../list/delete-dialog.tsx'
import { scriptTypeLabels } from '../parts/labels.ts'
import { scriptListQuery } from '../queries.ts'

type ScriptRow = z.output<typeof ScriptSummary>
const scriptListRoute = getRouteApi('/admin/scripts')

export function ScriptListPage(): ReactNode {
  const { t } = useLingui()
  const { api: apiClient, config: appConfig } = useSession()
  const scriptSearch = scriptListRoute.useSearch()
  const navigateTo = scriptListRoute.useNavigate()
  return (
    <ManagedList
      title={t`Shared scripts`}
      productName={appConfig.productName}
      renderCount={(total) => <Plural value={total} one="# script" other="# scripts" />}
      createLink={{ to: '/admin/scripts/new', label: t`New script` }}
      placeholder={t`Name of a script`}
      list={useQuery(scriptListQuery(apiClient, scriptSearch))}
      columns={useScriptColumns()}
      rowKey={({ id }) => id}
      getRowName={({ name }) => name}
      onEdit={({ id }) => void navigateTo({ to: '/admin/scripts/$scriptId/edit', params: { scriptId: id } })}
      renderDelete={(script, onClose) => <DeleteScriptDialog script={script} onClose={onClose} />}
      search={scriptSearch}
      onChange={(next) => void navigateTo({ search: next })}
      empty={{
        title: t`No shared scripts yet`,
        text: t`A script signs in to a site, or walks through it step by step. Many scans can use the same one.`,
      }}
    />
  )
}

function useScriptColumns(): readonly Column<ScriptRow>[] {
  const { t } = useLingui()
  const { formatNumber, formatDate, formatList } = useFormats()
  return [
    {
      key: 'name',
      heading: t`Name`,
      sortField: 'name',
      isRowHeading: true,
      renderCell: ({ id, name }) => (
        <Link to="/admin/scripts/$scriptId/edit" params={{ scriptId: id }}>
          {name}
        </Link>
      ),
    },
    { key: 'type', heading: t`Type`, sortField: 'type', renderCell: ({ type }) => t(scriptTypeLabels[type]) },
    {
      key: 'scans',
      heading: t`Scans that use it`,
      sortField: 'assignedScanCount',
      firstDirection: 'desc',
      renderCell: ({ assignedScanCount }) => formatNumber(assignedScanCount),
    },
    {
      key: 'variables',
      heading: t`Environment variables`,
      renderCell: ({ variables }) => (variables.length > 0 ? formatList(variables) : <UnknownValue label={t`None`} />),
    },
    {
      key: 'changed',
      heading: t`Changed`,
      sortField: 'updatedAt',
      firstDirection: 'desc',
      renderCell: ({ updatedAt }) => formatDate(updatedAt),
    },
  ]
}
