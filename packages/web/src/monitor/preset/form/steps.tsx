import { useLingui } from '@lingui/react/macro'
import type { AllowOverride } from '@clearway/contract/monitor/preset/schema.ts'
import type { ReactNode } from 'react'
import { Select, toLabeledOptions } from '../../../kit/form/select.tsx'
import { CheckField, Field } from '../../../kit/form/field.tsx'
import layout from '../../../kit/page/layout.module.css'
import { AdvancedFields } from '../../scan/form/fields/advanced.tsx'
import { PageTypeFields, RuleFields, SizeFields } from '../../scan/form/fields/basic.tsx'
import { ComponentFields } from '../../scan/form/fields/component.tsx'
import { TextField } from '../../scan/form/fields/controls.tsx'
import { ExcludeFields, ScopeFields } from '../../scan/form/fields/scope.tsx'
import { useSession } from '../../user/model.ts'
import styles from './steps.module.css'
import type { PresetSwitch, TriState } from '../parts/values.ts'
import type { PresetFormState } from './use-form.ts'

type PresetStepProps = { state: PresetFormState }

export function GeneralStep({ state }: PresetStepProps) {
  const { t } = useLingui()
  const { config: appConfig } = useSession()
  return (
    <>
      <p className={layout.muted}>{t`A preset sets only what you choose here. Each scan sets the rest.`}</p>
      <TextField name="name" isRequired />
      <TriField
        state={state}
        name="shareLink"
        label={t`Public share link`}
        labels={{ free: t`Each scan decides`, yes: t`Allowed`, no: t`Not allowed` }}
      />
      {appConfig.axeReportsUrl !== null && (
        <TriField
          state={state}
          name="sendToReports"
          label={t`Send results to reports`}
          labels={{ free: t`Each scan decides`, yes: t`Send`, no: t`Do not send` }}
        />
      )}
      <PresetPart state={state} name="ruleSet" overrideKey="ruleSet" title={t`Rules`}>
        <RuleFields />
      </PresetPart>
      <PresetPart state={state} name="urlScope" overrideKey="urlScope" title={t`URLs`}>
        <ScopeFields />
        <ExcludeFields />
      </PresetPart>
      <PresetPart state={state} name="scanScope" overrideKey="scanScope" title={t`Scan size`}>
        <SizeFields />
      </PresetPart>
    </>
  )
}

export function ComponentsStep() {
  const { t } = useLingui()
  return (
    <>
      <p>{t`If this is empty, each scan has its own.`}</p>
      <ComponentFields />
    </>
  )
}

export function AdvancedStep({ state }: PresetStepProps) {
  const { t } = useLingui()
  return (
    <PresetPart state={state} name="advanced" title={t`Advanced settings`}>
      <PageTypeFields />
      <AdvancedFields section="basic" />
      <AdvancedFields section="exclude" />
      <AdvancedFields section="scope" />
      <AdvancedFields section="advanced" />
    </PresetPart>
  )
}

type TriFieldProps = PresetStepProps & { name: 'shareLink' | 'sendToReports'; label: string; labels: Record<TriState, string> }

function TriField({ state: { choices, setChoices, steps }, name, label, labels }: TriFieldProps) {
  return (
    <div className={layout.tight}>
      <Field id={name} label={label} error={steps.getFieldError(name)} width="narrow">
        {(control) => (
          <Select
            {...control}
            value={choices[name]}
            options={toLabeledOptions(labels)}
            onChange={(tri) => {
              setChoices({ ...choices, [name]: tri })
              steps.clearFaults([name])
            }}
          />
        )}
      </Field>
      {choices[name] !== 'free' && <AllowField choices={choices} setChoices={setChoices} name={name} />}
    </div>
  )
}

type PresetPartProps = PresetStepProps & {
  name: PresetSwitch
  overrideKey?: keyof AllowOverride
  title: string
  children: ReactNode
}

/** Part that the preset defines as a whole or leaves to each scan. */
function PresetPart({ state: { choices, setChoices }, name, overrideKey, title, children }: PresetPartProps) {
  const { t } = useLingui()
  const { decidedParts } = choices
  const labels: Record<PresetSwitch, string> = {
    ruleSet: t`Set the rules in this preset`,
    urlScope: t`Set the URLs in this preset`,
    scanScope: t`Set the scan size in this preset`,
    advanced: t`Set the advanced settings in this preset`,
  }
  const hints: Record<PresetSwitch, string> = {
    ruleSet: t`The standards and rules to test.`,
    urlScope: t`The URLs to test, and those to leave out.`,
    scanScope: t`How many pages a run tests, and how far it follows links.`,
    advanced: t`Page types, speed, the browser and more.`,
  }
  return (
    <section className={styles.part} aria-label={title}>
      <CheckField label={labels[name]} hint={hints[name]}>
        {(control) => (
          <input
            {...control}
            type="checkbox"
            checked={decidedParts[name]}
            onChange={({ target }) => setChoices({ ...choices, decidedParts: { ...decidedParts, [name]: target.checked } })}
          />
        )}
      </CheckField>
      {decidedParts[name] && (
        <div className={styles.decided}>
          {overrideKey && <AllowField choices={choices} setChoices={setChoices} name={overrideKey} />}
          {children}
        </div>
      )}
    </section>
  )
}

type AllowFieldProps = Pick<PresetFormState, 'choices' | 'setChoices'> & { name: keyof AllowOverride }

function AllowField({ choices, setChoices, name }: AllowFieldProps) {
  const { t } = useLingui()
  return (
    <CheckField label={t`Scan admins may override it`}>
      {(control) => (
        <input
          {...control}
          type="checkbox"
          checked={choices.allowOverride[name]}
          onChange={({ target }) =>
            setChoices({ ...choices, allowOverride: { ...choices.allowOverride, [name]: target.checked } })
          }
        />
      )}
    </CheckField>
  )
}
