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
import type { PresetSwitch, Tri } from './values.ts'
import type { PresetFormState } from './use-form.ts'

type Props = { state: PresetFormState }

/** Name, and what the preset decides about sharing, reports, rules, URLs and size. */
export function GeneralStep({ state }: Props) {
  const { t } = useLingui()
  const { config } = useSession()
  return (
    <>
      <TextField name="name" required />
      <TriField
        state={state}
        name="shareLink"
        label={t`Public share link`}
        words={{ free: t`Each scan decides`, yes: t`Allowed`, no: t`Not allowed` }}
      />
      {config.axeReportsUrl !== null && (
        <TriField
          state={state}
          name="sendToReports"
          label={t`Send results to reports`}
          words={{ free: t`Each scan decides`, yes: t`Send`, no: t`Do not send` }}
        />
      )}
      <Part state={state} name="ruleSet" allow="ruleSet" title={t`Rules`}>
        <RuleFields />
      </Part>
      <Part state={state} name="urlScope" allow="urlScope" title={t`URLs`}>
        <ScopeFields />
        <ExcludeFields />
      </Part>
      <Part state={state} name="scanScope" allow="scanScope" title={t`Scan size`}>
        <SizeFields />
      </Part>
    </>
  )
}

/** Components of every scan with the preset. */
export function ComponentsStep() {
  const { t } = useLingui()
  return (
    <>
      <p>{t`If this is empty, each scan has its own.`}</p>
      <ComponentFields />
    </>
  )
}

/** How pages are loaded and distinguished. */
export function AdvancedStep({ state }: Props) {
  const { t } = useLingui()
  return (
    <Part state={state} name="advanced" title={t`Advanced settings`}>
      <PageTypeFields />
      <AdvancedFields section="exclude" />
      <AdvancedFields section="scope" />
      <AdvancedFields section="advanced" />
    </Part>
  )
}

type TriProps = Props & { name: 'shareLink' | 'sendToReports'; label: string; words: Record<Tri, string> }

function TriField({ state: { choices, setChoices, steps }, name, label, words }: TriProps) {
  return (
    <div className={layout.tight}>
      <Field id={name} label={label} error={steps.getFieldError(name)} width="narrow">
        {(control) => (
          <Select
            {...control}
            value={choices[name]}
            options={toLabeledOptions(words)}
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

type PartProps = Props & {
  name: PresetSwitch
  allow?: keyof AllowOverride
  title: string
  children: ReactNode
}

/** A part that the preset decides as a whole, or leaves to each scan. */
function Part({ state: { choices, setChoices }, name, allow, title, children }: PartProps) {
  const { t } = useLingui()
  const { says } = choices
  return (
    <section className={styles.part} aria-label={title}>
      <h2>{title}</h2>
      <CheckField label={t`The preset decides this`} hint={t`Off: each scan decides it.`}>
        {(control) => (
          <input
            {...control}
            type="checkbox"
            checked={says[name]}
            onChange={({ target }) => setChoices({ ...choices, says: { ...says, [name]: target.checked } })}
          />
        )}
      </CheckField>
      {says[name] && allow && <AllowField choices={choices} setChoices={setChoices} name={allow} />}
      {says[name] && children}
    </section>
  )
}

type AllowProps = Pick<PresetFormState, 'choices' | 'setChoices'> & { name: keyof AllowOverride }

function AllowField({ choices, setChoices, name }: AllowProps) {
  const { t } = useLingui()
  return (
    <CheckField label={t`Scan admins may override it`}>
      {(control) => (
        <input
          {...control}
          type="checkbox"
          checked={choices.allow[name]}
          onChange={({ target }) =>
            setChoices({ ...choices, allow: { ...choices.allow, [name]: target.checked } })
          }
        />
      )}
    </CheckField>
  )
}
