import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Button, getButtonClass } from '../../../kit/control/button.tsx'
import layout from '../../../kit/page/layout.module.css'
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
  worstPagesQuery,
} from '../rollup/queries.ts'

const route = getRouteApi('/rollup')
/** The most scans that a link to a list may name. */
const mostLinked = 100

/** /rollup: many scans on one board. */
export function RollupPage(): ReactNode {
  const { t } = useLingui()
  const { api, config } = useSession()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const trend = useQuery(rollupTrendQuery(api, search))
  const onChange = (next: Partial<RollupSearch>) => void navigate({ search: { ...search, ...next } })
  const nothing = trend.data?.points.every(({ score }) => score === null) ?? false
  return (
    <>
      <div className={styles.screen}>
        <PageHead
          title={t`Dashboard`}
          productName={config.productName}
          facts={t`A summary of the newest results of each scan`}
          actions={!nothing && <Button onPress={() => window.print()}>{t`Print report`}</Button>}
        />
      </div>
      <RollupScopeBar search={search} asOf={trend.dataUpdatedAt} onChange={onChange} />
      <Loaded screen query={trend} label={t`Loading the trend`} failed={t`The trend could not be loaded.`}>
        {({ points }) =>
          nothing ? (
            <Nothing search={search} onChange={onChange} />
          ) : (
            <div className={layout.stack}>
              <RollupTrendCard points={points} busy={trend.isPlaceholderData} />
              <Cards search={search} onChange={onChange} />
            </div>
          )
        }
      </Loaded>
    </>
  )
}

type Props = { search: RollupSearch; onChange: (next: Partial<RollupSearch>) => void }

function Cards({ search, onChange }: Props) {
  const { t } = useLingui()
  const { api } = useSession()
  const changes = useQuery(rollupChangesQuery(api, search))
  const pages = useQuery(worstPagesQuery(api, search))
  const choices = useQuery(rollupChoicesQuery(api))
  const { permissions } = useSession()
  const groups = useQuery(rollupGroupsQuery(api, search))
  const failed = useQuery(failedScansQuery(api))
  const own = useQuery({ ...ownIssuesQuery(api, permissions.id), enabled: !permissions.isGuest })
  // The first cards come together: some have nothing to say, and what is below would jump into their place.
  const isAwaited = [failed, groups, own].some(isFirstAwaited)
  return (
    <>
      {isAwaited && <Skeleton fillsScreen label={t`Loading scan groups`} />}
      {/* Hidden, not left out: all that it shows is asked for at once. */}
      <div hidden={isAwaited}>
        <div className={layout.stack}>
          {/* What the reader has to do is not of the report. */}
          <div className={`${layout.stack} ${styles.screen} ${styles.own}`}>
            <Loaded
              query={failed}
              label={t`Loading failed runs`}
              failed={t`Failed runs could not be loaded.`}
            >
              {({ content }) => <FailedRunsCard scans={content} />}
            </Loaded>
            {!permissions.isGuest && (
              <Loaded query={own} label={t`Loading your issues`} failed={t`Your issues could not be loaded.`}>
                {(list) => <OwnIssuesCard list={list} person={permissions.id} />}
              </Loaded>
            )}
          </div>
          <Loaded
            query={groups}
            label={t`Loading scan groups`}
            failed={t`The scan groups could not be loaded.`}
          >
            {({ content }) => <RollupGroupsCard groups={content} />}
          </Loaded>
          <Loaded query={changes} label={t`Loading what is new`} failed={t`What is new could not be loaded.`}>
            {(data) => <RollupChangesCard changes={data} />}
          </Loaded>
          <RollupFaultsCard search={search} scans={linkedScans(search, choices.data)} onChange={onChange} />
          <Loaded
            query={pages}
            label={t`Loading the worst pages`}
            failed={t`The worst pages could not be loaded.`}
          >
            {({ content }) => <RollupPagesCard pages={content} />}
          </Loaded>
        </div>
      </div>
    </>
  )
}

/** Whether the first answer may come any moment: not what failed, is tried again, or waits for a connection. */
const isFirstAwaited = ({
  isPending,
  fetchStatus,
  failureCount,
  errorUpdateCount,
}: UseQueryResult): boolean =>
  isPending && fetchStatus === 'fetching' && failureCount === 0 && errorUpdateCount === 0

/** The scans of the board by id, as the lists of issues and pages take them; none means all. */
function linkedScans({ scanId, groupId }: RollupSearch, choices: ScopeChoices | undefined): ScanId[] | null {
  if (groupId.length === 0) return scanId
  if (!choices) return null
  const inGroups = choices.scans.filter(({ groups }) => groups.some((id) => groupId.includes(id)))
  const ids = [...new Set([...scanId, ...inGroups.map(({ id }) => id)])]
  return ids.length === 0 || ids.length > mostLinked ? null : ids
}

type LoadedProps<Data> = {
  query: UseQueryResult<Data>
  label: string
  failed: string
  /** Everything below comes with it. */
  screen?: boolean
  children: (data: Data) => ReactNode
}

/** A part of the board in each state that it can be in; the others stay when one fails. */
function Loaded<Data>({ query, label, failed, screen = false, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (query.isError)
    return <ErrorCard title={failed} error={query.error} onRetry={() => void query.refetch()} />
  return <Skeleton fillsScreen={screen} label={label} />
}

function Nothing({ search, onChange }: Props) {
  const { t } = useLingui()
  const chosen = search.scanId.length + search.groupId.length > 0
  return (
    <div className={layout.card}>
      <EmptyState
        title={t`Nothing to summarize yet`}
        action={
          chosen ? (
            <Button onPress={() => onChange({ scanId: [], groupId: [] })}>{t`Show all scans`}</Button>
          ) : (
            <Link to="/scans" className={getButtonClass()}>{t`All scans`}</Link>
          )
        }
      >
        <p>
          {chosen
            ? t`None of the chosen scans has a completed run.`
            : t`Score, worst pages and issues of all scans appear here once a run of one is complete.`}
        </p>
      </EmptyState>
    </div>
  )
}
