import { plural } from '@lingui/core/macro'
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
import layout from '../../../kit/page/layout.module.css'
import { ScanNames } from '../../scan/parts/scan-names.tsx'
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

/** Name, and what the script does in numbers. */
function ScriptName({ script: { id, name, size } }: { script: ScriptRow }) {
  const { t } = useLingui()
  const pageText = t`${plural(size?.pages ?? 0, { one: '# page', other: '# pages' })}`
  const stepText = t`${plural(size?.steps ?? 0, { one: '# step', other: '# steps' })}`
  const testText = t`${plural(size?.analyses ?? 0, { one: '# test', other: '# tests' })}`
  return (
    <>
      <Link to="/admin/scripts/$scriptId/edit" params={{ scriptId: id }} className={layout.rowName}>
        {name}
      </Link>
      {size && (
        <p className={`${layout.muted} ${layout.sm}`}>
          {[pageText, stepText, ...(size.analyses > 0 ? [testText] : [])].join(' · ')}
        </p>
      )}
    </>
  )
}

function useScriptColumns(): readonly Column<ScriptRow>[] {
  const { t } = useLingui()
  const { formatDate, formatList } = useFormats()
  return [
    {
      key: 'name',
      heading: t`Name`,
      sortField: 'name',
      isRowHeading: true,
      renderCell: (script) => <ScriptName script={script} />,
    },
    { key: 'type', heading: t`Type`, sortField: 'type', renderCell: ({ type }) => t(scriptTypeLabels[type]) },
    {
      key: 'scans',
      heading: t`Scans that use it`,
      sortField: 'assignedScanCount',
      firstDirection: 'desc',
      renderCell: ({ assignedScanCount, scanNames }) => <ScanNames names={scanNames} count={assignedScanCount} />,
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
