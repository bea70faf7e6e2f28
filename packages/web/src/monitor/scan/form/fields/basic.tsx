import { useLingui } from '@lingui/react/macro'
import { scanTypes } from '@clearway/contract/monitor/scan/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { useFormContext } from 'react-hook-form'
import { useFormats } from '../../../../kit/text/format.ts'
import { axeSupportedQuery } from '../../../ruleset/queries.ts'
import { useSession } from '../../../user/model.ts'
import type { ScanForm } from '../values.ts'
import { ChoiceField, Question, SelectField, TextField, TickField, useQuestion } from './controls.tsx'
import styles from './fields.module.css'

/** How far the scan goes. */
export function SizeFields() {
  const { t } = useLingui()
  const { formatNumber: number } = useFormats()
  const { watch } = useFormContext<ScanForm>()
  const { quick, standard, large } = scanTypes
  const quickPages = number(quick.pageLimit)
  const standardPages = number(standard.pageLimit)
  const largePages = number(large.pageLimit)
  return (
    <>
      <ChoiceField
        name="type"

        options={[
          {
            value: 'quick',
            label: t`Quick`,
            hint: t`The start URLs and what they link to, up to ${quickPages} pages.`,
          },
          {
            value: 'standard',
            label: t`Standard (recommended)`,
            hint: t`The start URLs and everything below them, up to ${standardPages} pages.`,
          },
          {
            value: 'large',
            label: t`Large`,
            hint: t`${large.depth} levels of links, up to ${largePages} pages.`,
          },
          { value: 'custom', label: t`Custom`, hint: t`Your own depth and page limit.` },
        ]}
      />
      {watch('type') === 'custom' && <CustomSize />}
    </>
  )
}

function CustomSize() {
  const { t } = useLingui()
  const { formatNumber: number } = useFormats()
  const { config } = useSession()
  const maxPages = number(config.limits.pageLimit)
  const maxDepth = number(config.limits.depth)
  return (
    <div className={styles.pair}>
      <TextField name="pageLimit" hint={t`1 to ${maxPages}`} type="number" />
      <TextField
        name="depth"

        hint={t`Levels of links below the start URLs, at most ${maxDepth}. Empty: no end.`}
        type="number"
      />
    </div>
  )
}

/** Which rules are applied. */
export function RuleFields() {
  const { api } = useSession()
  const { watch } = useFormContext<ScanForm>()
  const { data } = useQuery(axeSupportedQuery(api))
  // Before the list has come the current choice is the only one, so that nothing is lost.
  const [version, standard] = watch(['axeVersion', 'standard'])
  const versions = data?.versions ?? [{ version, release: version }]
  const standards = data?.standards ?? [{ id: standard, name: standard }]
  return (
    <>
      <div className={styles.pair}>
        <SelectField
          name="standard"

          options={standards.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <SelectField
          name="axeVersion"

          options={versions.map((one) => ({ value: one.version, label: one.release }))}
        />
      </div>
      <div>
        <TickField name="bestPractices" />
        <TickField name="experimental" />
        <TickField name="pdfUa" />
      </div>
    </>
  )
}

/** What is tested: web pages, PDFs, or both. */
export function PageTypeFields() {
  const { formState } = useFormContext<ScanForm>()
  const question = useQuestion('testPages')
  return (
    <Question {...question} error={formState.errors.testPages?.message}>
      <TickField name="testPages" />
      <TickField name="testPdfs" />
    </Question>
  )
}
