import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { PageButton, PageButtonsEvent } from '@clearway/contract/monitor/run/preview/schema.ts'
import { useId } from 'react'
import { useFormContext } from 'react-hook-form'
import { Button } from '../../../../kit/control/button.tsx'
import { CheckField } from '../../../../kit/form/field.tsx'
import layout from '../../../../kit/page/layout.module.css'
import { ErrorCard, Notice } from '../../../../kit/page/states.tsx'
import { useTry } from '../../preview/use-try.ts'
import { toSentSettings } from '../model.ts'
import type { ScanForm } from '../values.ts'
import styles from './banner-picker.module.css'

/** Opens the start page, and lets a person choose the buttons that close its banners, on a picture or from a list. */
export function BannerPicker({ scanId }: { scanId: ScanId | null }) {
  const { t } = useLingui()
  const { trigger, getValues } = useFormContext<ScanForm>()
  const { isWorking, result, failure, start: startTry, stop: stopTry } = useTry('listPageButtons')
  const openPage = async () => {
    // The server reports errors of other steps.
    if (!(await trigger('urls', { shouldFocus: true }))) return
    const { access: _, ...settings } = toSentSettings(getValues(), null)
    void startTry({ settings, ...(scanId ? { scanId } : {}) })
  }
  return (
    <div className={layout.tight}>
      <div className={layout.row}>
        <Button icon="play" pending={isWorking} onPress={() => void openPage()}>{t`Choose on the start page`}</Button>
        {isWorking && <Button icon="stop" onPress={stopTry}>{t`Stop`}</Button>}
      </div>
      <p className={`${layout.muted} ${layout.sm}`}>{t`Opens the first start URL without signing in, and shows its buttons.`}</p>
      <div role="status">
        {isWorking && <p className={layout.muted}>{t`Opening the page…`}</p>}
        {result?.page && result.buttons.length === 0 && <p>{t`The page shows no button.`}</p>}
      </div>
      {result?.detail != null && (
        <Notice kind="error" title={t`The start page could not be opened.`}>
          <p lang="en" className={layout.break}>
            {result.detail}
          </p>
        </Notice>
      )}
      {failure !== null && (
        <ErrorCard title={t`The start page could not be opened.`} error={failure} onRetry={() => void openPage()} />
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
