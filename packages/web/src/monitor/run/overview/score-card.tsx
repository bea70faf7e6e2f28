import { Plural, useLingui } from '@lingui/react/macro'
import { isActive } from '@clearway/contract/monitor/run/schema.ts'
import { computePointChange, toScorePoints, useFormats } from '../../../kit/text/format.ts'
import { Icon } from '../../../kit/control/icon.tsx'
import layout from '../../../kit/page/layout.module.css'
import type { Overview } from '../queries.ts'
import { HealthBar } from './health-bar.tsx'
import styles from './score-card.module.css'

/** The score, what it moved by, and the pages that explain it, those without a result included. */
export function ScoreCard({ run }: { run: Overview }) {
  const { t } = useLingui()
  const active = isActive(run.status)
  return (
    <div>
      <h2 id="score">{t`Accessibility score`}</h2>
      <p className={styles.score}>
        {run.score === null ? (
          <span className={styles.none}>{t`No score yet`}</span>
        ) : (
          <span className={active ? styles.soFar : ''}>
            <b>{toScorePoints(run.score)}</b> <small>{active ? t`of 100, so far` : t`of 100`}</small>
          </span>
        )}
        <Change run={run} />
      </p>
      <Explanation run={run} />
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

function Change({ run }: { run: Overview }) {
  const { t } = useLingui()
  const change = run.change
  if (!change || change.score === null || run.score === null) return null
  // Scores have four digits; their difference, as a computer has it, has more.
  const points = computePointChange(run.score, Number((run.score - change.score).toFixed(4)))
  const before = change.previousNumber
  if (change.ruleSetChanged)
    return (
      <span
        className={`${styles.change} ${layout.muted}`}
      >{t`Not comparable with run ${before}: the rules changed`}</span>
    )
  if (points === 0)
    return <span className={`${styles.change} ${layout.muted}`}>{t`Unchanged since run ${before}`}</span>
  const size = Math.abs(points)
  return (
    <span className={`${styles.change} ${points > 0 ? layout.good : layout.bad}`}>
      <Icon name={points > 0 ? 'arrowUp' : 'arrowDown'} />
      <span>
        {points > 0 ? (
          <Plural
            value={size}
            one={`# point up since run ${before}`}
            other={`# points up since run ${before}`}
          />
        ) : (
          <Plural
            value={size}
            one={`# point down since run ${before}`}
            other={`# points down since run ${before}`}
          />
        )}
      </span>
    </span>
  )
}

function Explanation({ run }: { run: Overview }) {
  const { formatNumber: number } = useFormats()
  const { critical, serious, moderate, good } = run.pagesByHealth
  const tested = critical + serious + moderate + good
  if (tested === 0) return null
  const goodPages = number(good)
  const { failed } = run.pages
  return (
    <p>
      <Plural
        value={tested}
        one={`${goodPages} of # page is good.`}
        other={`${goodPages} of # pages are good.`}
      />{' '}
      {critical > 0 && (
        <Plural
          value={critical}
          one="# page scores 0 until its critical issues are fixed."
          other="# pages score 0 until their critical issues are fixed."
        />
      )}{' '}
      {failed > 0 && (
        <Plural
          value={failed}
          one="# page could not be tested and is not counted."
          other="# pages could not be tested and are not counted."
        />
      )}
    </p>
  )
}
