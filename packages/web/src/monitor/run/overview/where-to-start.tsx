import { Plural, useLingui } from '@lingui/react/macro'
import type { ViolationRow } from '@clearway/contract/monitor/run/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { ErrorCard, Skeleton } from '../../../kit/page/states.tsx'
import { RuleTitle } from '../../ruleset/parts/rule-title.tsx'
import { SignShape, getSignLabel } from '../../ruleset/parts/severity.tsx'
import { useSession } from '../../user/model.ts'
import { type RunKey, type RunOverviewData, whereToStartQuery } from '../queries.ts'
import { formatGain } from '../parts/gain.ts'
import { SourceRun } from '../parts/source-run.tsx'
import styles from './where-to-start.module.css'

type WhereToStartProps = { isLive: boolean; isEarlier?: boolean; run: RunOverviewData }

/** Up to five rules, ranked by the score gain of fixing them. */
export function WhereToStart({ isLive, isEarlier = false, run }: WhereToStartProps) {
  const { t } = useLingui()
  const { pages, unconfirmed } = run
  const runKey = { scanId: run.scanId, run: run.number }
  // Without a score, there are no points to gain.
  const hasScore = run.score !== null
  const { api: apiClient } = useSession()
  const rulesResult = useQuery(whereToStartQuery(apiClient, runKey, isLive))
  if (rulesResult.isPending) return <Skeleton label={t`Loading where to start`} lines={5} />
  if (rulesResult.isError)
    return (
      <ErrorCard
        title={t`Suggestions could not be loaded.`}
        error={rulesResult.error}
        onRetry={() => void rulesResult.refetch()}
      />
    )
  const { content: ruleRows, page: pageInfo } = rulesResult.data
  const seenText =
    pages.walled > 0 || unconfirmed
      ? t`No rule has open issues on the pages that were seen.`
      : t`No rule has open issues in this run.`
  const endedText = pages.completed === pages.walled ? t`No page was tested in this run.` : seenText
  const emptyText = isLive ? t`Rules appear here as soon as a page has issues.` : endedText
  const runSearch = { scanId: [runKey.scanId], run: runKey.run }
  return (
    <section className={layout.card} aria-labelledby="start" data-empty={ruleRows.length === 0 || undefined}>
      <div className={styles.head}>
        <h2 id="start">{t`Where to start`}</h2>
        {isEarlier ? (
          <SourceRun run={run} />
        ) : (
          hasScore && ruleRows.length > 0 && <span className={`${layout.muted} ${layout.sm}`}>{t`Ranked by score gain`}</span>
        )}
      </div>
      {ruleRows.length === 0 ? (
        <p className={styles.none}>{emptyText}</p>
      ) : (
        <>
          <ol>
            {ruleRows.map((row) => (
              <li key={row.rule} className={styles.row}>
                <RuleSuggestion row={row} runKey={runKey} hasGain={hasScore} />
              </li>
            ))}
          </ol>
          <p className={styles.all}>
            <Link to="/issues" search={{ ...runSearch, by: 'rule' }}>
              <Plural value={pageInfo.totalElements} one="# rule" other="All # rules" />
            </Link>
          </p>
        </>
      )}
    </section>
  )
}

type RuleSuggestionProps = { row: ViolationRow; runKey: RunKey; hasGain: boolean }

function RuleSuggestion({ row, runKey, hasGain }: RuleSuggestionProps) {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  const severitySign = row.impact ?? 'needs review'
  const gainedPoints = Math.round(row.scoreGain * 100)
  const formattedGain = formatGain(row.scoreGain, formatNumber)
  const pageCountText = <Plural value={row.pages} one="on # page" other="on # pages" />
  return (
    <>
      <SignShape sign={severitySign} large />
      <div>
        <Link className={styles.name} to="/issues" search={{ scanId: [runKey.scanId], run: runKey.run, rule: [row.rule] }}>
          <RuleTitle rule={row.rule} help={row.help} />
        </Link>
        <p className={`${layout.muted} ${layout.sm}`}>
          <span className={layout.hidden}>{t(getSignLabel(severitySign))}. </span>
          <Plural value={row.issues} one="# issue" other="# issues" /> {pageCountText}
        </p>
      </div>
      {hasGain && row.scoreGain === 0 && <p className={styles.gain}>{t`No gain`}</p>}
      {hasGain && row.scoreGain > 0 && (
        <p className={styles.gain}>
          <b>{formattedGain}</b> <Plural value={gainedPoints} one="point" other="points" />
        </p>
      )}
    </>
  )
}
