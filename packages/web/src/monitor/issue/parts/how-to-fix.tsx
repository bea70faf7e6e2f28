import { useLingui } from '@lingui/react/macro'
import type { Fix } from '@clearway/contract/monitor/issue/schema.ts'
import { DetailPart } from '../../../kit/detail-panel.tsx'
import styles from './how-to-fix.module.css'

/** The remedies as axe names them: one of `any`, and every one of `all` and `none`; what it could not decide for a review. */
export function HowToFix({ fix, review }: { fix: Fix; review: boolean }) {
  const { t } = useLingui()
  const every = [...fix.all, ...fix.none]
  if (every.length + fix.any.length === 0) return null
  if (review)
    return (
      <DetailPart title={t`What to check`}>
        <Steps steps={[...every, ...fix.any]} />
      </DetailPart>
    )
  return (
    <>
      {every.length > 0 && (
        <DetailPart title={t`How to fix: do all of these`}>
          <Steps steps={every} />
        </DetailPart>
      )}
      {fix.any.length > 0 && (
        <DetailPart title={fix.any.length === 1 ? t`How to fix` : t`How to fix: do one of these`}>
          <Steps steps={fix.any} />
        </DetailPart>
      )}
    </>
  )
}

function Steps({ steps }: { steps: readonly string[] }) {
  return (
    <ul className={styles.steps} lang="en">
      {steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ul>
  )
}
