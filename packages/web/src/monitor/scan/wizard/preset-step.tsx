import { useLingui } from '@lingui/react/macro'
import type { PresetPartName } from '@clearway/contract/monitor/preset/model.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { toNamedOptions, Select } from '../../../kit/form/select.tsx'
import { Field } from '../../../kit/form/field.tsx'
import layout from '../../../kit/page/layout.module.css'
import { ErrorCard } from '../../../kit/page/states.tsx'
import { useSession } from '../../user/model.ts'
import { changedFields } from '../form/steps.ts'
import type { ScanForm } from '../form/values.ts'
import { presetEffects, useChosenPreset, withPreset } from '../form/preset-lock.tsx'
import { presetNamesQuery, presetSettingsQuery } from '../queries.ts'

/** Which preset the scan follows, and what that decides. */
export function PresetStep() {
  const { t } = useLingui()
  const { api } = useSession()
  const client = useQueryClient()
  const { watch, getValues, setValue, formState } = useFormContext<ScanForm>()
  const [failure, setFailure] = useState<unknown>(null)
  const presets = useQuery(presetNamesQuery(api))
  const chosen = watch('presetId')
  const choose = async (id: string) => {
    setFailure(null)
    setValue('presetId', id, { shouldDirty: true, shouldValidate: formState.isSubmitted })
    if (id === '') return
    try {
      const before = getValues()
      const { settings } = await client.fetchQuery(presetSettingsQuery(api, id))
      const after = withPreset(before, settings)
      for (const field of changedFields(before, after)) setValue(field, after[field], { shouldDirty: true })
    } catch (error) {
      setFailure(error)
    }
  }
  return (
    <>
      <Field
        id="presetId"
        label={t`Preset`}
        hint={t`Settings that scans share. Choosing one puts its values into the next steps.`}
        error={formState.errors.presetId?.message}
      >
        {(control) => (
          <Select
            {...control}
            value={chosen}
            options={toNamedOptions(t`None`, presets.data)}
            onChange={(id) => void choose(id)}
          />
        )}
      </Field>
      {presets.isError && (
        <ErrorCard
          title={t`The presets could not be loaded.`}
          error={presets.error}
          onRetry={() => void presets.refetch()}
        />
      )}
      {failure !== null && <ErrorCard title={t`The preset could not be loaded.`} error={failure} />}
      <Effects />
    </>
  )
}

function Effects() {
  const { t } = useLingui()
  const preset = useChosenPreset()
  if (!preset) return null
  const names: Record<PresetPartName, string> = {
    sendToReports: t`Send results to the reports product`,
    ruleSet: t`Which rules`,
    urlScope: t`Scope`,
    scanScope: t`Scan size`,
    commonComponents: t`Common components`,
    advanced: t`Advanced settings`,
  }
  const effects = presetEffects(preset)
  return (
    <section className={layout.tight} aria-labelledby="preset-effects">
      <h2 id="preset-effects">{t`What this preset decides`}</h2>
      {effects.length === 0 ? (
        <p>{t`Nothing: you can change every setting.`}</p>
      ) : (
        <ul className={layout.tight}>
          {effects.map(({ name, locked }) => (
            <li key={name}>
              <span className={layout.strong}>{names[name]}</span>
              {' – '}
              {locked ? t`cannot be changed here` : t`set by the preset, can be changed`}
            </li>
          ))}
        </ul>
      )}
      {preset.shareLink === false && !preset.allowOverride.shareLink && (
        <p>{t`Scans with this preset cannot be shared by a public link.`}</p>
      )}
    </section>
  )
}
