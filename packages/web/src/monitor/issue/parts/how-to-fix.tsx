import { useLingui } from '@lingui/react/macro'
import type { Fix } from '@clearway/contract/monitor/issue/schema.ts'
import { DetailPart } from '../../../kit/detail-panel.tsx'
import styles from './how-to-fix.module.css'

/**
 * What is wrong, in axe's words, and how much of it must be mended: one of `any`, and every one of `all` and `none`.
 * For a review, what axe could not decide.
 */
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
        <DetailPart title={every.length === 1 ? t`How to fix: mend this` : t`How to fix: mend all of these`}>
          <Steps steps={every} />
        </DetailPart>
      )}
      {fix.any.length > 0 && (
        <DetailPart
          title={fix.any.length === 1 ? t`How to fix: mend this` : t`How to fix: mend one of these`}
        >
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
