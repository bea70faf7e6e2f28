import { useLingui } from '@lingui/react/macro'
import type { PresetPartName } from '@clearway/contract/monitor/preset/model.ts'
import { isLocked, presetParts, presetPatch } from '@clearway/contract/monitor/preset/model.ts'
import type { PresetSettings } from '@clearway/contract/monitor/preset/schema.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useFormContext } from 'react-hook-form'
import { Notice } from '../../../kit/page/states.tsx'
import { useSession } from '../../user/model.ts'
import { presetSettingsQuery } from '../queries.ts'
import { advancedValues } from './advanced.ts'
import { settingsOf, valuesOf } from './model.ts'
import type { Settings } from './model.ts'
import type { ScanForm } from './values.ts'
import styles from './fields/fields.module.css'

/** The fields of each part that a preset can decide. */
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
  advanced: Object.keys(advancedValues()) as (keyof ScanForm)[],
}

/** A form in which a preset has put what it says; what it says nothing about stays. */
export function withPreset(form: ScanForm, preset: PresetSettings): ScanForm {
  const said = presetParts.filter((part) => part.says(preset) !== null)
  const patched = valuesOf({ ...(settingsOf(form, null) as Settings), ...presetPatch(preset, 'assign') })
  const fields = said.flatMap(({ name }) => partFields[name])
  return { ...form, ...Object.fromEntries(fields.map((field) => [field, patched[field]])) }
}

/** What the chosen preset says about each part, and whether that can be changed here. */
export function presetEffects(preset: PresetSettings): { name: PresetPartName; locked: boolean }[] {
  return presetParts
    .filter((part) => part.says(preset) !== null)
    .map((part) => ({ name: part.name, locked: isLocked(preset, part) }))
}

/** The preset that the form has chosen, once it is known. */
export function useChosenPreset(): PresetSettings | null {
  const { api } = useSession()
  const { watch } = useFormContext<ScanForm>()
  const id = watch('presetId')
  const { data } = useQuery({ ...presetSettingsQuery(api, id), enabled: id !== '' })
  return id !== '' && data ? data.settings : null
}

type LockProps = {
  part: PresetPartName
  /** Another lock of the same part stands above and says it. */
  isSaid?: boolean
  children: ReactNode
}

/** Fields that a preset may decide: then they say so, and cannot be changed. */
export function PresetLock({ part, isSaid = false, children }: LockProps) {
  const { t } = useLingui()
  const preset = useChosenPreset()
  const locked = preset !== null && presetEffects(preset).some(({ name, locked: is }) => name === part && is)
  const name = preset?.name ?? ''
  const said = `locked-${part}`
  return (
    <fieldset className={styles.group} disabled={locked} aria-describedby={locked ? said : undefined}>
      {locked && !isSaid && (
        <div id={said}>
          <Notice kind="info" title={t`The preset “${name}” decides this`}>
            <p>{t`An administrator can change the preset, or allow scans to decide it themselves.`}</p>
          </Notice>
        </div>
      )}
      {children}
    </fieldset>
  )
}
