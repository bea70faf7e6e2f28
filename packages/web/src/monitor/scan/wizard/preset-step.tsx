import { useLingui } from '@lingui/react/macro'
import type { PresetPartName } from '@clearway/contract/monitor/preset/model.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { get, useFormContext } from 'react-hook-form'
import { toNamedOptions, Select } from '../../../kit/form/select.tsx'
import { Field } from '../../../kit/form/field.tsx'
import layout from '../../../kit/page/layout.module.css'
import { ErrorCard } from '../../../kit/page/states.tsx'
import { useSession } from '../../user/model.ts'
import { findChangedFields } from '../form/steps.ts'
import type { ScanForm } from '../form/values.ts'
import { getPresetEffects, useChosenPreset, applyPreset } from '../form/preset-lock.tsx'
import { presetNamesQuery, presetSettingsQuery } from '../queries.ts'

export function PresetStep() {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const queryClient = useQueryClient()
  const { watch, getValues, setValue, formState } = useFormContext<ScanForm>()
  const [loadFailure, setLoadFailure] = useState<unknown>(null)
  const presetNames = useQuery(presetNamesQuery(apiClient))
  const chosenPresetId = watch('presetId') ?? ''
  const choosePreset = async (id: string) => {
    setLoadFailure(null)
    setValue('presetId', id || null, { shouldDirty: true, shouldValidate: formState.isSubmitted })
    if (id === '') return
    try {
      const currentValues = getValues()
      const { settings: presetSettings } = await queryClient.fetchQuery(presetSettingsQuery(apiClient, id))
      const patchedValues = applyPreset(currentValues, presetSettings)
      for (const changedField of findChangedFields(currentValues, patchedValues))
        setValue(changedField, get(patchedValues, changedField), { shouldDirty: true })
    } catch (error) {
      setLoadFailure(error)
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
            value={chosenPresetId}
            options={toNamedOptions(t`None`, presetNames.data)}
            onChange={(id) => void choosePreset(id)}
          />
        )}
      </Field>
      {presetNames.isError && (
        <ErrorCard
          title={t`The presets could not be loaded.`}
          error={presetNames.error}
          onRetry={() => void presetNames.refetch()}
        />
      )}
      {loadFailure !== null && <ErrorCard title={t`The preset could not be loaded.`} error={loadFailure} />}
      <PresetEffectList />
    </>
  )
}

function PresetEffectList() {
  const { t } = useLingui()
  const chosenPreset = useChosenPreset()
  if (!chosenPreset) return null
  const partLabels: Record<PresetPartName, string> = {
    sendToReports: t`Send results to the reports product`,
    ruleSet: t`Which rules`,
    urlScope: t`Scope`,
    scanScope: t`Scan size`,
    commonComponents: t`Common components`,
    advanced: t`Advanced settings`,
  }
  const effectList = getPresetEffects(chosenPreset)
  return (
    <section className={layout.tight} aria-labelledby="preset-effects">
      <h2 id="preset-effects">{t`What this preset decides`}</h2>
      {effectList.length === 0 ? (
        <p>{t`Nothing: you can change every setting.`}</p>
      ) : (
        <ul className={layout.tight}>
          {effectList.map(({ name, locked }) => (
            <li key={name}>
              <span className={layout.strong}>{partLabels[name]}</span>
              {' – '}
              {locked ? t`cannot be changed here` : t`set by the preset, can be changed`}
            </li>
          ))}
        </ul>
      )}
      {chosenPreset.shareLink === false && !chosenPreset.allowOverride.shareLink && (
        <p>{t`Scans with this preset cannot be shared by a public link.`}</p>
      )}
    </section>
  )
}
