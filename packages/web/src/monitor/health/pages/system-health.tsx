import { Plural, useLingui } from '@lingui/react/macro'
import type { SystemHealthDetails } from '@clearway/contract/monitor/health/schema.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Column } from '../../../kit/table/table.tsx'
import { DataTable } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { Icon } from '../../../kit/control/icon.tsx'
import layout from '../../../kit/page/layout.module.css'
import { PageHead } from '../../../kit/page/head.tsx'
import { Notice, Skeleton } from '../../../kit/page/states.tsx'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { useSession } from '../../user/model.ts'
import { useIsUserActive, useOnReturn } from '../../../kit/client/use-attended.ts'
import { healthDetailsQuery } from '../queries.ts'

type Status = SystemHealthDetails['status']
type Row = { key: string; name: string; status: Status; fact: ReactNode }

/** /admin/health: how the system and its parts do. */
export function SystemHealthPage(): ReactNode {
  const { t } = useLingui()
  const { config } = useSession()
  const { formatDateTime: dateTime } = useFormats()
  const attended = useIsUserActive()
  const health = useQuery(healthDetailsQuery(useSession(), attended))
  useOnReturn(attended, health.refetch)
  const time = dateTime(new Date(health.dataUpdatedAt).toISOString())
  return (
    <>
      <PageHead
        title={t`System health`}
        productName={config.productName}
        facts={
          attended || !health.data
            ? t`State of each part of the system, refreshed every 15 seconds.`
            : t`Paused. Last updated: ${time}.`
        }
      />
      {health.isPending && <Skeleton label={t`Loading`} />}
      {health.isError && (
        <Notice kind="error" title={t`The state of the system is not known.`}>
          <p>{t(getProblemMessage(health.error))}</p>
        </Notice>
      )}
      {health.data && (
        <div className={layout.stack}>
          <Parts health={health.data} />
          <Processes processes={health.data.processes} />
        </div>
      )}
    </>
  )
}

const looks = {
  UP: { icon: 'check', className: layout.good },
  DOWN: { icon: 'stopSign', className: layout.bad },
  UNKNOWN: { icon: 'help', className: layout.muted },
} as const

function State({ status }: { status: Status }) {
  const { t } = useLingui()
  const words: Record<Status, string> = { UP: t`Operational`, DOWN: t`Down`, UNKNOWN: t`Not known` }
  const { icon, className } = looks[status]
  return (
    <span className={`${layout.line} ${className}`}>
      <Icon name={icon} />
      {words[status]}
    </span>
  )
}

/** What the server says of a part, in its own words. */
const said = (message: string | undefined) => message && <span lang="en">{message}</span>

function useColumns(): readonly Column<Row>[] {
  const { t } = useLingui()
  return [
    { key: 'name', heading: t`Part`, isRowHeading: true, renderCell: ({ name }) => name },
    { key: 'status', heading: t`State`, renderCell: ({ status }) => <State status={status} /> },
    { key: 'fact', heading: t`Details`, renderCell: ({ fact }) => fact },
  ]
}

function Parts({ health }: { health: SystemHealthDetails }) {
  const { t } = useLingui()
  const { formatBytes: bytes } = useFormats()
  const { database, diskSpace, queue, scheduler, mail, worker, browser, migrations } = health.details
  const free = bytes(diskSpace.freeBytes)
  const done = migrations.files.filter(({ status }) => status === 'COMPLETE').length
  const all = migrations.files.length
  const rows: Row[] = [
    {
      key: 'database',
      name: t`Database`,
      status: database.status,
      fact: database.version ?? said(database.message),
    },
    { key: 'disk', name: t`Disk`, status: diskSpace.status, fact: t`${free} free` },
    {
      key: 'queue',
      name: t`Queue`,
      status: queue.status,
      fact: (
        <>
          <Plural value={queue.waitingRuns} one="# run waiting" other="# runs waiting" />
          {', '}
          <Plural value={queue.activeRuns} one="# running" other="# running" />
        </>
      ),
    },
    { key: 'worker', name: t`Workers`, status: worker.status, fact: said(worker.message) },
    {
      key: 'browser',
      name: t`Browser`,
      status: browser.status,
      fact: browser.version ?? said(browser.message),
    },
    { key: 'scheduler', name: t`Schedules`, status: scheduler.status, fact: said(scheduler.message) },
    { key: 'mail', name: t`Email`, status: mail.status, fact: said(mail.message) },
    {
      key: 'migrations',
      name: t`Migrations`,
      status: migrations.status === 'COMPLETE' ? 'UP' : 'DOWN',
      fact: t`${done} of ${all} done`,
    },
  ]
  return (
    <div className={layout.card}>
      <DataTable caption={t`System health`} rows={rows} rowKey={({ key }) => key} columns={useColumns()} />
    </div>
  )
}

type Process = SystemHealthDetails['processes'][number]

function useProcessColumns(): readonly Column<Process>[] {
  const { t } = useLingui()
  const { formatNumber: number, formatDateTime: dateTime } = useFormats()
  const names: Record<Process['kind'], string> = { server: t`Server`, worker: t`Worker` }
  return [
    { key: 'name', heading: t`Process`, isRowHeading: true, renderCell: ({ kind, id }) => `${names[kind]} ${id ?? ''}` },
    { key: 'status', heading: t`State`, renderCell: ({ status }) => <State status={status} /> },
    { key: 'pid', heading: t`Process number`, renderCell: ({ pid }) => pid },
    { key: 'started', heading: t`Started`, renderCell: ({ startedAt }) => startedAt && dateTime(startedAt) },
    {
      key: 'restarts',
      heading: t`Started again`,
      renderCell: ({ restarts }) => restarts !== null && number(restarts),
    },
  ]
}

/** Each process of the product by name, so that one that does not live can be found. */
function Processes({ processes }: { processes: readonly Process[] }) {
  const { t } = useLingui()
  return (
    <div className={layout.card}>
      <DataTable
        caption={t`Processes`}
        rows={processes}
        rowKey={({ kind, id, pid }) => `${kind} ${id ?? pid}`}
        columns={useProcessColumns()}
      />
    </div>
  )
}
