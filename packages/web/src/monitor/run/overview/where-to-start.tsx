import { Plural, useLingui } from '@lingui/react/macro'
import type { ViolationRow } from '@clearway/contract/monitor/run/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { ErrorCard, Skeleton } from '../../../kit/page/states.tsx'
import { RuleTitle } from '../../ruleset/parts/rule-title.tsx'
import { SignShape, signWord } from '../../ruleset/parts/severity.tsx'
import { useSession } from '../../user/model.ts'
import type { RunKey } from '../queries.ts'
import { whereToStartQuery } from '../queries.ts'
import styles from './where-to-start.module.css'

type Props = { runKey: RunKey; live: boolean; tested: number }

/** Up to five rules, ranked by what the score would gain if they were fixed. */
export function WhereToStart({ runKey, live, tested }: Props) {
  const { t } = useLingui()
  const { api } = useSession()
  const rules = useQuery(whereToStartQuery(api, runKey, live))
  if (rules.isPending) return <Skeleton label={t`Loading where to start`} lines={5} />
  if (rules.isError)
    return (
      <ErrorCard
        title={t`Where to start could not be loaded.`}
        error={rules.error}
        onRetry={() => void rules.refetch()}
      />
    )
  const { content, page } = rules.data
  const ended = tested === 0 ? t`No page was tested in this run.` : t`No rule has open issues in this run.`
  const nothing = live ? t`Rules appear here as soon as a page has issues.` : ended
  const search = { scanId: [runKey.scanId], run: runKey.run }
  return (
    <section className={layout.card} aria-labelledby="start">
      <div className={styles.head}>
        <h2 id="start">{t`Where to start`}</h2>
        {content.length > 0 && (
          <span className={`${layout.muted} ${layout.sm}`}>{t`Ranked by score gain`}</span>
        )}
      </div>
      {content.length === 0 ? (
        <p className={styles.none}>{nothing}</p>
      ) : (
        <>
          <ol>
            {content.map((row) => (
              <li key={row.rule} className={styles.row}>
                <Rule row={row} runKey={runKey} />
              </li>
            ))}
          </ol>
          <p className={styles.all}>
            <Link to="/issues" search={search}>
              <Plural value={page.totalElements} one="All issues of # rule" other="All issues of # rules" />
            </Link>
          </p>
        </>
      )}
    </section>
  )
}

function Rule({ row, runKey }: { row: ViolationRow; runKey: RunKey }) {
  const { t } = useLingui()
  const { formatNumber: number } = useFormats()
  const sign = row.impact ?? 'needs review'
  const points = Math.round(row.scoreGain * 100)
  const gain = points > 0 ? `+${number(points)}` : `<1`
  const pages = <Plural value={row.pages} one="on # page" other="on # pages" />
  return (
    <>
      <SignShape sign={sign} large />
      <div>
        <Link
          className={styles.name}
          to="/issues"
          search={{ scanId: [runKey.scanId], run: runKey.run, rule: [row.rule] }}
        >
          <RuleTitle rule={row.rule} help={row.help} />
        </Link>
        <p className={`${layout.muted} ${layout.sm}`}>
          <span className={layout.hidden}>{t(signWord(sign))}. </span>
          <Plural value={row.issues} one="# issue" other="# issues" /> {pages}
        </p>
      </div>
      <p className={styles.gain}>
        <b>{gain}</b> <Plural value={Math.max(1, points)} one="point" other="points" />
      </p>
    </>
  )
}
