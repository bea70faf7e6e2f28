import { Plural, useLingui } from '@lingui/react/macro'
import type { Preset } from '@clearway/contract/monitor/preset/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type * as z from 'zod/mini'
import type { Column } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { ManagedList } from '../../../kit/list/managed-list.tsx'
import { EmptyState } from '../../../kit/page/states.tsx'
import { useSession } from '../../user/model.ts'
import { DeletePresetDialog } from '../parts/delete-dialog.tsx'
import { presetListQuery } from '../queries.ts'

type Row = z.output<typeof Preset>
const route = getRouteApi('/admin/presets')

/** /admin/presets */
export function PresetListPage(): ReactNode {
  const { t } = useLingui()
  const { api, config } = useSession()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <ManagedList
      title={t`Presets`}
      productName={config.productName}
      renderCount={(total) => <Plural value={total} one="# preset" other="# presets" />}
      createLink={{ to: '/admin/presets/new', label: t`New preset` }}
      placeholder={t`Name of a preset`}
      list={useQuery(presetListQuery(api, search))}
      columns={useColumns()}
      rowKey={({ id }) => id}
      getRowName={({ name }) => name}
      onEdit={({ id }) => void navigate({ to: '/admin/presets/$presetId/edit', params: { presetId: id } })}
      renderDelete={(preset, onClose) => <DeletePresetDialog preset={preset} onClose={onClose} />}
      search={search}
      onChange={(next) => void navigate({ search: next })}
      emptyState={
        <EmptyState title={t`No presets yet`}>
          <p>{t`A preset holds settings that many scans share.`}</p>
        </EmptyState>
      }
    />
  )
}

function Name({ preset: { id, name } }: { preset: Row }) {
  return (
    <Link to="/admin/presets/$presetId/edit" params={{ presetId: id }}>
      {name}
    </Link>
  )
}

function useColumns(): readonly Column<Row>[] {
  const { t } = useLingui()
  const { formatNumber: number, formatDate: date } = useFormats()
  return [
    { key: 'name', heading: t`Name`, sortField: 'name', isRowHeading: true, renderCell: (preset) => <Name preset={preset} /> },
    {
      key: 'scans',
      heading: t`Scans that use it`,
      sortField: 'assignedScanCount',
      firstDirection: 'desc',
      isNumeric: true,
      renderCell: ({ assignedScanCount }) => number(assignedScanCount),
    },
    {
      key: 'changed',
      heading: t`Changed`,
      sortField: 'updatedAt',
      firstDirection: 'desc',
      renderCell: ({ updatedAt }) => date(updatedAt),
    },
  ]
}
