import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import { isActiveStatus } from '@clearway/contract/monitor/run/schema.ts'
import type { ScanSummary } from '@clearway/contract/monitor/scan/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { getButtonClass } from '../../../kit/control/button.tsx'
import { ApiError } from '../../../kit/client/client.ts'
import { useIsUserActive, useOnReturn } from '../../../kit/client/use-user-activity.ts'
import { Icon } from '../../../kit/control/icon.tsx'
import layout from '../../../kit/page/layout.module.css'
import { smallScreenQuery, useMediaQuery } from '../../../kit/page/use-media-query.ts'
import { DeferredContent } from '../../../kit/page/deferred-content.tsx'
import { PageHead } from '../../../kit/page/head.tsx'
import { EmptyState, ErrorCard, Skeleton } from '../../../kit/page/states.tsx'
import { ScheduleCard } from '../../schedule/parts/schedule-card.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { shortenUrl } from '../../scan/model.ts'
import { scanQuery } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import { DrivingOffer } from '../overview/driving-offer.tsx'
import { ImpactCard } from '../overview/impact-card.tsx'
import { LiveCard } from '../overview/live-card.tsx'
import { LatestPagesCard } from '../overview/latest-pages-card.tsx'
import { LeftOutCard } from '../overview/left-out-card.tsx'
import { ParameterCard } from '../overview/parameter-card.tsx'
import { RepeatsCard } from '../overview/repeats-card.tsx'
import { RunActions } from '../overview/actions.tsx'
import { RunFacts } from '../overview/facts.tsx'
import { RunAcceptance, RunRetest } from '../overview/acceptance.tsx'
import {
  RunComponentsNotice,
  RunFailingNotice,
  RunFontsNotice,
  RunProblemNotice,
  RunWaitNotice,
  RunReuseNotice,
  RunUnconfirmedNotice,
} from '../overview/problem.tsx'
import { RunsCard } from '../history/runs-card.tsx'
import { useIsTooEarly } from '../parts/progress.tsx'
import { ScoreCard } from '../overview/score-card.tsx'
import { SinceCard } from '../overview/since-card.tsx'
import { TrendCard } from '../history/trend-card.tsx'
import { useTrendComparison } from '../history/use-trend-comparison.ts'
import { WhereToStart } from '../overview/where-to-start.tsx'
import { type RunOverviewData, runOverviewQuery, runStatsQuery } from '../queries.ts'
import { scanGoalsQuery } from '../queries-goal.ts'
import { useLiveRun } from '../overview/use-live-run.ts'
import styles from './overview.module.css'

const newestRunRoute = getRouteApi('/scans/$scanId')
const singleRunRoute = getRouteApi('/scans/$scanId/$run')

export function NewestRunPage(): ReactNode {
  const { scanId } = newestRunRoute.useParams()
  return <ScanOverview key={scanId} scanId={scanId} run={null} />
}

export function OneRunPage(): ReactNode {
  const { scanId, run: runNumber } = singleRunRoute.useParams()
  return <ScanOverview key={scanId} scanId={scanId} run={runNumber} />
}

function ScanOverview({ scanId, run: runNumber }: { scanId: ScanId; run: number | null }) {
  const { t } = useLingui()
  const { api: apiClient, config: appConfig, permissions } = useSession()
  const scanResult = useQuery(scanQuery(apiClient, scanId))
  if (scanResult.isPending) return <Skeleton fillsScreen label={t`Loading the scan`} />
  if (scanResult.isError) return <ScanUnavailable error={scanResult.error} onRetry={() => void scanResult.refetch()} />
  const { name: scanName, urls: startUrls, lastRun } = scanResult.data
  const currentRun = runNumber ?? lastRun?.number ?? null
  return (
    <>
      <PageHead
        title={scanName}
        document={currentRun === null ? scanName : t`${scanName}, run ${currentRun}`}
        productName={appConfig.productName}
        // A guest has no other scans.
        {...(!permissions.isGuest && { crumbs: [<Link key="scans" to="/scans">{t`Scans`}</Link>] })}
        facts={<span className={layout.break}>{startUrls.map(shortenUrl).slice(0, 3).join(', ')}</span>}
        actions={<RunActions scan={scanResult.data} currentRun={currentRun} />}
      />
      {permissions.isGuest && (
        <p className={styles.guest}>
          <Icon name="info" /> <SharedBy scanName={scanName} />
        </p>
      )}
      {currentRun === null ? (
        <NeverRunState scan={scanResult.data} />
      ) : (
        <RunView key={currentRun} scan={scanResult.data} run={currentRun} />
      )}
    </>
  )
}

/** Tells guests what they see, from which server, and until when. */
function SharedBy({ scanName }: { scanName: string }) {
  const { t } = useLingui()
  const { formatDate } = useFormats()
  const { sharedUntil } = useSession().permissions
  const { host } = window.location
  const formattedEnd = sharedUntil ? formatDate(sharedUntil) : ''
  return (
    <span>
      {formattedEnd === ''
        ? t`You see a read-only result of ${scanName}, shared from ${host}.`
        : t`You see a read-only result of ${scanName}, shared from ${host} until ${formattedEnd}.`}
    </span>
  )
}

function ScanUnavailable({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useLingui()
  const { config: appConfig } = useSession()
  const isMissing = error instanceof ApiError && (error.status === 404 || error.status === 400)
  const pageHead = (
    <PageHead
      title={t`Scan unavailable`}
      productName={appConfig.productName}
      crumbs={[<Link key="scans" to="/scans">{t`Scans`}</Link>]}
    />
  )
  if (!isMissing)
    return (
      <>
        {pageHead}
        <ErrorCard title={t`The scan could not be loaded.`} error={error} onRetry={onRetry} />
      </>
    )
  return (
    <>
      {pageHead}
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

function NeverRunState({ scan }: { scan: ScanSummary }) {
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

function RunNotFound({ scan, run }: { scan: ScanSummary; run: number }) {
  const { t } = useLingui()
  return (
    <div className={layout.card}>
      <EmptyState
        title={t`Run ${run} does not exist`}
        action={
          <Link to="/scans/$scanId" params={{ scanId: scan.id }} className={getButtonClass()}>{t`Show the latest run`}</Link>
        }
      >
        <p>{t`It was deleted, or the number in the URL is wrong.`}</p>
      </EmptyState>
    </div>
  )
}

function RunView({ scan, run }: { scan: ScanSummary; run: number }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const [isPaused, setIsPaused] = useState(false)
  const runKey = { scanId: scan.id, run }
  const isUserActive = useIsUserActive()
  const isFollowing = !isPaused && isUserActive
  const runOverview = useQuery(runOverviewQuery(apiClient, runKey, isFollowing))
  const isRunActive = runOverview.data !== undefined && isActiveStatus(runOverview.data.status)
  useLiveRun(runKey, isRunActive && isFollowing)
  useOnReturn(isUserActive, runOverview.refetch)
  const isEarly = useIsTooEarly(runOverview.data)
  if (runOverview.isPending) return <Skeleton fillsScreen label={t`Loading the run`} />
  if (runOverview.isError && runOverview.error instanceof ApiError && runOverview.error.status === 404)
    return <RunNotFound scan={scan} run={run} />
  if (runOverview.isError)
    return (
      <ErrorCard title={t`The run could not be loaded.`} error={runOverview.error} onRetry={() => void runOverview.refetch()} />
    )
  return (
    <DeferredContent placeholder={<Skeleton fillsScreen label={t`Loading the run`} />}>
      <RunSections
        scan={scan}
        run={runOverview.data}
        isEarly={isEarly}
        isLive={isRunActive && isFollowing}
        liveCard={isRunActive && <LiveCard run={runOverview.data} isEarly={isEarly} paused={isPaused} onPause={setIsPaused} />}
      />
    </DeferredContent>
  )
}

type RunSectionsProps = { scan: ScanSummary; run: RunOverviewData; isEarly: boolean; isLive: boolean; liveCard: ReactNode }

function RunSections({ scan, run, isEarly: isTooEarly, isLive, liveCard }: RunSectionsProps) {
  const { t } = useLingui()
  const { formatDateTime } = useFormats()
  const { number: runNumber, status } = run
  const runKey = { scanId: scan.id, run: runNumber }
  const resultRun = useResultRun(run, isTooEarly)
  // During the first run there is nothing to compare and to choose.
  const hasOtherRuns = runNumber > 1 || run.endedAt !== null
  const isEarlier = resultRun.number !== runNumber
  const hasResults = resultRun.score !== null && (isEarlier || !isTooEarly)
  // On a phone, what to do comes right after the score.
  const isSmall = useMediaQuery(smallScreenQuery)
  const trend = hasResults && hasOtherRuns && <RunTrend scan={scan} run={runNumber} />
  const sinceCard = run.change && <SinceCard change={run.change} {...runKey} />
  // The first run has no trend: the pages that are tested now stand next to the score.
  const scoreSection = hasResults && (
    <section className={`${layout.card} ${styles.hero}`} aria-labelledby="score">
      <ScoreCard run={resultRun} isEarlier={isEarlier} />
      {!isSmall && trend}
    </section>
  )
  return (
    <div className={layout.stack}>
      <p className={styles.paper}>
        {t`Run ${runNumber}`}, {formatDateTime(run.endedAt ?? run.queuedAt)}
      </p>
      <RunEndedNotice run={run} />
      {liveCard}
      <RunFailingNotice run={run} canEdit={scan.rights.manage} />
      <RunWaitNotice run={run} />
      <RunProblemNotice run={run} canEdit={scan.rights.manage} />
      <RunUnconfirmedNotice run={run} />
      <RunRetest run={run} scan={scan} />
      <RunAcceptance run={run} scan={scan} />
      <RunReuseNotice run={run} />
      {status === 'completed' && <DrivingOffer scan={scan} />}
      <RunFontsNotice run={run} />
      <RunComponentsNotice run={run} />
      {!hasOtherRuns ? (
        <div className={styles.live}>
          {scoreSection}
          <LatestPagesCard run={run} />
        </div>
      ) : (
        scoreSection
      )}
      {!isSmall && sinceCard}
      {hasResults || (hasFindings(run) && !isTooEarly) ? (
        <div className={styles.two}>
          <WhereToStart isLive={isLive && !isEarlier} isEarlier={isEarlier} run={resultRun} />
          <ImpactCard run={resultRun} isEarlier={isEarlier} />
          <ScheduleCard scan={scan} />
        </div>
      ) : (
        <ScheduleCard scan={scan} />
      )}
      {isSmall && trend && <div className={`${layout.card} ${styles.hero}`}>{trend}</div>}
      {isSmall && sinceCard}
      {status === 'completed' && <RepeatsCard runKey={runKey} pages={run.pages} />}
      {status === 'completed' && <ParameterCard runKey={runKey} />}
      {run.endedAt && run.pages.overLimit > 0 && <LeftOutCard runKey={runKey} />}
      {!run.endedAt && hasOtherRuns && <LatestPagesCard run={run} />}
      <div className={hasOtherRuns ? styles.two : ''}>
        {hasOtherRuns && <RunsCard scan={scan} currentRun={run} />}
        <RunFacts run={run} />
      </div>
    </div>
  )
}

const hasFindings = ({ openIssues }: RunOverviewData): boolean => Object.values(openIssues).some((count) => count > 0)

/** Returns the run, or the last one with a score while it has none or one of too few pages. */
function useResultRun(run: RunOverviewData, isTooEarly: boolean): RunOverviewData {
  const { api: apiClient } = useSession()
  const { scanId } = run
  const runStats = useQuery(runStatsQuery(apiClient, { scanId, run: run.number }))
  const hasOwnResults = run.score !== null && !isTooEarly
  const scoredRun = runStats.data?.trend.findLast(({ number, score }) => number < run.number && score !== null)?.number ?? 0
  const earlierRun = useQuery({
    ...runOverviewQuery(apiClient, { scanId, run: scoredRun }, false),
    enabled: !hasOwnResults && scoredRun > 0,
  }).data
  return hasOwnResults ? run : (earlierRun ?? run)
}

function RunTrend({ scan, run }: { scan: ScanSummary; run: number }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const runStats = useQuery(runStatsQuery(apiClient, { scanId: scan.id, run }))
  const goals = useQuery(scanGoalsQuery(apiClient, scan.id)).data
  const comparison = useTrendComparison(scan.id, runStats.data?.trend ?? [])
  if (runStats.isError)
    return <ErrorCard title={t`The trend could not be loaded.`} error={runStats.error} onRetry={() => void runStats.refetch()} />
  if (runStats.data) return <TrendCard trend={runStats.data.trend} comparison={comparison} scan={scan} goals={goals} />
  // A chart needs at least two runs.
  return run > 1 ? <div className={styles.coming} /> : <TrendCard trend={[]} scan={scan} />
}

/** Announces once that a run has ended while it was being watched. */
function RunEndedNotice({ run }: { run: RunOverviewData }) {
  const { t } = useLingui()
  const [wasActive] = useState(() => isActiveStatus(run.status))
  const hasEnded = wasActive && !isActiveStatus(run.status)
  return (
    <p role="status" className={hasEnded ? layout.strong : layout.hidden}>
      {hasEnded &&
        (run.status === 'completed'
          ? t`Run ${run.number} is complete.`
          : run.status === 'failed'
            ? t`Run ${run.number} failed`
            : t`Run ${run.number} was canceled.`)}
    </p>
  )
}
