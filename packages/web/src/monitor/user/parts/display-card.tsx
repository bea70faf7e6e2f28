import { useLingui } from '@lingui/react/macro'
import { CheckField } from '../../../kit/form/field.tsx'
import { setClassicView, useClassicView } from '../../../kit/page/classic-view.ts'
import layout from '../../../kit/page/layout.module.css'

/** Card of the preferences that this browser keeps. Saved on each change. */
export function DisplayCard() {
  const { t } = useLingui()
  const isClassicView = useClassicView()
  return (
    <section className={`${layout.card} ${layout.pad} ${layout.stack}`} aria-label={t`Display`}>
      <h2>{t`Display`}</h2>
      <CheckField
        label={t`Classic view`}
        hint={t`Issues and pages open in place of their list, not next to it. Saved at once, for this browser.`}
      >
        {(control) => (
          <input {...control} type="checkbox" checked={isClassicView} onChange={({ target }) => setClassicView(target.checked)} />
        )}
      </CheckField>
    </section>
  )
}
