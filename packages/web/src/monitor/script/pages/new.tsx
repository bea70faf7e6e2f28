import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { emptyScript } from '../form/model.ts'
import { ScriptForm } from '../form/form.tsx'

export function ScriptNewPage(): ReactNode {
  const { t } = useLingui()
  return <ScriptForm id={null} initialValues={emptyScript} version={0} title={t`New script`} finishLabel={t`Create script`} />
}
