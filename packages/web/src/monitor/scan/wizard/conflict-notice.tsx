import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { Notice } from '../../../kit/page/states.tsx'
import type { Merged } from '../form/steps.ts'
import type { ScanForm } from '../form/values.ts'
import { namesOfFields } from '../form/field-table.ts'

/** Somebody else saved meanwhile: what was taken from them, and what conflicts with theirs. */
export function ConflictNotice({ merged }: { merged: Omit<Merged, 'values'> }) {
  const { t } = useLingui()
  const { formatList: list } = useFormats()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [])
  const names = (fields: readonly (keyof ScanForm)[]) => {
    const known = namesOfFields(fields, t)
    return list(known.length > 0 ? known : [t`other settings`])
  }
  return (
    <div ref={box} tabIndex={-1} role="group" aria-label={t`Somebody else saved this scan meanwhile`}>
      <Notice kind="caution" title={t`Somebody else saved this scan meanwhile`}>
        <p>{t`Nothing that you entered is lost. Look through the steps and save again.`}</p>
        {merged.taken.length > 0 && (
          <p className={layout.break}>{t`Taken from the other change: ${names(merged.taken)}`}</p>
        )}
        {merged.kept.length > 0 && (
          <p className={layout.break}>{t`Changed by both, your value is kept: ${names(merged.kept)}`}</p>
        )}
      </Notice>
    </div>
  )
}
