import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import { isActive } from '@clearway/contract/monitor/run/schema.ts'
import type { ScanSummary } from '@clearway/contract/monitor/scan/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { getButtonClass } from '../../../kit/control/button.tsx'
import { ApiError } from '../../../kit/client/client.ts'
import layout from '../../../kit/page/layout.module.css'
import { PageHead } from '../../../kit/page/head.tsx'
import { EmptyState, ErrorCard, Skeleton } from '../../../kit/page/states.tsx'
import { ScheduleCard } from '../../schedule/parts/schedule-card.tsx'
import { shortUrl } from '../../scan/model.ts'
import { scanQuery } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import { ImpactCard } from '../overview/impact-card.tsx'
import { LiveCard } from '../overview/live-card.tsx'
import { RepeatsCard } from '../overview/repeats-card.tsx'
import { RunActions } from '../overview/actions.tsx'
import { RunFacts } from '../overview/facts.tsx'
import { RunFontsNotice, RunProblemNotice, RunReuseNotice } from '../overview/problem.tsx'
import { RunsCard } from '../history/runs-card.tsx'
import { ScoreCard } from '../overview/score-card.tsx'
import { SinceCard } from '../overview/since-card.tsx'
import { TrendCard } from '../history/trend-card.tsx'
import { WhereToStart } from '../overview/where-to-start.tsx'
import type { Overview } from '../queries.ts'
import { runOverviewQuery, runStatsQuery } from '../queries.ts'
import { useLiveRun } from '../overview/use-live-run.ts'
import styles from './overview.module.css'

const newest = getRouteApi('/scans/$scanId')
const one = getRouteApi('/scans/$scanId/$run')

/** /scans/{scanId}: the newest run. */
export function NewestRunPage(): ReactNode {
  const { scanId } = newest.useParams()
  return <ScanOverview key={scanId} scanId={scanId} run={null} />
}

/** /scans/{scanId}/{run} */
export function OneRunPage(): ReactNode {
  const { scanId, run } = one.useParams()
  return <ScanOverview key={scanId} scanId={scanId} run={run} />
}

function ScanOverview({ scanId, run }: { scanId: ScanId; run: number | null }) {
  const { t } = useLingui()
  const { api, config } = useSession()
  const scan = useQuery(scanQuery(api, scanId))
  if (scan.isPending) return <Skeleton fillsScreen label={t`Loading the scan`} />
  if (scan.isError) return <Unavailable error={scan.error} onRetry={() => void scan.refetch()} />
  const { name, urls, lastRun } = scan.data
  const shown = run ?? lastRun?.number ?? null
  return (
    <>
      <PageHead
        title={name}
        document={shown === null ? name : t`${name}, run ${shown}`}
        productName={config.productName}
        crumbs={[<Link key="scans" to="/scans">{t`Scans`}</Link>]}
        facts={<span className={layout.break}>{urls.map(shortUrl).slice(0, 3).join(', ')}</span>}
        actions={<RunActions scan={scan.data} shown={shown} />}
      />
      {shown === null ? <NeverRun scan={scan.data} /> : <RunView key={shown} scan={scan.data} run={shown} />}
    </>
  )
}

function Unavailable({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useLingui()
  const { config } = useSession()
  const missing = error instanceof ApiError && (error.status === 404 || error.status === 400)
  const head = (
    <PageHead
      title={t`Scan unavailable`}
      productName={config.productName}
      crumbs={[<Link key="scans" to="/scans">{t`Scans`}</Link>]}
    />
  )
  if (!missing)
    return (
      <>
        {head}
        <ErrorCard title={t`The scan could not be loaded.`} error={error} onRetry={onRetry} />
      </>
    )
  return (
    <>
      {head}
      <div className={layout.card}>
        <EmptyState
          title={t`This scan does not exist, or you cannot see it`}
          action={<Link to="/scans" className={getButtonClass()}>{t`All scans`}</Link>}
        >
          <p>{t`It may have been deleted. If a colleague sent you the URL, ask a scan admin to give you access.`}</p>
        </EmptyState>
      </div>
    </>
  )
}

function NeverRun({ scan }: { scan: ScanSummary }) {
  const { t } = useLingui()
  return (
    <div className={layout.card}>
      <EmptyState title={t`Not run yet`}>
        <p>
          {scan.rights.run
            ? t`Start the first run. Its score, pages and issues appear here while it goes on.`
            : t`Its score, pages and issues appear here after the first run.`}
        </p>
      </EmptyState>
    </div>
  )
}

function NoSuchRun({ scan, run }: { scan: ScanSummary; run: number }) {
  const { t } = useLingui()
  return (
    <div className={layout.card}>
      <EmptyState
        title={t`Run ${run} does not exist`}
        action={
          <Link
            to="/scans/$scanId"
            params={{ scanId: scan.id }}
            className={getButtonClass()}
          >{t`Show the latest run`}</Link>
        }
      >
        <p>{t`It was deleted, or the number in the URL is wrong.`}</p>
      </EmptyState>
    </div>
  )
}

function RunView({ scan, run }: { scan: ScanSummary; run: number }) {
  const { t } = useLingui()
  const { api } = useSession()
  const [paused, setPaused] = useState(false)
  const key = { scanId: scan.id, run }
  const overview = useQuery(runOverviewQuery(api, key, !paused))
  const active = overview.data !== undefined && isActive(overview.data.status)
  useLiveRun(key, active && !paused)
  if (overview.isPending) return <Skeleton fillsScreen label={t`Loading the run`} />
  if (overview.isError && overview.error instanceof ApiError && overview.error.status === 404)
    return <NoSuchRun scan={scan} run={run} />
  if (overview.isError)
    return (
      <ErrorCard
        title={t`The run could not be loaded.`}
        error={overview.error}
        onRetry={() => void overview.refetch()}
      />
    )
  const data = overview.data
  return (
    <div className={layout.stack}>
      <Ended run={data} />
      {active && <LiveCard run={data} paused={paused} onPause={setPaused} />}
      <RunProblemNotice run={data} canEdit={scan.rights.manage} />
      <RunReuseNotice run={data} />
      <RunFontsNotice run={data} />
      <section className={`${layout.card} ${styles.hero}`} aria-labelledby="score">
        <ScoreCard run={data} />
        <Trend scan={scan} run={run} />
      </section>
      {data.change && <SinceCard change={data.change} {...key} />}
      <div className={styles.two}>
        <WhereToStart runKey={key} live={active && !paused} tested={data.pages.completed} />
        <ImpactCard run={data} />
      </div>
      {data.status === 'completed' && <RepeatsCard runKey={key} />}
      <div className={styles.two}>
        <RunsCard scan={scan} shown={run} />
        <ScheduleCard scan={scan} />
      </div>
      <RunFacts run={data} />
    </div>
  )
}

function Trend({ scan, run }: { scan: ScanSummary; run: number }) {
  const { t } = useLingui()
  const { api } = useSession()
  const stats = useQuery(runStatsQuery(api, { scanId: scan.id, run }))
  if (stats.isError)
    return (
      <ErrorCard
        title={t`The trend could not be loaded.`}
        error={stats.error}
        onRetry={() => void stats.refetch()}
      />
    )
  if (stats.data) return <TrendCard trend={stats.data.trend} />
  // From the second run on there is a line to draw.
  return run > 1 ? <div className={styles.coming} /> : <TrendCard trend={[]} />
}

/** Says once that a run which was watched has ended. */
function Ended({ run }: { run: Overview }) {
  const { t } = useLingui()
  const [watched] = useState(() => isActive(run.status))
  const ended = watched && !isActive(run.status)
  return (
    <p role="status" className={ended ? layout.strong : layout.hidden}>
      {ended &&
        (run.status === 'completed' ? t`Run ${run.number} is complete.` : t`Run ${run.number} has ended.`)}
    </p>
  )
}
