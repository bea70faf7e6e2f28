import { Plural, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import layout from '../../../kit/page/layout.module.css'
import { UnknownValue } from '../../../kit/page/states.tsx'
import { type Column, DataTable } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { getObjectName, listChanges } from '../entry/changes.ts'
import { type FoldedEntry, foldEntries } from '../entry/fold.ts'
import { actionLabels, nounLabels } from '../entry/labels.ts'
import type { AuditRow } from '../queries.ts'

type AuditTableProps = {
  rows: readonly AuditRow[]
  names: ReadonlyMap<string, string>
  selectedKey: string | undefined
  isBusy: boolean
}

export function AuditTable({ names, rows, ...tableProps }: AuditTableProps) {
  const { t } = useLingui()
  const auditColumns = useAuditColumns(names)
  const foldedRows = useMemo(() => foldEntries(rows), [rows])
  return (
    <DataTable caption={t`Audit log`} columns={auditColumns} rows={foldedRows} rowKey={({ entry }) => entry.id} {...tableProps} />
  )
}

function useAuditColumns(names: AuditTableProps['names']): readonly Column<FoldedEntry<AuditRow>>[] {
  const { t } = useLingui()
  const { formatDateTime } = useFormats()
  return useMemo(
    () => [
      {
        key: 'at',
        heading: t`Date and time`,
        renderCell: ({ entry: { at } }) => (
          <time className={layout.nowrap} dateTime={at}>
            {formatDateTime(at)}
          </time>
        ),
      },
      {
        key: 'actor',
        heading: t`User`,
        renderCell: ({ entry: { actor, actorName, keyName } }) => (
          <>
            {/* Wraps only between words: broken names are hard to read, and the object column has room to spare. */}
            {actor === null ? <UnknownValue label={t`Not known`} /> : (actorName ?? actor)}
            {keyName !== null && <span className={`${layout.muted} ${layout.sm}`}> {t`by API key ${keyName}`}</span>}
          </>
        ),
      },
      { key: 'action', heading: t`Action`, renderCell: ({ entry: { action } }) => t(actionLabels[action]) },
      {
        key: 'object',
        heading: t`Object`,
        isRowHeading: true,
        renderCell: (row) => <AuditObject row={row} names={names} />,
      },
      {
        key: 'address',
        heading: t`IP address`,
        renderCell: ({ entry: { address } }) => address ?? <UnknownValue label={t`Not known`} />,
      },
    ],
    [t, formatDateTime, names],
  )
}

type AuditObjectProps = { row: FoldedEntry<AuditRow> } & Pick<AuditTableProps, 'names'>

function AuditObject({ row: { entry, repeatCount }, names }: AuditObjectProps) {
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
      <span className={`${layout.muted} ${layout.sm}`}>
        {t(nounLabels[entry.noun])}
        {repeatCount > 0 && (
          <>
            {' · '}
            <Plural value={repeatCount} one="and # more like it" other="and # more like it" />
          </>
        )}
      </span>
      {entry.before && entry.after && <AuditChanges entry={entry} names={names} />}
    </>
  )
}

const maxListedChanges = 2
const maxValueLength = 60

function AuditChanges({ entry, names }: { entry: AuditRow } & Pick<AuditTableProps, 'names'>) {
  const { t } = useLingui()
  const changes = listChanges(entry)
  const remainingCount = changes.length - maxListedChanges
  const formatValue = (value: string | undefined) => {
    const text = value === undefined || value === 'null' ? '–' : (names.get(value) ?? value)
    return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text
  }
  return (
    <ul className={`${layout.sm} ${layout.break}`}>
      {changes.slice(0, maxListedChanges).map(({ path, previousValue, newValue }) => (
        <li key={path}>
          <code translate="no" className={layout.muted}>
            {path}
          </code>{' '}
          {formatValue(previousValue)} <span aria-hidden="true">→</span>
          <span className={layout.hidden}>{t`changed to`}</span> {formatValue(newValue)}
        </li>
      ))}
      {remainingCount > 0 && (
        <li className={layout.muted}>
          <Plural value={remainingCount} one="and # more value" other="and # more values" />
        </li>
      )}
    </ul>
  )
}
