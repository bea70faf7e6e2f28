import { Plural, useLingui } from '@lingui/react/macro'
import type { Preset } from '@clearway/contract/monitor/preset/schema.ts'
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
  const list = useQuery(presetListQuery(api, search))
  const [deleting, setDeleting] = useState<Row | null>(null)
  const total = list.data?.page.totalElements
  return (
    <>
      <PageHead
        title={t`Presets`}
        productName={config.productName}
        facts={!!total && <Plural value={total} one="# preset" other="# presets" />}
        actions={
          <Link to="/admin/presets/new" className={buttonClass({ kind: 'primary' })}>
            <Icon name="plus" />
            {t`New preset`}
          </Link>
        }
      />
      <ListCard
        caption={t`Presets`}
        placeholder={t`Name of a preset`}
        list={list}
        columns={useColumns(setDeleting)}
        rowKey={({ id }) => id}
        search={search}
        onChange={(next) => void navigate({ search: next })}
        empty={
          <EmptyState title={t`No presets yet`}>
            <p>{t`A preset holds settings that many scans share.`}</p>
          </EmptyState>
        }
      />
      {deleting && <DeletePresetDialog preset={deleting} onClose={() => setDeleting(null)} />}
    </>
  )
}

function Name({ preset: { id, name } }: { preset: Row }) {
  return (
    <Link to="/admin/presets/$presetId/edit" params={{ presetId: id }}>
      {name}
    </Link>
  )
}

function useColumns(onDelete: (preset: Row) => void): readonly Column<Row>[] {
  const { t } = useLingui()
  const { number, date } = useFormats()
  const navigate = route.useNavigate()
  const edit = ({ id }: Row) =>
    void navigate({ to: '/admin/presets/$presetId/edit', params: { presetId: id } })
  const actions = useEditDelete(({ name }: Row) => name, edit, onDelete)
  return [
    { key: 'name', head: t`Name`, sort: 'name', rowHead: true, cell: (preset) => <Name preset={preset} /> },
    {
      key: 'scans',
      head: t`Scans that use it`,
      sort: 'assignedScanCount',
      first: 'desc',
      numeric: true,
      cell: ({ assignedScanCount }) => number(assignedScanCount),
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
