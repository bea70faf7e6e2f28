import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Button, getButtonClass } from '../../../kit/control/button.tsx'
import layout from '../../../kit/page/layout.module.css'
import { DeferredContent } from '../../../kit/page/deferred-content.tsx'
import { PageHead } from '../../../kit/page/head.tsx'
import { EmptyState, ErrorCard, Skeleton } from '../../../kit/page/states.tsx'
import { useSession } from '../../user/model.ts'
import type { RollupSearch } from '../rollup/model.ts'
import { FailedRunsCard, OwnIssuesCard } from '../rollup/attention.tsx'
import { RollupGroupsCard } from '../rollup/groups.tsx'
import { RollupChangesCard } from '../rollup/changes.tsx'
import { RollupFaultsCard } from '../rollup/rules.tsx'
import { RollupPagesCard } from '../rollup/pages.tsx'
import { RollupScopeBar } from '../rollup/scope.tsx'
import { RollupTrendCard } from '../rollup/trend.tsx'
import styles from '../rollup/rollup.module.css'
import type { ScopeChoices } from '../rollup/queries.ts'
import {
  failedScansQuery,
  ownIssuesQuery,
  rollupChangesQuery,
  rollupChoicesQuery,
  rollupGroupsQuery,
  rollupTrendQuery,
  lowestPagesQuery,
} from '../rollup/queries.ts'

const rollupRoute = getRouteApi('/rollup')
/** Maximum number of scans in a link to a list. */
const maxLinkedScans = 100

export function RollupPage(): ReactNode {
  const { t } = useLingui()
  const { api: apiClient, config: appConfig } = useSession()
  const rollupSearch = rollupRoute.useSearch()
  const navigateTo = rollupRoute.useNavigate()
  const trendResult = useQuery(rollupTrendQuery(apiClient, rollupSearch))
  const failedScansResult = useQuery(failedScansQuery(apiClient))
  const linkedScanIds = getLinkedScanIds(rollupSearch, useQuery(rollupChoicesQuery(apiClient)).data)
  const changeSearch = (next: Partial<RollupSearch>) => void navigateTo({ search: { ...rollupSearch, ...next } })
  const hasNoScores = trendResult.data?.points.every(({ score }) => score === null) ?? false
  return (
    <>
      <div className={styles.screen}>
        <PageHead
          title={t`Dashboard`}
          productName={appConfig.productName}
          facts={t`A summary of the newest results of each scan`}
          actions={!hasNoScores && <Button onPress={() => window.print()}>{t`Print report`}</Button>}
        />
      </div>
      <RollupScopeBar search={rollupSearch} asOf={trendResult.dataUpdatedAt} onChange={changeSearch} />
      <LoadedCard screen query={trendResult} label={t`Loading the trend`} failureTitle={t`The trend could not be loaded.`}>
        {({ points }) =>
          hasNoScores ? (
            <EmptyRollup search={rollupSearch} onChange={changeSearch} />
          ) : (
            <div className={layout.stack}>
              <div className={`${styles.screen} ${styles.own}`}>
                {failedScansResult.data && <FailedRunsCard scans={failedScansResult.data.content} />}
                {failedScansResult.isError && (
                  <ErrorCard
                    title={t`The failed runs could not be loaded.`}
                    error={failedScansResult.error}
                    onRetry={() => void failedScansResult.refetch()}
                  />
                )}
              </div>
              <RollupTrendCard points={points} linkedScanIds={linkedScanIds} isBusy={trendResult.isPlaceholderData} />
              <RollupCards search={rollupSearch} linkedScanIds={linkedScanIds} onChange={changeSearch} />
            </div>
          )
        }
      </LoadedCard>
    </>
  )
}

type RollupCardsProps = { search: RollupSearch; onChange: (next: Partial<RollupSearch>) => void }

function RollupCards({ search, linkedScanIds, onChange }: RollupCardsProps & { linkedScanIds: ScanId[] | null }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const changesResult = useQuery(rollupChangesQuery(apiClient, search))
  const pagesResult = useQuery(lowestPagesQuery(apiClient, search))
  const { permissions } = useSession()
  const groupsResult = useQuery(rollupGroupsQuery(apiClient, search))
  const ownIssues = useQuery({ ...ownIssuesQuery(apiClient, permissions.id), enabled: !permissions.isGuest })
  // The first cards appear together: some have no content, and the cards below would move into their place.
  const isAnyAwaited = [groupsResult, ownIssues].some(isFirstAwaited)
  return (
    <>
      {isAnyAwaited && <Skeleton fillsScreen label={t`Loading scan groups`} />}
      {/* Hidden instead of omitted, so that all its queries start at once. */}
      <div hidden={isAnyAwaited}>
        <div className={layout.stack}>
          {/* The user's own tasks are not part of the report. */}
          <div className={`${layout.stack} ${styles.screen} ${styles.own}`}>
            {!permissions.isGuest && (
              <LoadedCard query={ownIssues} label={t`Loading your issues`} failureTitle={t`Your issues could not be loaded.`}>
                {(list) => <OwnIssuesCard list={list} person={permissions.id} />}
              </LoadedCard>
            )}
          </div>
          <LoadedCard query={groupsResult} label={t`Loading scan groups`} failureTitle={t`The scan groups could not be loaded.`}>
            {({ content }) => <RollupGroupsCard groups={content} />}
          </LoadedCard>
          <LoadedCard query={changesResult} label={t`Loading what is new`} failureTitle={t`What is new could not be loaded.`}>
            {(data) => <RollupChangesCard changes={data} />}
          </LoadedCard>
          <RollupFaultsCard search={search} linkedScanIds={linkedScanIds} onChange={onChange} />
          <LoadedCard
            query={pagesResult}
            label={t`Loading the lowest-scoring pages`}
            failureTitle={t`The lowest-scoring pages could not be loaded.`}
          >
            {(pages) => <RollupPagesCard pages={pages} linkedScanIds={linkedScanIds} />}
          </LoadedCard>
        </div>
      </div>
    </>
  )
}

/** Returns true if the first response is imminent: not after a failure, during a retry, or while offline. */
const isFirstAwaited = ({ isPending, fetchStatus, failureCount, errorUpdateCount }: UseQueryResult): boolean =>
  isPending && fetchStatus === 'fetching' && failureCount === 0 && errorUpdateCount === 0

/** Returns the dashboard's scan ids for lists. Empty means all; null means too many for a link or not yet loaded. */
function getLinkedScanIds({ scanId, groupId }: RollupSearch, scopeChoices: ScopeChoices | undefined): ScanId[] | null {
  if (groupId.length === 0) return scanId
  if (!scopeChoices) return null
  const scansInGroups = scopeChoices.scans.filter(({ groups }) => groups.some((id) => groupId.includes(id)))
  const linkedIds = [...new Set([...scanId, ...scansInGroups.map(({ id }) => id)])]
  return linkedIds.length === 0 || linkedIds.length > maxLinkedScans ? null : linkedIds
}

type LoadedCardProps<Data> = {
  query: UseQueryResult<Data>
  label: string
  failureTitle: string
  /** True if everything below depends on it. */
  screen?: boolean
  children: (data: Data) => ReactNode
}

/** Card of the dashboard with its loading and error states. A failed card does not affect the others. */
function LoadedCard<Data>({ query, label, failureTitle, screen = false, children }: LoadedCardProps<Data>) {
  if (query.data !== undefined)
    return screen ? (
      <DeferredContent placeholder={<Skeleton fillsScreen label={label} />}>{children(query.data)}</DeferredContent>
    ) : (
      children(query.data)
    )
  if (query.isError) return <ErrorCard title={failureTitle} error={query.error} onRetry={() => void query.refetch()} />
  return <Skeleton fillsScreen={screen} label={label} />
}

function EmptyRollup({ search, onChange }: RollupCardsProps) {
  const { t } = useLingui()
  const hasScope = search.scanId.length + search.groupId.length > 0
  return (
    <div className={layout.card}>
      <EmptyState
        title={t`Nothing to summarize yet`}
        action={
          hasScope ? (
            <Button onPress={() => onChange({ scanId: [], groupId: [] })}>{t`Show all scans`}</Button>
          ) : (
            <Link to="/scans" className={getButtonClass()}>{t`All scans`}</Link>
          )
        }
      >
        <p>
          {hasScope
            ? t`None of the chosen scans has a completed run.`
            : t`Score, lowest-scoring pages and issues of all scans appear here once a run of one is complete.`}
        </p>
      </EmptyState>
    </div>
  )
}
