import { Plural, useLingui } from '@lingui/react/macro'
import { isActiveStatus } from '@clearway/contract/monitor/run/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { ChangingRequestList, useMethodText } from '../../page/parts/sent-requests.tsx'
import { useRuleSetNames } from '../../ruleset/parts/rule-set-names.ts'
import { useSignInTexts } from '../../scan/parts/sign-in-kind.ts'
import { useSession } from '../../user/model.ts'
import { type RunOverviewData, runPageOverviewQuery } from '../queries.ts'
import { isProofExpected, ProvedShare } from '../parts/proved-share.tsx'
import { RunState } from '../parts/state.tsx'
import { CommonIssueCounts } from '../parts/component-counts.tsx'
import styles from './facts.module.css'

export function RunFacts({ run }: { run: RunOverviewData }) {
  const { t } = useLingui()
  const { formatDateTime, formatDuration, formatNumber } = useFormats()
  const { permissions } = useSession()
  const getSignInTexts = useSignInTexts()
  const getRuleSetNames = useRuleSetNames()
  const { openIssues } = run
  const runSearch = { scanId: [run.scanId], run: run.number }
  const openIssueCount = openIssues.critical + openIssues.serious + openIssues.moderate + openIssues.minor
  return (
    <section className={`${layout.card} ${layout.pad}`} aria-labelledby="this-run">
      <div className={layout.cardHead}>
        <h2 id="this-run">{t`This run`}</h2>
        {/* The card of an active run states it. */}
        {run.endedAt && (
          <span className={layout.sm}>
            <RunState run={run} />
          </span>
        )}
      </div>
      <dl className={layout.facts}>
        <FactRow name={t`Started`}>{run.startedAt ? formatDateTime(run.startedAt) : t`Not yet`}</FactRow>
        {run.endedAt && <FactRow name={t`Ended`}>{formatDateTime(run.endedAt)}</FactRow>}
        {run.durationMs !== null && <FactRow name={t`Duration`}>{formatDuration(run.durationMs)}</FactRow>}
        <FactRow name={t`Rules`}>
          {[...(permissions.isGuest ? [] : [`axe-core ${run.axeRelease}`]), ...getRuleSetNames(run.ruleSet)].join(', ')}
        </FactRow>
        {(run.score !== null || !run.endedAt) && (
          <FactRow name={t`Issues`}>
            <Link to="/issues" search={runSearch}>
              <Plural value={openIssueCount} one="# open" other="# open" />
            </Link>
            {/* Computed at the end of the run. */}
            {run.endedAt && (
              <>
                {' '}
                <Plural value={run.totalIssues} one="of # result" other="of # results" />
              </>
            )}
          </FactRow>
        )}
        {run.commonIssues && (
          <FactRow name={t`In common components`}>
            <CommonIssueCounts counts={run.commonIssues} />
          </FactRow>
        )}
        <PageFacts run={run} search={runSearch} />
        {isProofExpected(run.pages) && (
          <FactRow name={t`Proved signed in`}>
            <ProvedShare pages={run.pages} />
          </FactRow>
        )}
        {run.owners.length > 0 && (
          <FactRow name={t`Owners`}>{run.owners.map((name) => name ?? t`Former member`).join(', ')}</FactRow>
        )}
      </dl>
      {!permissions.isGuest && (
        <details className={styles.details}>
          <summary>{t`Technical details`}</summary>
          <dl className={layout.facts}>
            <FactRow name={t`Queued`}>{formatDateTime(run.queuedAt)}</FactRow>
            <FactRow name={t`Sign-in`}>{getSignInTexts(run.signIn).join(', ')}</FactRow>
            <FactRow name={t`Retried`}>{formatNumber(run.pages.retried)}</FactRow>
            <RequestFact run={run} />
          </dl>
        </details>
      )}
    </section>
  )
}

function RequestFact({ run }: { run: RunOverviewData }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const getMethodText = useMethodText()
  const requests = useQuery({
    ...runPageOverviewQuery(apiClient, { scanId: run.scanId, run: run.number }),
    enabled: !isActiveStatus(run.status),
  }).data?.requests
  if (!requests || requests.byMethod.length === 0) return null
  return (
    <FactRow name={t`Requests sent`}>
      {getMethodText(requests.byMethod)}
      {requests.changing.length > 0 && (
        <details>
          <summary>{t`Those that may change something`}</summary>
          <ChangingRequestList requests={requests.changing} />
        </details>
      )}
    </FactRow>
  )
}

type RunSearch = { scanId: RunOverviewData['scanId'][]; run: number }

function PageFacts({ run, search }: { run: RunOverviewData; search: RunSearch }) {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  const { pages: pageCounts } = run
  return (
    <>
      <FactRow name={t`URLs discovered`}>{formatNumber(pageCounts.found)}</FactRow>
      <FactRow name={t`Pages`}>
        <Link to="/pages" search={search}>
          <Plural value={pageCounts.completed} one="# tested" other="# tested" />
        </Link>
        {pageCounts.failed > 0 && (
          <>
            {', '}
            <Link to="/pages" search={{ ...search, tab: 'failed' }}>
              <Plural value={pageCounts.failed} one="# failed" other="# failed" />
            </Link>
          </>
        )}
      </FactRow>
      {run.reuse.carried > 0 && <FactRow name={t`Unchanged pages`}>{formatNumber(run.reuse.carried)}</FactRow>}
      <FactRow name={t`Excluded by settings`}>
        <LinkedCount value={pageCounts.excluded} search={search} />
      </FactRow>
      <FactRow name={t`On other domains`}>
        <LinkedCount value={pageCounts.otherDomainIgnored} search={search} />
      </FactRow>
      {run.endedAt && pageCounts.overLimit > 0 && (
        <FactRow name={t`Limit reached`}>
          <Link to="/pages" search={{ ...search, tab: 'excluded' }}>
            <Plural value={pageCounts.overLimit} one="# known URL not tested" other="# known URLs not tested" />
          </Link>
        </FactRow>
      )}
      {run.status !== 'completed' && pageCounts.notReached > 0 && (
        <FactRow name={run.endedAt ? t`Not reached` : t`Still to test`}>
          <Plural value={pageCounts.notReached} one="# page" other="# pages" />
        </FactRow>
      )}
    </>
  )
}

function LinkedCount({ value, search }: { value: number; search: RunSearch }) {
  const { formatNumber } = useFormats()
  if (value === 0) return formatNumber(0)
  return (
    <Link to="/pages" search={{ ...search, tab: 'excluded' }}>
      <Plural value={value} one="# URL" other="# URLs" />
    </Link>
  )
}

function FactRow({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
