import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import { type ReactNode, Fragment } from 'react'
import { DetailPanel, DetailPart } from '../../../kit/page/detail-panel.tsx'
import { FactList } from '../../../kit/page/fact-list.tsx'
import { CopyButton } from '../../../kit/control/copy-button.tsx'
import layout from '../../../kit/page/layout.module.css'
import { UnknownValue } from '../../../kit/page/states.tsx'
import { type Column, DataTable } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { type ValueChange, listChanges, getObjectName } from '../entry/changes.ts'
import { actionLabels, nounLabels } from '../entry/labels.ts'
import type { AuditRow } from '../queries.ts'
import styles from './panel.module.css'

type AuditPanelProps = {
  entry: AuditRow
  names: ReadonlyMap<string, string>
  position: string | undefined
  onPrevious: (() => void) | null
  onNext: (() => void) | null
  onClose: () => void
}

export function AuditPanel({ entry, names, position, ...navigation }: AuditPanelProps) {
  const { t } = useLingui()
  return (
    <DetailPanel
      detailId={entry.id}
      {...(position ? { position } : {})}
      {...navigation}
      leadingContent={<span className={layout.muted}>{t(actionLabels[entry.action])}</span>}
      title={getObjectName(entry, names)}
      trailingContent={<span className={layout.muted}>{t(nounLabels[entry.noun])}</span>}
    >
      <DetailPart title={t`Values`}>
        <ChangeTable entry={entry} />
      </DetailPart>
      <DetailPart title={t`Details`}>
        <EntryFacts entry={entry} names={names} />
      </DetailPart>
    </DetailPanel>
  )
}

const renderCode = (text: string) => (
  <code translate="no" className={layout.break}>
    {text}
  </code>
)

function ChangeTable({ entry }: { entry: AuditRow }) {
  const { t } = useLingui()
  const changeRows = listChanges(entry)
  const changeColumns = useChangeColumns(entry)
  if (changeRows.length === 0) return <p>{t`No values are recorded. Secrets never are.`}</p>
  return <DataTable caption={t`Values`} rows={changeRows} rowKey={({ path }) => path} columns={changeColumns} />
}

/** Created objects have no previous values, deleted objects no new ones. */
function useChangeColumns({ before, after }: AuditRow): readonly Column<ValueChange>[] {
  const { t } = useLingui()
  const renderValue = (text: string | undefined) =>
    text === undefined ? <UnknownValue label={t`None`} /> : <span className={layout.break}>{text}</span>
  return [
    {
      key: 'path',
      heading: t`Field`,
      isRowHeading: true,
      renderCell: ({ path }) => <BreakablePath path={path} />,
    },
    ...(before
      ? [
          {
            key: 'before',
            heading: t`Before`,
            renderCell: (change: ValueChange) => renderValue(change.previousValue),
          },
        ]
      : []),
    ...(after
      ? [
          {
            key: 'after',
            heading: t`After`,
            renderCell: (change: ValueChange) => renderValue(change.newValue),
          },
        ]
      : []),
  ]
}

/** Breaks lines preferably after dots. */
const BreakablePath = ({ path }: { path: string }) => (
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

function EntryFacts({ entry, names }: { entry: AuditRow; names: AuditPanelProps['names'] }) {
  const { t } = useLingui()
  const { formatNumber, formatDateTime } = useFormats()
  const { scanId, actor, actorName } = entry
  const factEntries: [string, ReactNode][] = [
    [t`Date and time`, formatDateTime(entry.at)],
    [t`Exact time, UTC`, renderCode(entry.at)],
    [t`User`, actorName ?? actor],
    [t`User ID`, actor && <ActorLink key="actor" actor={actor} />],
    [
      t`API key`,
      entry.keyName && (
        <>
          {entry.keyName} {renderCode(entry.keyId!)}
        </>
      ),
    ],
    [t`IP address`, entry.address],
    [t`Object ID`, renderCode(entry.subject)],
    [t`Scan`, scanId && <ScanLink key="scan" id={scanId as ScanId} name={names.get(scanId)} />],
    // One entry may stand for many issues of a scan.
    [
      t`Issues`,
      entry.noun === 'ignore' && entry.action !== 'deleted' && scanId !== null && (
        <Link
          key="issues"
          to="/issues"
          search={{ scanId: [scanId as ScanId], status: ['ignored'], ignore: [entry.subject], grouped: false }}
        >{t`Show the issues`}</Link>
      ),
    ],
    [t`Entry number`, formatNumber(entry.number)],
    [
      t`Request ID`,
      entry.requestId && (
        <>
          {renderCode(entry.requestId)} <CopyButton text={entry.requestId}>{t`Copy`}</CopyButton>
        </>
      ),
    ],
    [t`Hash`, renderCode(entry.hash)],
  ]
  return <FactList facts={factEntries} />
}

function ActorLink({ actor }: { actor: string }) {
  const { t } = useLingui()
  return (
    <>
      {renderCode(actor)}{' '}
      <Link from="/admin/audit" to="/admin/audit" search={{ actor }}>
        {t`All entries of this user`}
      </Link>
    </>
  )
}

/** Deleted scans have no page to link to. */
function ScanLink({ id, name }: { id: ScanId; name: string | undefined }) {
  if (name === undefined) return renderCode(id)
  return (
    <Link to="/scans/$scanId" params={{ scanId: id }}>
      {name}
    </Link>
  )
}
