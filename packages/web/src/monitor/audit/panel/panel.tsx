import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { ReactNode } from 'react'
import { Fragment } from 'react'
import { DetailPanel, DetailPart } from '../../../kit/page/detail-panel.tsx'
import { FactList } from '../../../kit/page/fact-list.tsx'
import layout from '../../../kit/page/layout.module.css'
import { UnknownValue } from '../../../kit/page/states.tsx'
import type { Column } from '../../../kit/table/table.tsx'
import { DataTable } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import type { Change } from '../parts/changes.ts'
import { changesOf, nameOf } from '../parts/changes.ts'
import { actionWords, nounWords } from '../parts/words.ts'
import type { AuditRow } from '../queries.ts'
import styles from './panel.module.css'

type Props = {
  entry: AuditRow
  names: ReadonlyMap<string, string>
  position: string | undefined
  onPrevious: (() => void) | null
  onNext: (() => void) | null
  onClose: () => void
}

/** One entry: what was different before and after, and everything else that is recorded. */
export function AuditPanel({ entry, names, position, ...moves }: Props) {
  const { t } = useLingui()
  return (
    <DetailPanel
      detailId={entry.id}
      {...(position ? { position } : {})}
      {...moves}
      leadingContent={<span className={layout.muted}>{t(actionWords[entry.action])}</span>}
      title={nameOf(entry, names)}
      trailingContent={<span className={layout.muted}>{t(nounWords[entry.noun])}</span>}
    >
      <DetailPart title={t`Values`}>
        <Changes entry={entry} />
      </DetailPart>
      <DetailPart title={t`Details`}>
        <Facts entry={entry} names={names} />
      </DetailPart>
    </DetailPanel>
  )
}

const code = (text: string) => (
  <code translate="no" className={layout.break}>
    {text}
  </code>
)

function Changes({ entry }: { entry: AuditRow }) {
  const { t } = useLingui()
  const rows = changesOf(entry)
  const columns = useChangeColumns(entry)
  if (rows.length === 0) return <p>{t`No values are recorded. Secrets never are.`}</p>
  return <DataTable caption={t`Values`} rows={rows} rowKey={({ path }) => path} columns={columns} />
}

/** What was made has no values before, what is deleted none after. */
function useChangeColumns({ before, after }: AuditRow): readonly Column<Change>[] {
  const { t } = useLingui()
  const value = (text: string | undefined) =>
    text === undefined ? <UnknownValue label={t`None`} /> : <span className={layout.break}>{text}</span>
  return [
    { key: 'path', heading: t`Field`, isRowHeading: true, renderCell: ({ path }) => <Path path={path} /> },
    ...(before ? [{ key: 'before', heading: t`Before`, renderCell: (change: Change) => value(change.before) }] : []),
    ...(after ? [{ key: 'after', heading: t`After`, renderCell: (change: Change) => value(change.after) }] : []),
  ]
}

/** Breaks after its dots first. */
const Path = ({ path }: { path: string }) => (
  <code translate="no" className={styles.path}>
    {path.split('.').map((name, i) => (
      <Fragment key={i}>
        {i > 0 && (
          <>
            .<wbr />
          </>
        )}
        {name}
      </Fragment>
    ))}
  </code>
)

function Facts({ entry, names }: { entry: AuditRow; names: Props['names'] }) {
  const { t } = useLingui()
  const { formatNumber: number, formatDateTime: dateTime } = useFormats()
  const { scanId, actor, actorName } = entry
  const facts: [string, ReactNode][] = [
    [t`Date and time`, dateTime(entry.at)],
    [t`Exact time, UTC`, code(entry.at)],
    [t`User`, actorName ?? actor],
    [t`User ID`, actor && <ActorLink key="actor" actor={actor} />],
    [t`IP address`, entry.address],
    [t`Object ID`, code(entry.subject)],
    [t`Scan`, scanId && <ScanLink key="scan" id={scanId as ScanId} name={names.get(scanId)} />],
    [t`Entry number`, number(entry.number)],
    [t`Request ID`, entry.requestId && code(entry.requestId)],
    [t`Hash`, code(entry.hash)],
  ]
  return <FactList facts={facts} />
}

/** Leads to everything that a person did. */
function ActorLink({ actor }: { actor: string }) {
  const { t } = useLingui()
  return (
    <>
      {code(actor)}{' '}
      <Link from="/admin/audit" to="/admin/audit" search={{ actor }}>
        {t`All entries of this user`}
      </Link>
    </>
  )
}

/** A scan that is not among those that are left has no page. */
function ScanLink({ id, name }: { id: ScanId; name: string | undefined }) {
  if (name === undefined) return code(id)
  return (
    <Link to="/scans/$scanId" params={{ scanId: id }}>
      {name}
    </Link>
  )
}
