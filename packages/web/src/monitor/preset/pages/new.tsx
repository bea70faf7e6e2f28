import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { PresetForm } from '../form/preset-form.tsx'

export function PresetNewPage(): ReactNode {
  const { t } = useLingui()
  return <PresetForm id={null} storedPreset={null} version={0} title={t`New preset`} finishLabel={t`Create preset`} />
}
