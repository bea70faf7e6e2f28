import { useLingui } from '@lingui/react/macro'
import { scanTypes } from '@clearway/contract/monitor/scan/schema.ts'
import type { ScanType } from '@clearway/contract/monitor/scan/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { useFormContext } from 'react-hook-form'
import { CheckField, Field } from '../../../kit/field.tsx'
import field from '../../../kit/field.module.css'
import { useFormats } from '../../../kit/format.ts'
import layout from '../../../kit/layout.module.css'
import { axeSupportedQuery } from '../../ruleset/queries.ts'
import { useSession } from '../../user/model.ts'
import type { ScanForm } from './form-model.ts'
import styles from './scan-form.module.css'

/** Name, start addresses, and how far the scan goes. */
export function BasicFields() {
  const { t } = useLingui()
  const { register, formState, watch } = useFormContext<ScanForm>()
  const { errors } = formState
  return (
    <section className={`${layout.card} ${layout.pad} ${styles.group}`} aria-labelledby="form-what">
      <h2 id="form-what">{t`What to scan`}</h2>
      <Field label={t`Name`} error={errors.name?.message}>
        {(control) => <input {...control} {...register('name')} required autoComplete="off" />}
      </Field>
      <Field
        label={t`Start addresses`}
        hint={t`One a line. The scan begins here and follows links.`}
        error={errors.urls?.message}
      >
        {(control) => (
          <textarea
            {...control}
            {...register('urls')}
            rows={3}
            required
            spellCheck={false}
            placeholder="https://www.example.org/"
          />
        )}
      </Field>
      <TypeChoice />
      {watch('type') === 'custom' && <CustomSize />}
    </section>
  )
}

function TypeChoice() {
  const { t } = useLingui()
  const { number } = useFormats()
  const { register } = useFormContext<ScanForm>()
  const { quick, standard, large } = scanTypes
  const quickPages = number(quick.pageLimit)
  const standardPages = number(standard.pageLimit)
  const largePages = number(large.pageLimit)
  const types: Record<ScanType, readonly [string, string]> = {
    quick: [t`Quick`, t`The start addresses and what they link to, up to ${quickPages} pages.`],
    standard: [
      t`Standard (recommended)`,
      t`The start addresses and everything below them, up to ${standardPages} pages.`,
    ],
    large: [t`Large`, t`${large.depth} levels of links, up to ${largePages} pages.`],
    custom: [t`Custom`, t`Your own depth and page limit.`],
  }
  return (
    <fieldset className={styles.types}>
      <legend className={field.legend}>{t`How far`}</legend>
      {(Object.keys(types) as ScanType[]).map((type) => (
        <CheckField key={type} label={types[type][0]} hint={types[type][1]}>
          {(control) => <input {...control} type="radio" value={type} {...register('type')} />}
        </CheckField>
      ))}
    </fieldset>
  )
}

function CustomSize() {
  const { t } = useLingui()
  const { number } = useFormats()
  const { config } = useSession()
  const { register, formState } = useFormContext<ScanForm>()
  const { errors } = formState
  const maxPages = number(config.limits.pageLimit)
  const maxDepth = number(config.limits.depth)
  return (
    <div className={styles.pair}>
      <Field label={t`Page limit`} hint={t`1 to ${maxPages}`} error={errors.pageLimit?.message}>
        {(control) => <input {...control} inputMode="numeric" {...register('pageLimit')} />}
      </Field>
      <Field
        label={t`Depth`}
        hint={t`Levels of links below the start addresses, at most ${maxDepth}. Empty: no end.`}
        error={errors.depth?.message}
      >
        {(control) => <input {...control} inputMode="numeric" {...register('depth')} />}
      </Field>
    </div>
  )
}

/** Which rules are applied. */
export function RuleFields() {
  const { t } = useLingui()
  const { api } = useSession()
  const { register, watch, formState } = useFormContext<ScanForm>()
  const { errors } = formState
  const { data } = useQuery(axeSupportedQuery(api))
  // Before the list has come the current choice is the only one, so that nothing is lost.
  const [version, standard] = watch(['axeVersion', 'standard'])
  const versions = data?.versions ?? [{ version, release: version }]
  const standards = data?.standards ?? [{ id: standard, name: standard }]
  return (
    <section className={`${layout.card} ${layout.pad} ${styles.group}`} aria-labelledby="form-rules">
      <h2 id="form-rules">{t`Which rules`}</h2>
      <div className={styles.pair}>
        <Field label={t`Standard`}>
          {(control) => (
            <select {...control} {...register('standard')}>
              {standards.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={t`axe-core version`}>
          {(control) => (
            <select {...control} {...register('axeVersion')}>
              {versions.map((one) => (
                <option key={one.version} value={one.version}>
                  {one.release}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <div>
        <CheckField label={t`Best practices`} hint={t`Rules that no standard demands but that help people.`}>
          {(control) => <input {...control} type="checkbox" {...register('bestPractices')} />}
        </CheckField>
        <CheckField label={t`Experimental rules`} hint={t`New rules that may still be wrong at times.`}>
          {(control) => <input {...control} type="checkbox" {...register('experimental')} />}
        </CheckField>
      </div>
      <div>
        <CheckField label={t`Test web pages`}>
          {(control) => (
            <input
              {...control}
              type="checkbox"
              aria-invalid={errors.testPages !== undefined}
              {...register('testPages')}
            />
          )}
        </CheckField>
        <CheckField label={t`Test PDFs`} hint={t`Each PDF that a page links to becomes a page of the run.`}>
          {(control) => <input {...control} type="checkbox" {...register('testPdfs')} />}
        </CheckField>
        <CheckField
          label={t`Hold PDFs to all of PDF/UA`}
          hint={t`Also what PDF/UA-1 alone asks for, down to the fonts.`}
        >
          {(control) => <input {...control} type="checkbox" {...register('pdfUa')} />}
        </CheckField>
        {errors.testPages?.message && <p className={layout.bad}>{errors.testPages.message}</p>}
      </div>
    </section>
  )
}
