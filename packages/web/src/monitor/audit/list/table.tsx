import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import layout from '../../../kit/page/layout.module.css'
import { UnknownValue } from '../../../kit/page/states.tsx'
import { type Column, DataTable } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { getObjectName } from '../entry/changes.ts'
import { actionLabels, nounLabels } from '../entry/labels.ts'
import type { AuditRow } from '../queries.ts'

type AuditTableProps = {
  rows: readonly AuditRow[]
  names: ReadonlyMap<string, string>
  selectedKey: string | undefined
  isBusy: boolean
}

/** Entries, newest first. The object of an entry opens its details. */
export function AuditTable({ names, ...tableProps }: AuditTableProps) {
  const { t } = useLingui()
  const auditColumns = useAuditColumns(names)
  return <DataTable caption={t`Audit log`} columns={auditColumns} rowKey={({ id }) => id} {...tableProps} />
}

function useAuditColumns(names: AuditTableProps['names']): readonly Column<AuditRow>[] {
  const { t } = useLingui()
  const { formatDateTime } = useFormats()
  return useMemo(
    () => [
      {
        key: 'at',
        heading: t`Date and time`,
        renderCell: ({ at }) => (
          <time className={layout.nowrap} dateTime={at}>
            {formatDateTime(at)}
          </time>
        ),
      },
      {
        key: 'actor',
        heading: t`User`,
        renderCell: ({ actor, actorName }) =>
          // Wraps only between words: broken names are hard to read, and the object column has room to spare.
          actor === null ? <UnknownValue label={t`Not known`} /> : (actorName ?? actor),
      },
      { key: 'action', heading: t`Action`, renderCell: ({ action }) => t(actionLabels[action]) },
      {
        key: 'object',
        heading: t`Object`,
        isRowHeading: true,
        renderCell: (entry) => <AuditObject entry={entry} names={names} />,
      },
      {
        key: 'address',
        heading: t`IP address`,
        renderCell: ({ address }) => address ?? <UnknownValue label={t`Not known`} />,
      },
    ],
    [t, formatDateTime, names],
  )
}

function AuditObject({ entry, names }: { entry: AuditRow } & Pick<AuditTableProps, 'names'>) {
  const { t } = useLingui()
  return (
    <>
      <Link
        id={`entry-${entry.id}`}
        className={`${layout.strong} ${layout.break}`}
        from="/admin/audit"
        to="/admin/audit"
        search={(previousSearch) => ({ ...previousSearch, entry: entry.number })}
        resetScroll={false}
      >
        {getObjectName(entry, names)}
      </Link>{' '}
      <span className={`${layout.muted} ${layout.sm}`}>{t(nounLabels[entry.noun])}</span>
    </>
  )
}
