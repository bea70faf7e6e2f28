import { useLingui } from '@lingui/react/macro'
import { buildPresetPatch, isPartLocked, type PresetPartName, presetParts } from '@clearway/contract/monitor/preset/model.ts'
import type { PresetSettings } from '@clearway/contract/monitor/preset/schema.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useFormContext } from 'react-hook-form'
import { Notice } from '../../../kit/page/states.tsx'
import { useSession } from '../../user/model.ts'
import { presetSettingsQuery } from '../queries.ts'
import { pickKeys } from '../../../kit/client/pick-keys.ts'
import { type StoredScanSettings, toFormValues, toSentSettings } from './model.ts'
import type { ScanForm } from './values.ts'
import styles from './fields/fields.module.css'

/** Applies a preset to a form. Settings that the preset does not define stay unchanged. */
export function applyPreset(formValues: ScanForm, preset: PresetSettings): ScanForm {
  const presetPatch = buildPresetPatch(preset, 'assign')
  const patchedValues = toFormValues({ ...(toSentSettings(formValues, null) as StoredScanSettings), ...presetPatch })
  const patchedKeys = Object.keys(presetPatch) as Exclude<keyof typeof presetPatch, 'access'>[]
  return { ...formValues, ...pickKeys(patchedValues, patchedKeys) }
}

/** Returns the parts that a preset defines, and whether each is locked. */
export function getPresetEffects(preset: PresetSettings): { name: PresetPartName; locked: boolean }[] {
  return presetParts
    .filter((part) => part.getPatch(preset) !== null)
    .map((part) => ({ name: part.name, locked: isPartLocked(preset, part) }))
}

/** The selected preset; null until it is loaded. */
export function useChosenPreset(): PresetSettings | null {
  const { api: apiClient } = useSession()
  const { watch } = useFormContext<ScanForm>()
  const chosenPresetId = watch('presetId') ?? ''
  const { data: presetResult } = useQuery({ ...presetSettingsQuery(apiClient, chosenPresetId), enabled: chosenPresetId !== '' })
  return chosenPresetId !== '' && presetResult ? presetResult.settings : null
}

type PresetLockProps = {
  part: PresetPartName
  /** True if another lock of the same part above already explains it. */
  isAlreadyExplained?: boolean
  children: ReactNode
}

/** Wraps fields that a preset can lock. Locked fields are disabled and explained. */
export function PresetLock({ part, isAlreadyExplained = false, children }: PresetLockProps) {
  const { t } = useLingui()
  const chosenPreset = useChosenPreset()
  const isPartLocked =
    chosenPreset !== null &&
    getPresetEffects(chosenPreset).some(({ name, locked: isEffectLocked }) => name === part && isEffectLocked)
  const presetName = chosenPreset?.name ?? ''
  const explanationId = `locked-${part}`
  return (
    <fieldset className={styles.group} disabled={isPartLocked} aria-describedby={isPartLocked ? explanationId : undefined}>
      {isPartLocked && !isAlreadyExplained && (
        <div id={explanationId}>
          <Notice kind="info" title={t`The preset “${presetName}” decides this`}>
            <p>{t`An administrator can change the preset, or allow scans to decide it themselves.`}</p>
          </Notice>
        </div>
      )}
      {children}
    </fieldset>
  )
}
