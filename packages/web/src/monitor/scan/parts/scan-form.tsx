import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Plural, useLingui } from '@lingui/react/macro'
import type { StoredScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode, Ref } from 'react'
import { useEffect, useRef, useState } from 'react'
import type { FieldErrors, UseFormReturn } from 'react-hook-form'
import { FormProvider } from 'react-hook-form'
import { Button, buttonClass } from '../../../kit/button.tsx'
import layout from '../../../kit/layout.module.css'
import { LeaveGuard } from '../../../kit/leave-guard.tsx'
import { ErrorCard } from '../../../kit/states.tsx'
import type { ScanForm as Values, toSettings } from './form-model.ts'
import { AdvancedFields } from './advanced-fields.tsx'
import { BasicFields, RuleFields } from './basic-fields.tsx'
import styles from './scan-form.module.css'
import { useScanForm } from './use-scan-form.ts'

type Props = {
  stored: StoredScanSettings | null
  url?: string
  submit: string
  /** What the error of a failed save is called. */
  failed: string
  save: (settings: ReturnType<typeof toSettings>) => Promise<unknown>
  onSaved: () => void
  /** More choices above the buttons. */
  children?: ReactNode
}

/** The settings of a scan: what people decide first, the rest behind a disclosure. */
export function ScanForm({ stored, url = '', submit, failed, save, onSaved, children }: Props) {
  const { t } = useLingui()
  const { form, send } = useScanForm(stored, url)
  const [failure, setFailure] = useState<unknown>(null)
  const summary = useRef<HTMLDivElement>(null)
  const saved = useRef(false)
  const onValid = async (values: Values) => {
    setFailure(null)
    const outcome = await send(values, save)
    if (outcome.kind === 'failed') setFailure(outcome.error)
    if (outcome.kind !== 'sent') return
    saved.current = true
    onSaved()
  }
  const { errors, isSubmitting, isDirty, submitCount } = form.formState
  // After every attempt that found something wrong, here or on the server.
  useEffect(() => {
    if (submitCount > 0) summary.current?.focus()
  }, [submitCount])
  return (
    <FormProvider {...form}>
      <form noValidate className={layout.stack} onSubmit={(event) => void form.handleSubmit(onValid)(event)}>
        {submitCount > 0 && <Summary ref={summary} errors={errors} form={form} />}
        {failure !== null && <ErrorCard title={failed} error={failure} />}
        <BasicFields />
        <RuleFields />
        <AdvancedFields />
        {children}
        <div className={styles.buttons}>
          <Button kind="primary" type="submit" pending={isSubmitting}>
            {submit}
          </Button>
          <Link to="/scans" className={buttonClass()}>{t`Cancel`}</Link>
        </div>
      </form>
      <LeaveGuard blocked={() => isDirty && !saved.current} />
    </FormProvider>
  )
}

/** Labels of the fields that can be wrong. */
const labels: Partial<Record<keyof Values, MessageDescriptor>> = {
  name: msg`Name`,
  urls: msg`Start addresses`,
  pageLimit: msg`Page limit`,
  depth: msg`Depth`,
  domains: msg`Domains`,
  meaninglessParameters: msg`Parameters without meaning`,
  pagesAtOnce: msg`Pages at once`,
  preScanWaitMs: msg`Wait before testing a page (ms)`,
  windowWidth: msg`Window width (px)`,
  windowHeight: msg`Window height (px)`,
  userAgent: msg`User agent`,
}

type SummaryProps = { errors: FieldErrors<Values>; form: UseFormReturn<Values>; ref: Ref<HTMLDivElement> }

function Summary({ errors, form, ref }: SummaryProps) {
  const { t } = useLingui()
  const wrong = Object.entries(errors) as [keyof Values, { message?: string }][]
  if (wrong.length === 0) return null
  return (
    <div ref={ref} tabIndex={-1} className={styles.summary} role="group" aria-labelledby="form-errors">
      <h2 id="form-errors">
        <Plural value={wrong.length} one="# thing to fix" other="# things to fix" />
      </h2>
      <ul>
        {wrong.map(([field, { message }]) => (
          <li key={field}>
            <button type="button" className={styles.jump} onClick={() => form.setFocus(field)}>
              {labels[field] ? `${t(labels[field])}: ${message}` : message}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
