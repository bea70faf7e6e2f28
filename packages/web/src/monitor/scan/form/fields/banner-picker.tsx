import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { PageButton, PageButtonsEvent } from '@clearway/contract/monitor/run/preview/schema.ts'
import { useId } from 'react'
import { useFormContext } from 'react-hook-form'
import { CheckField } from '../../../../kit/form/field.tsx'
import layout from '../../../../kit/page/layout.module.css'
import { Notice } from '../../../../kit/page/states.tsx'
import type { ScanForm } from '../values.ts'
import styles from './banner-picker.module.css'
import { TryControls, useFormTry } from './form-try.tsx'

/** Opens the start page, and lets a person choose the buttons that close its banners, on a picture or from a list. */
export function BannerPicker({ scanId }: { scanId: ScanId | null }) {
  const { t } = useLingui()
  const formTry = useFormTry('listPageButtons', scanId, ['urls'])
  const { result } = formTry
  const tryTexts = {
    label: t`Choose on the start page`,
    hint: t`Opens the first start URL without signing in, and shows its buttons.`,
    working: t`Opening the page…`,
    failure: t`The start page could not be opened.`,
  }
  return (
    <div className={layout.tight}>
      <TryControls formTry={formTry} texts={tryTexts}>
        {result?.page && result.buttons.length === 0 && <p>{t`The page shows no button.`}</p>}
      </TryControls>
      {result?.detail != null && (
        <Notice kind="error" title={tryTexts.failure}>
          <p lang="en" className={layout.break}>
            {result.detail}
          </p>
        </Notice>
      )}
      {result?.page && result.buttons.length > 0 && <ButtonChoice page={result.page} buttons={result.buttons} />}
    </div>
  )
}

type ButtonChoiceProps = { page: NonNullable<PageButtonsEvent['page']>; buttons: readonly PageButton[] }

/** The list can do all that the picture can: places in a picture are for those who see it and use a pointer. */
function ButtonChoice({ page, buttons }: ButtonChoiceProps) {
  const { t } = useLingui()
  const { watch, setValue } = useFormContext<ScanForm>()
  const titleId = useId()
  const label = page.title
  const chosenSelectors = watch('advanced.bannerSelectors')
  const toggleButton = (selector: string) => {
    const isChosen = chosenSelectors.includes(selector)
    const selectors = isChosen ? chosenSelectors.filter((one) => one !== selector) : [...chosenSelectors, selector]
    setValue('advanced.bannerSelectors', selectors, { shouldDirty: true, shouldValidate: true })
  }
  return (
    <div className={styles.choice}>
      {page.screenshot !== null && (
        <div className={styles.picture}>
          <img src={`data:image/jpeg;base64,${page.screenshot}`} alt={t`Picture of the page: ${label}`} />
          {buttons.map(
            ({ selector, text, box }) =>
              box && (
                <button
                  key={selector}
                  type="button"
                  tabIndex={-1}
                  aria-hidden="true"
                  title={text}
                  className={styles.place}
                  data-chosen={chosenSelectors.includes(selector) || undefined}
                  style={{
                    insetInlineStart: `${box.left * 100}%`,
                    top: `${box.top * 100}%`,
                    width: `${box.width * 100}%`,
                    height: `${box.height * 100}%`,
                  }}
                  onClick={() => toggleButton(selector)}
                />
              ),
          )}
        </div>
      )}
      <div role="group" aria-labelledby={titleId} className={styles.list}>
        <p id={titleId} className={layout.strong}>{t`Buttons on the page`}</p>
        {buttons.map(({ selector, text }) => (
          <CheckField key={selector} label={text === '' ? t`Button without a name` : text} hint={selector}>
            {(control) => (
              <input
                {...control}
                type="checkbox"
                checked={chosenSelectors.includes(selector)}
                onChange={() => toggleButton(selector)}
              />
            )}
          </CheckField>
        ))}
      </div>
    </div>
  )
}
