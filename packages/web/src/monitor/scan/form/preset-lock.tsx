import { useLingui } from '@lingui/react/macro'
import type { PresetPartName } from '@clearway/contract/monitor/preset/model.ts'
import { isPartLocked, presetParts, buildPresetPatch } from '@clearway/contract/monitor/preset/model.ts'
import type { PresetSettings } from '@clearway/contract/monitor/preset/schema.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useFormContext } from 'react-hook-form'
import { Notice } from '../../../kit/page/states.tsx'
import { useSession } from '../../user/model.ts'
import { presetSettingsQuery } from '../queries.ts'
import { toAdvancedValues } from './advanced.ts'
import { toSentSettings, toFormValues } from './model.ts'
import type { StoredScanSettings } from './model.ts'
import type { ScanForm } from './values.ts'
import styles from './fields/fields.module.css'

/** Form fields of each part that a preset can define. */
export const partFields: Record<PresetPartName, readonly (keyof ScanForm)[]> = {
  sendToReports: ['sendToReports'],
  ruleSet: ['axeVersion', 'standard', 'bestPractices', 'experimental', 'pdfUa'],
  urlScope: [
    'domains',
    'excludeRules',
    'includeRules',
    'followLinks',
    'sitemaps',
    'sitemapsOfRobots',
    'listedUrls',
  ],
  scanScope: ['type', 'depth', 'pageLimit'],
  commonComponents: ['templateUrls', 'components'],
  advanced: Object.keys(toAdvancedValues()) as (keyof ScanForm)[],
}

/** Applies a preset to a form. Fields that the preset does not define stay unchanged. */
export function applyPreset(formValues: ScanForm, preset: PresetSettings): ScanForm {
  const definedParts = presetParts.filter((part) => part.getPatch(preset) !== null)
  const patchedValues = toFormValues({
    ...(toSentSettings(formValues, null) as StoredScanSettings),
    ...buildPresetPatch(preset, 'assign'),
  })
  const definedFields = definedParts.flatMap(({ name }) => partFields[name])
  return { ...formValues, ...Object.fromEntries(definedFields.map((field) => [field, patchedValues[field]])) }
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
  const chosenPresetId = watch('presetId')
  const { data: presetResult } = useQuery({
    ...presetSettingsQuery(apiClient, chosenPresetId),
    enabled: chosenPresetId !== '',
  })
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
    <fieldset
      className={styles.group}
      disabled={isPartLocked}
      aria-describedby={isPartLocked ? explanationId : undefined}
    >
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
