import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Button, getButtonClass } from '../../../kit/control/button.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import styles from './running-now.module.css'

type DraftCardProps = {
  draft: { values: Readonly<Record<string, unknown>>; savedAt: string }
  isDiscarding: boolean
  onDiscard: () => void
}

/** Reads a field of the draft without loading the form's code. */
const toText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** An unsaved new scan, to continue or to discard. */
export function DraftCard({ draft, isDiscarding, onDiscard }: DraftCardProps) {
  const { t } = useLingui()
  const { formatRecent } = useFormats()
  const draftName = toText(draft.values['name']) || toText(draft.values['urls']).split('\n')[0]
  const formattedDate = formatRecent(draft.savedAt)
  return (
    <section className={`${layout.card} ${styles.running}`} aria-labelledby="draft">
      <h2 id="draft">{t`You began a new scan`}</h2>
      <p className={`${layout.break} ${styles.draft}`}>
        {draftName && <b>{draftName}</b>} <span className={layout.muted}>{t`Draft`}</span>
        <span className={`${layout.muted} ${styles.date}`}>, {formattedDate}</span>
      </p>
      <span className={layout.row}>
        <Link to="/scans/new" className={getButtonClass({ small: true })}>{t`Continue`}</Link>
        <Button small kind="quiet" pending={isDiscarding} onPress={onDiscard}>{t`Discard`}</Button>
      </span>
    </section>
  )
}
