import { Plural, useLingui } from '@lingui/react/macro'
import { isActiveStatus } from '@clearway/contract/monitor/run/schema.ts'
import { toErrorPoints, toScorePoints } from '@clearway/contract/kit/score.ts'
import { splitPointChange, useFormats } from '../../../kit/text/format.ts'
import { Icon } from '../../../kit/control/icon.tsx'
import layout from '../../../kit/page/layout.module.css'
import type { ScoreSample } from '@clearway/contract/monitor/run/sample/schema.ts'
import { UnseenPages, UntestedIssues } from '../parts/not-counted.tsx'
import { SourceRun } from '../parts/source-run.tsx'
import { hasMoreUntestedThanFixed } from '../parts/untested.ts'
import type { RunOverviewData } from '../queries.ts'
import { HealthBar } from './health-bar.tsx'
import styles from './score-card.module.css'

type ScoreCardProps = {
  run: RunOverviewData
  /** True if a later run, which has no score, is shown. */
  isEarlier?: boolean
}

/** The score, its change, and the page counts that explain it, including pages without a result. */
export function ScoreCard({ run, isEarlier = false }: ScoreCardProps) {
  const { t } = useLingui()
  const isRunActive = isActiveStatus(run.status)
  return (
    <div>
      <div className={layout.cardHead}>
        <h2 id="score">{t`Accessibility score`}</h2>
        {isEarlier && <SourceRun run={run} />}
      </div>
      <p className={styles.score}>
        {run.score === null ? (
          <span className={styles.none}>{t`No score`}</span>
        ) : (
          <span className={isRunActive || isEarlier ? styles.soFar : ''}>
            <b>{toScorePoints(run.score)}</b>
            {run.sample && <small>± {toErrorPoints(run.sample)}</small>}{' '}
            <small>{isRunActive ? t`of 100, so far` : t`of 100`}</small>
          </span>
        )}
        {!isEarlier && <ScoreChange run={run} />}
      </p>
      <ScoreExplanation run={run} />
      {run.sample && run.score !== null && (
        <ScoreError score={run.score} sample={run.sample} leftOutCount={run.pages.overLimit} />
      )}
      <HealthBar run={run} />
      <details className={styles.how}>
        <summary>{t`How the score is calculated`}</summary>
        <p>
          {t`Every tested page gets points by its worst open issue: critical 0, serious 40, moderate 80, else 100. The score is the mean over all tested pages. Results that need review, and ignored issues, do not count.`}
        </p>
      </details>
    </div>
  )
}

/** Compares the random pages with the chosen ones, and shows the range of the score of the whole site. */
function ScoreError({ score, sample, leftOutCount }: { score: number; sample: ScoreSample; leftOutCount: number }) {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  const [randomPoints, chosenPoints] = [sample.score, sample.chosenScore].map(toScorePoints)
  const randomCount = formatNumber(sample.pages)
  const errorPoints = toErrorPoints(sample)
  const minPoints = Math.max(0, toScorePoints(score) - errorPoints)
  const maxPoints = Math.min(100, toScorePoints(score) + errorPoints)
  return (
    <p>
      <Plural value={leftOutCount} one="# known URL is beyond the page limit." other="# known URLs are beyond the page limit." />{' '}
      {t`${randomCount} pages chosen at random score ${randomPoints}, the others ${chosenPoints}. The score of the whole site is probably between ${minPoints} and ${maxPoints}.`}
    </p>
  )
}

function ScoreChange({ run }: { run: RunOverviewData }) {
  const { t } = useLingui()
  const runChange = run.change
  if (!runChange || runChange.score === null || run.score === null) return null
  const { bySite: pointChange, byDecisions: decidedPoints } = splitPointChange(run.score, {
    score: runChange.score,
    byDecisions: runChange.byDecisions.score ?? 0,
  })
  const previousRunNumber = runChange.previousNumber
  if (runChange.ruleSetChanged)
    return (
      <span
        className={`${styles.change} ${layout.muted}`}
      >{t`Not comparable with run ${previousRunNumber}: the rules changed`}</span>
    )
  // Such a rise is no improvement.
  if (pointChange > 0 && hasMoreUntestedThanFixed(runChange))
    return (
      <span className={`${styles.change} ${layout.muted}`}>
        <UntestedIssues count={runChange.notRechecked} />
      </span>
    )
  return (
    <span className={styles.change}>
      <SitePoints points={pointChange} previousRun={previousRunNumber} />
      {decidedPoints !== 0 && <DecidedPoints points={decidedPoints} ignoredIssues={runChange.newlyIgnored} />}
    </span>
  )
}

function SitePoints({ points, previousRun: previousRunNumber }: { points: number; previousRun: number }) {
  const { t } = useLingui()
  if (points === 0) return <span className={layout.muted}>{t`Unchanged since run ${previousRunNumber}`}</span>
  const absoluteChange = Math.abs(points)
  return (
    <span className={`${styles.moved} ${points > 0 ? layout.good : layout.bad}`}>
      <Icon name={points > 0 ? 'arrowUp' : 'arrowDown'} />
      <span>
        {points > 0 ? (
          <Plural
            value={absoluteChange}
            one={`# point up since run ${previousRunNumber}`}
            other={`# points up since run ${previousRunNumber}`}
          />
        ) : (
          <Plural
            value={absoluteChange}
            one={`# point down since run ${previousRunNumber}`}
            other={`# points down since run ${previousRunNumber}`}
          />
        )}
      </span>
    </span>
  )
}

/** The part of the change that no work on the site caused. */
function DecidedPoints({ points, ignoredIssues: ignoredCount }: { points: number; ignoredIssues: number }) {
  const { t } = useLingui()
  const { formatSigned } = useFormats()
  const signedPoints = formatSigned(points)
  return (
    <span className={`${layout.muted} ${layout.sm}`}>
      {points > 0 && ignoredCount > 0 ? (
        <Plural
          value={ignoredCount}
          one={`Not included: ${signedPoints} from # ignored issue`}
          other={`Not included: ${signedPoints} from # ignored issues`}
        />
      ) : (
        t`Not included: ${signedPoints} from decisions about issues`
      )}
    </span>
  )
}

function ScoreExplanation({ run }: { run: RunOverviewData }) {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  const { critical, serious, moderate, good } = run.pagesByHealth
  const testedCount = critical + serious + moderate + good
  const { walled: unseenCount } = run.pages
  if (testedCount + unseenCount === 0) return null
  const formattedGoodCount = formatNumber(good)
  const { failed: failedCount } = run.pages
  return (
    <p>
      {testedCount === 1 && good === 1 && t`The page tested is good.`}
      {testedCount > 1 && (
        <Plural
          value={testedCount}
          one={`${formattedGoodCount} of # page is good.`}
          other={`${formattedGoodCount} of # pages are good.`}
        />
      )}{' '}
      {critical > 0 && (
        <Plural
          value={critical}
          one="# page scores 0 until its critical issues are fixed."
          other="# pages score 0 until their critical issues are fixed."
        />
      )}{' '}
      {failedCount > 0 && (
        <Plural
          value={failedCount}
          one="# page could not be tested and is not counted."
          other="# pages could not be tested and are not counted."
        />
      )}{' '}
      <UnseenPages count={unseenCount} />
    </p>
  )
}
