import { Plural, useLingui } from '@lingui/react/macro'
import type { SystemHealthDetails } from '@clearway/contract/monitor/health/schema.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Column, DataTable } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { Icon } from '../../../kit/control/icon.tsx'
import layout from '../../../kit/page/layout.module.css'
import { PageHead } from '../../../kit/page/head.tsx'
import { Notice, Skeleton, UnknownValue } from '../../../kit/page/states.tsx'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { SignShape } from '../../ruleset/parts/severity.tsx'
import { useSession } from '../../user/model.ts'
import { useIsUserActive, useOnReturn } from '../../../kit/client/use-user-activity.ts'
import { PartReason, type PartState } from '../parts/part-reason.tsx'
import { healthDetailsQuery } from '../queries.ts'
import styles from './system-health.module.css'

type ComponentStatus = SystemHealthDetails['details']['database']['status']
type ComponentRow = {
  key: string
  name: string
  status: ComponentStatus
  /** True if users have not set up this part. */
  isNotSet?: boolean
  /** Null if there is nothing to add to the state. */
  fact: ReactNode
}

export function SystemHealthPage(): ReactNode {
  const { t } = useLingui()
  const { config: appConfig } = useSession()
  const { formatDateTime } = useFormats()
  const isUserActive = useIsUserActive()
  const healthResult = useQuery(healthDetailsQuery(useSession(), isUserActive))
  useOnReturn(isUserActive, healthResult.refetch)
  const formattedTime = formatDateTime(new Date(healthResult.dataUpdatedAt).toISOString())
  return (
    <>
      <PageHead
        title={t`System health`}
        productName={appConfig.productName}
        facts={
          isUserActive || !healthResult.data
            ? t`State of each part of the system, refreshed every 15 seconds.`
            : t`Paused. Last updated: ${formattedTime}.`
        }
      />
      {healthResult.isPending && <Skeleton label={t`Loading`} />}
      {healthResult.isError && (
        <Notice kind="error" title={t`The state of the system is not known.`}>
          <p>{t(getProblemMessage(healthResult.error))}</p>
        </Notice>
      )}
      {healthResult.data && (
        <div className={`${layout.stack} ${styles.tables}`}>
          <ComponentTable health={healthResult.data} />
          <ProcessTable processes={healthResult.data.processes} />
        </div>
      )}
    </>
  )
}

const statusLooks = {
  UP: { icon: 'check', className: styles.works },
  DOWN: { icon: 'stopSign', className: layout.bad },
  UNKNOWN: { icon: 'help', className: layout.muted },
} as const

/** A part that users have not set up is no fault. */
const notSetLook = { icon: 'dash', className: layout.muted } as const

function StatusLabel({ status, isNotSet = false }: { status: ComponentStatus; isNotSet?: boolean }) {
  const { t } = useLingui()
  const statusLabels: Record<ComponentStatus, string> = {
    UP: t`Operational`,
    DOWN: t`Down`,
    UNKNOWN: t`Not known`,
  }
  const { icon: statusIcon, className: statusClass } = isNotSet ? notSetLook : statusLooks[status]
  return (
    <span className={`${layout.line} ${statusClass}`}>
      <Icon name={statusIcon} />
      {isNotSet ? t`Not set up` : statusLabels[status]}
    </span>
  )
}

function useComponentColumns(): readonly Column<ComponentRow>[] {
  const { t } = useLingui()
  return [
    { key: 'name', heading: t`Part`, isRowHeading: true, renderCell: ({ name }) => name },
    {
      key: 'status',
      heading: t`State`,
      isSelfExplaining: true,
      renderCell: ({ status, isNotSet = false }) => <StatusLabel status={status} isNotSet={isNotSet} />,
    },
    {
      key: 'fact',
      heading: t`Details`,
      isSelfExplaining: true,
      isOptional: true,
      renderCell: ({ fact }) => fact ?? <UnknownValue label={t`None`} />,
    },
  ]
}

const getReason = (part: PartState): ReactNode =>
  part.reason === undefined && part.message === undefined ? null : <PartReason part={part} />

function ComponentTable({ health }: { health: SystemHealthDetails }) {
  const { t } = useLingui()
  const { formatBytes } = useFormats()
  const {
    database: databaseStatus,
    diskSpace: diskStatus,
    queue: queueStatus,
    scheduler: schedulerStatus,
    mail: mailStatus,
    signIn: signInStatus,
    worker: workerStatus,
    browser: browserStatus,
    migrations: migrationStatus,
  } = health.details
  const freeSpace = formatBytes(diskStatus.freeBytes)
  const runningWorkers = health.processes.filter(({ kind, status }) => kind === 'worker' && status === 'UP').length
  const doneCount = migrationStatus.files.filter(({ status }) => status === 'COMPLETE').length
  const totalCount = migrationStatus.files.length
  const componentRows: ComponentRow[] = [
    {
      key: 'database',
      name: t`Database`,
      status: databaseStatus.status,
      fact: databaseStatus.version ? `PostgreSQL ${databaseStatus.version}` : <PartReason part={databaseStatus} />,
    },
    {
      key: 'disk',
      name: t`Disk`,
      status: diskStatus.status,
      fact: diskStatus.reason === undefined ? t`${freeSpace} free` : <PartReason part={diskStatus} />,
    },
    {
      key: 'queue',
      name: t`Queue`,
      status: queueStatus.status,
      fact: (
        <>
          <Plural value={queueStatus.waitingRuns} one="# run waiting" other="# runs waiting" />
          {', '}
          <Plural value={queueStatus.activeRuns} one="# running" other="# running" />
          {queueStatus.reason !== undefined && '. '}
          <PartReason part={queueStatus} />
        </>
      ),
    },
    {
      key: 'worker',
      name: t`Workers`,
      status: workerStatus.status,
      fact:
        workerStatus.reason === undefined ? (
          <Plural value={runningWorkers} one="# connected" other="# connected" />
        ) : (
          <PartReason part={workerStatus} />
        ),
    },
    {
      key: 'browser',
      name: t`Browser`,
      status: browserStatus.status,
      fact: browserStatus.version ? `Chromium ${browserStatus.version}` : <PartReason part={browserStatus} />,
    },
    {
      key: 'scheduler',
      name: t`Schedules`,
      status: schedulerStatus.status,
      fact: getReason(schedulerStatus),
    },
    { key: 'sign-in', name: t`Sign-in`, status: signInStatus.status, fact: getReason(signInStatus) },
    {
      key: 'mail',
      name: t`Email`,
      status: mailStatus.status,
      isNotSet: mailStatus.reason === 'no-mail-server',
      fact: <PartReason part={mailStatus} />,
    },
    {
      key: 'migrations',
      name: t`Migrations`,
      status: migrationStatus.status === 'COMPLETE' ? 'UP' : 'DOWN',
      fact: t`${doneCount} of ${totalCount} done`,
    },
  ]
  return (
    <section className={layout.card} aria-labelledby="parts">
      <HealthSummary rows={componentRows} />
      <DataTable
        caption={t`System health`}
        rows={componentRows.toSorted((a, b) => getStateOrder(a) - getStateOrder(b))}
        rowKey={({ key }) => key}
        columns={useComponentColumns()}
      />
    </section>
  )
}

/** Parts with problems come first, those that users have not set up last. */
const getStateOrder = ({ status, isNotSet = false }: ComponentRow): number =>
  isNotSet ? 3 : ['DOWN', 'UNKNOWN', 'UP'].indexOf(status)

function HealthSummary({ rows }: { rows: readonly ComponentRow[] }) {
  const { t } = useLingui()
  const { formatList } = useFormats()
  const downParts = rows.filter(({ status }) => status === 'DOWN').map(({ name }) => name)
  const partNames = formatList(downParts)
  const notSetNames = formatList(rows.filter(({ isNotSet }) => isNotSet).map(({ name }) => name))
  return (
    <div className={`${layout.pad} ${layout.row}`}>
      <SignShape sign={downParts.length > 0 ? 'critical' : 'good'} large />
      <h2 id="parts">{downParts.length === 0 ? t`All parts work.` : t`These parts have problems: ${partNames}.`}</h2>
      {notSetNames !== '' && <span className={layout.muted}>{t`Not set up: ${notSetNames}.`}</span>}
    </div>
  )
}

type ProcessRow = SystemHealthDetails['processes'][number]

function useProcessColumns(): readonly Column<ProcessRow>[] {
  const { t } = useLingui()
  const { formatNumber, formatDateTime } = useFormats()
  const kindLabels: Record<ProcessRow['kind'], string> = { server: t`Server`, worker: t`Worker` }
  return [
    {
      key: 'name',
      heading: t`Process`,
      isRowHeading: true,
      renderCell: ({ kind, id }) => (
        <>
          {kindLabels[kind]}
          {id && (
            <>
              {' '}
              <code translate="no" className={`${layout.muted} ${layout.sm}`}>
                {id.slice(-8)}
              </code>
            </>
          )}
        </>
      ),
    },
    { key: 'status', heading: t`State`, renderCell: ({ status }) => <StatusLabel status={status} /> },
    { key: 'pid', heading: t`Process ID`, renderCell: ({ pid }) => pid },
    {
      key: 'started',
      heading: t`Started`,
      renderCell: ({ startedAt }) => startedAt && formatDateTime(startedAt),
    },
    {
      key: 'restarts',
      heading: t`Restarts`,
      renderCell: ({ restarts }) => restarts !== null && formatNumber(restarts),
    },
  ]
}

/** Lists every process of the product, so that a stopped one can be identified. */
function ProcessTable({ processes }: { processes: readonly ProcessRow[] }) {
  const { t } = useLingui()
  return (
    <section className={layout.card} aria-labelledby="processes">
      <div className={layout.pad}>
        <h2 id="processes">{t`Processes`}</h2>
      </div>
      <DataTable
        caption={t`Processes`}
        rows={processes}
        rowKey={({ kind, id, pid }) => `${kind} ${id ?? pid}`}
        columns={useProcessColumns()}
      />
    </section>
  )
}
