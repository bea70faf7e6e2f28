import { useLingui } from '@lingui/react/macro'
import { useFieldArray, useFormContext } from 'react-hook-form'
import { Button } from '../../../../kit/control/button.tsx'
import field from '../../../../kit/form/field.module.css'
import layout from '../../../../kit/page/layout.module.css'
import type { ScanForm } from '../values.ts'
import { Question, TextField, TickField } from './controls.tsx'
import styles from './fields.module.css'
import { useRowFocus } from './use-row-focus.ts'

/** What most scans never change: how a page is loaded, what is kept, who the browser says it is, pace, PDFs. */
export function AdvancedFields() {
  const { t } = useLingui()
  const { watch } = useFormContext<ScanForm>()
  return (
    <>
      <LoadingFields />
      <Question label={t`What is kept`}>
        <TickField name="savePictures" label={t`Keep pictures of the elements with issues`} />
        <TickField name="savePageContent" label={t`Keep the source of the pages`} />
      </Question>
      <BrowserFields />
      <PaceFields />
      {watch('testPdfs') && <PdfFields />}
    </>
  )
}

function LoadingFields() {
  const { t } = useLingui()
  const { watch } = useFormContext<ScanForm>()
  return (
    <>
      <Question label={t`How a page is loaded`}>
        <TickField
          name="includeErrorPages"
          label={t`Test error pages too`}
          hint={t`Pages that answer with a 4xx or 5xx status.`}
        />
        <TickField
          name="eagerStrategy"
          label={t`Do not wait for images and late scripts`}
          hint={t`Faster, but what comes late is not tested.`}
        />
        <TickField
          name="scrollPages"
          label={t`Scroll each page to its end first`}
          hint={t`So that what loads on sight is there.`}
        />
        <TickField name="closeBanners" label={t`Close cookie banners`} />
      </Question>
      {watch('closeBanners') && (
        <TextField
          name="bannerSelectors"
          label={t`Buttons that close a banner`}
          optional
          hint={t`CSS selectors, one a line, for banners that are not known.`}
          rows={2}
        />
      )}
      <TextField
        name="preScanWaitMs"
        label={t`Wait before testing a page (ms)`}
        hint={t`For pages that build themselves slowly.`}
        type="number"
        width="narrow"
      />
    </>
  )
}

function BrowserFields() {
  const { t } = useLingui()
  return (
    <>
      <div className={styles.pair}>
        <TextField name="windowWidth" label={t`Window width (px)`} type="number" />
        <TextField name="windowHeight" label={t`Window height (px)`} type="number" />
      </div>
      <TickField
        name="headless"
        label={t`Browser without a window`}
        hint={t`Off: with a window, for sites that refuse the other kind.`}
      />
      <TextField
        name="userAgent"
        label={t`User agent`}
        optional
        hint={t`What the browser calls itself. Empty: its own name.`}
      />
      <TextField
        name="referrer"
        label={t`Referrer`}
        optional
        hint={t`The address that pages are told one came from.`}
        placeholder="https://www.example.org/"
      />
      <HeaderRows />
    </>
  )
}

function HeaderRows() {
  const { t } = useLingui()
  const { control } = useFormContext<ScanForm>()
  const { fields, append, remove } = useFieldArray({ control, name: 'headers' })
  const { list, onRemoved } = useRowFocus()
  return (
    <div className={layout.tight} ref={list} tabIndex={-1} role="group" aria-label={t`Extra headers`}>
      <p className={field.legend}>{t`Extra headers`}</p>
      <p className={field.hint}>{t`Sent with every request to the domains of the scan, and nowhere else.`}</p>
      {fields.map(({ id }, i) => (
        <fieldset key={id} className={styles.row}>
          <legend className={layout.hidden}>{t`Header ${i + 1}`}</legend>
          <TextField name={`headers.${i}.name`} label={t`Name of the header`} placeholder="X-Test" />
          <TextField name={`headers.${i}.value`} label={t`Value`} />
          <Button
            kind="quiet"
            square
            icon="close"
            label={t`Remove header ${i + 1}`}
            onPress={() => onRemoved(() => remove(i))}
          />
        </fieldset>
      ))}
      <div>
        <Button small icon="plus" onPress={() => append({ name: '', value: '' })}>{t`Add header`}</Button>
      </div>
    </div>
  )
}

function PaceFields() {
  const { t } = useLingui()
  return (
    <Question label={t`Pace and patience`}>
      <div className={styles.pair}>
        <TextField
          name="pagesAtOnce"
          label={t`Pages at once`}
          hint={t`How many pages of one host are loaded at the same time, 1 to 16.`}
          type="number"
        />
        <TextField
          name="pagesPerMinute"
          label={t`Pages a minute`}
          hint={t`On one host. Empty: as many as go.`}
          type="number"
        />
      </div>
      <div className={styles.pair}>
        <TextField name="pageTimeout" label={t`Longest time for a page (s)`} type="number" />
        <TextField name="scriptTimeout" label={t`Longest time for a script (s)`} type="number" />
      </div>
      <div className={styles.pair}>
        <TextField
          name="runTimeout"
          label={t`Longest time for a run (min)`}
          hint={t`Empty: no end. What was found until then is kept.`}
          type="number"
        />
        <TextField
          name="stopAfterFailures"
          label={t`Failures in a row that end a run`}
          hint={t`When a host does not answer this often. Empty: go on.`}
          type="number"
        />
      </div>
    </Question>
  )
}

function PdfFields() {
  const { t } = useLingui()
  return (
    <Question label={t`PDFs`}>
      <div className={styles.pair}>
        <TextField name="pdfModifiedFrom" label={t`Changed from`} type="date" />
        <TextField name="pdfModifiedTo" label={t`Changed until`} type="date" />
      </div>
      <TextField
        name="pdfTargetCount"
        label={t`PDFs of a run at most`}
        hint={t`Fewer than its pages. Empty: no limit of their own.`}
        type="number"
        width="narrow"
      />
    </Question>
  )
}
