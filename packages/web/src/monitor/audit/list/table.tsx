import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import layout from '../../../kit/page/layout.module.css'
import { UnknownValue } from '../../../kit/page/states.tsx'
import type { Column } from '../../../kit/table/table.tsx'
import { DataTable } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { nameOf } from '../parts/changes.ts'
import { actionWords, nounWords } from '../parts/words.ts'
import type { AuditRow } from '../queries.ts'

type Props = {
  rows: readonly AuditRow[]
  names: ReadonlyMap<string, string>
  selected: string | undefined
  busy: boolean
}

/** The entries, newest first; the object of each opens its details. */
export function AuditTable({ names, ...table }: Props) {
  const { t } = useLingui()
  const columns = useAuditColumns(names)
  return <DataTable caption={t`Audit log`} columns={columns} rowKey={({ id }) => id} {...table} />
}

function useAuditColumns(names: Props['names']): readonly Column<AuditRow>[] {
  const { t } = useLingui()
  const { formatDateTime: dateTime } = useFormats()
  return useMemo(
    () => [
      {
        key: 'at',
        heading: t`Date and time`,
        renderCell: ({ at }) => (
          <time className={layout.nowrap} dateTime={at}>
            {dateTime(at)}
          </time>
        ),
      },
      {
        key: 'actor',
        heading: t`User`,
        renderCell: ({ actor, actorName }) =>
          // Between words alone: a name in pieces is hard to read, and the objects have room to give.
          actor === null ? <UnknownValue label={t`Not known`} /> : (actorName ?? actor),
      },
      { key: 'action', heading: t`Action`, renderCell: ({ action }) => t(actionWords[action]) },
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
    [t, dateTime, names],
  )
}

function AuditObject({ entry, names }: { entry: AuditRow } & Pick<Props, 'names'>) {
  const { t } = useLingui()
  return (
    <>
      <Link
        id={`entry-${entry.id}`}
        className={`${layout.strong} ${layout.break}`}
        from="/admin/audit"
        to="/admin/audit"
        search={(before) => ({ ...before, entry: entry.number })}
        resetScroll={false}
      >
        {nameOf(entry, names)}
      </Link>{' '}
      <span className={`${layout.muted} ${layout.sm}`}>{t(nounWords[entry.noun])}</span>
    </>
  )
}
