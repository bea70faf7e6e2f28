import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { MessageDescriptor } from '@lingui/core'
import { useFormContext } from 'react-hook-form'
import { CheckField, Field } from '../../../kit/field.tsx'
import layout from '../../../kit/layout.module.css'
import type { ScanForm } from './form-model.ts'
import { advancedFlags, advancedNumbers } from './form-model.ts'
import styles from './scan-form.module.css'

type Words = { label: MessageDescriptor; hint?: MessageDescriptor }
const flags: Record<(typeof advancedFlags)[number], Words> = {
  respectRobots: {
    label: msg`Obey robots.txt`,
    hint: msg`Leaves out what the site asks crawlers to leave out.`,
  },
  restrictToFolder: { label: msg`Stay in the folders of the start addresses` },
  includeErrorPages: {
    label: msg`Test error pages too`,
    hint: msg`Pages that answer with a 4xx or 5xx status.`,
  },
  discardAnchors: {
    label: msg`Ignore what follows # in an address`,
    hint: msg`Switch it off where # chooses the page.`,
  },
  ignoreAllParameters: { label: msg`Ignore what follows ? in an address` },
  savePictures: { label: msg`Keep pictures of the elements with issues` },
  savePageContent: { label: msg`Keep the source of the pages` },
}
const numbers: Record<(typeof advancedNumbers)[number], Words> = {
  pagesAtOnce: {
    label: msg`Pages at once`,
    hint: msg`How many pages of one host are loaded at the same time, 1 to 16.`,
  },
  preScanWaitMs: {
    label: msg`Wait before testing a page (ms)`,
    hint: msg`For pages that build themselves slowly.`,
  },
  windowWidth: { label: msg`Window width (px)` },
  windowHeight: { label: msg`Window height (px)` },
}

/** What most scans never change. Open when something in it is wrong. */
export function AdvancedFields() {
  const { t } = useLingui()
  const { register, formState } = useFormContext<ScanForm>()
  const { errors } = formState
  const wrong = [...advancedNumbers, 'domains', 'userAgent', 'meaninglessParameters'] as const
  const open = wrong.some((name) => errors[name] !== undefined)
  return (
    <details className={`${layout.card} ${layout.pad} ${styles.advanced}`} {...(open ? { open } : {})}>
      <summary>{t`Advanced settings`}</summary>
      <div className={styles.group}>
        <Field
          label={t`Domains`}
          optional={t`optional`}
          hint={t`Hosts that belong to the scan, one a line, like example.org or *.example.org. Empty: those of the start addresses.`}
          error={errors.domains?.message}
        >
          {(control) => <textarea {...control} {...register('domains')} rows={2} spellCheck={false} />}
        </Field>
        <div>
          {advancedFlags.map((name) => (
            <CheckField
              key={name}
              label={t(flags[name].label)}
              {...(flags[name].hint ? { hint: t(flags[name].hint) } : {})}
            >
              {(control) => <input {...control} type="checkbox" {...register(name)} />}
            </CheckField>
          ))}
        </div>
        <Field
          label={t`Parameters without meaning`}
          optional={t`optional`}
          hint={t`Names of parameters that do not change the page, one a line: for example utm_source.`}
          error={errors.meaninglessParameters?.message}
        >
          {(control) => (
            <textarea {...control} {...register('meaninglessParameters')} rows={2} spellCheck={false} />
          )}
        </Field>
        <div className={styles.pair}>
          {advancedNumbers.map((name) => (
            <Field
              key={name}
              label={t(numbers[name].label)}
              hint={numbers[name].hint && t(numbers[name].hint)}
              error={errors[name]?.message}
            >
              {(control) => <input {...control} inputMode="numeric" {...register(name)} />}
            </Field>
          ))}
        </div>
        <Field
          label={t`User agent`}
          optional={t`optional`}
          hint={t`What the browser calls itself. Empty: its own name.`}
          error={errors.userAgent?.message}
        >
          {(control) => <input {...control} {...register('userAgent')} spellCheck={false} />}
        </Field>
      </div>
    </details>
  )
}
