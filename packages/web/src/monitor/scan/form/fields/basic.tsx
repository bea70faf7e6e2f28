import { useLingui } from '@lingui/react/macro'
import { scanTypeLimits } from '@clearway/contract/monitor/scan/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { useFormContext } from 'react-hook-form'
import { useFormats } from '../../../../kit/text/format.ts'
import { axeSupportedQuery } from '../../../ruleset/queries.ts'
import { useSession } from '../../../user/model.ts'
import type { ScanForm } from '../values.ts'
import { ChoiceField, NumberField, Question, SelectField, TickField, useFieldError, useQuestionTexts } from './controls.tsx'
import styles from './fields.module.css'

export function SizeFields() {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  const { watch } = useFormContext<ScanForm>()
  const { quick, standard, large } = scanTypeLimits
  const quickPages = formatNumber(quick.pageLimit)
  const standardPages = formatNumber(standard.pageLimit)
  const largePages = formatNumber(large.pageLimit)
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
  const { formatNumber } = useFormats()
  const { config: appConfig } = useSession()
  const maxPages = formatNumber(appConfig.limits.pageLimit)
  const maxDepth = formatNumber(appConfig.limits.depth)
  return (
    <div className={styles.pair}>
      <NumberField name="pageLimit" hint={t`1 to ${maxPages}`} />
      <NumberField name="depth" hint={t`Levels of links below the start URLs, 1 to ${maxDepth}. Leave empty for no limit.`} />
    </div>
  )
}

export function RuleFields() {
  const { api: apiClient } = useSession()
  const { watch } = useFormContext<ScanForm>()
  const { data: axeSupport } = useQuery(axeSupportedQuery(apiClient))
  // Before the list is loaded, the current choice is the only option, so that it is not lost.
  const [axeVersion, selectedStandard] = watch(['ruleSet.axeVersion', 'ruleSet.standard'])
  const versionOptions = axeSupport?.versions ?? [{ version: axeVersion, release: axeVersion }]
  const standardOptions = axeSupport?.standards ?? [{ id: selectedStandard, name: selectedStandard }]
  return (
    <>
      <div className={styles.pair}>
        <SelectField name="ruleSet.standard" options={standardOptions.map(({ id, name }) => ({ value: id, label: name }))} />
        <SelectField
          name="ruleSet.axeVersion"
          options={versionOptions.map((one) => ({ value: one.version, label: one.release }))}
        />
      </div>
      <div>
        <TickField name="ruleSet.bestPractices" />
        <TickField name="ruleSet.experimental" />
        <TickField name="ruleSet.pdfUa" />
      </div>
    </>
  )
}

export function PageTypeFields() {
  const { t } = useLingui()
  const errorText = useFieldError('advanced.mimeTypes')
  return (
    <Question {...useQuestionTexts('advanced.mimeTypes')} error={errorText}>
      <TickField name="advanced.mimeTypes" value="text/html" label={t`Test web pages`} />
      <TickField
        name="advanced.mimeTypes"
        value="application/pdf"
        label={t`Test PDFs`}
        hint={t`Each PDF that a page links to becomes a page of the run.`}
      />
    </Question>
  )
}
