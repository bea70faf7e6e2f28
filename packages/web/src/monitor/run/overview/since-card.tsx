import { Plural, useLingui } from '@lingui/react/macro'
import type { RunChange } from '@clearway/contract/monitor/run/schema.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type * as z from 'zod/mini'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import type { RunKey } from '../queries.ts'
import styles from './since-card.module.css'

type Props = RunKey & { change: z.output<typeof RunChange> }

/** What became better and worse since the run before. */
export function SinceCard({ change, scanId, run }: Props) {
  const { t } = useLingui()
  const { formatNumber: number, formatDate: date, formatSigned: signed } = useFormats()
  const before = change.previousNumber
  const { newCritical } = change
  const moved = [change.pagesAdded, -change.pagesGone].filter((count) => count !== 0)
  const pages = moved.length > 0 ? moved.map(signed).join(' ') : number(0)
  const link = (changes: 'fixed' | 'new' | 'still' | 'back') => ({ scanId: [scanId], run, change: [changes] })
  return (
    <section className={`${layout.card} ${styles.since}`} aria-labelledby="since">
      <div className={styles.lead}>
        <h2 id="since">{t`Since run ${before}`}</h2>
        {change.previousEndedAt && (
          <span className={`${layout.muted} ${layout.sm}`}>{date(change.previousEndedAt)}</span>
        )}
        <Link
          className={layout.sm}
          to="/scans/$scanId/$run/compare/$other"
          params={{ scanId, run, other: before }}
        >{t`Compare with run ${change.previousNumber}`}</Link>
      </div>
      <Fact
        value={
          <Link to="/issues" search={{ ...link('fixed'), status: ['fixed'] }}>
            {number(change.fixed)}
          </Link>
        }
      >
        <span className={change.fixed > 0 ? layout.good : layout.muted}>{t`fixed`}</span>
      </Fact>
      <Fact
        value={
          <Link to="/issues" search={link('new')}>
            {number(change.new)}
          </Link>
        }
      >
        <span className={change.new > 0 ? layout.bad : layout.muted}>
          {newCritical > 0 ? (
            <Plural value={newCritical} one="new, # critical" other="new, # critical" />
          ) : (
            t`new`
          )}
        </span>
      </Fact>
      {change.back > 0 && (
        <Fact
          value={
            <Link to="/issues" search={link('back')}>
              {number(change.back)}
            </Link>
          }
        >
          <span className={layout.bad}>{t`reappeared`}</span>
        </Fact>
      )}
      <Fact
        value={
          <Link to="/issues" search={link('still')}>
            {number(change.stillOpen)}
          </Link>
        }
      >
        <span className={layout.muted}>{t`still open`}</span>
      </Fact>
      <Fact value={pages}>
        <span className={layout.muted}>{t`pages`}</span>
      </Fact>
    </section>
  )
}

function Fact({ value, children }: { value: ReactNode; children: ReactNode }) {
  return (
    <div>
      <b>{value}</b>
      <span className={layout.sm}>{children}</span>
    </div>
  )
}
