import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { Notice } from '../../../kit/page/states.tsx'
import type { MergeResult } from '../form/steps.ts'
import { type FormField, getFieldNames } from '../form/field-table.ts'

export function ConflictNotice({ merged: mergeResult }: { merged: Omit<MergeResult, 'values'> }) {
  const { t } = useLingui()
  const { formatList } = useFormats()
  const noticeRef = useRef<HTMLDivElement>(null)
  useEffect(() => noticeRef.current?.focus(), [])
  const formatNames = (fields: readonly FormField[]) => {
    const fieldNames = getFieldNames(fields, t)
    return formatList(fieldNames.length > 0 ? fieldNames : [t`other settings`])
  }
  return (
    <div ref={noticeRef} tabIndex={-1} role="group" aria-label={t`Someone else saved this scan in the meantime`}>
      <Notice kind="caution" title={t`Someone else saved this scan in the meantime`}>
        <p>{t`Nothing that you entered is lost. Look through the steps and save again.`}</p>
        {mergeResult.takenFields.length > 0 && (
          <p className={layout.break}>{t`Taken from the other change: ${formatNames(mergeResult.takenFields)}`}</p>
        )}
        {mergeResult.keptFields.length > 0 && (
          <p className={layout.break}>{t`Changed by both, your value is kept: ${formatNames(mergeResult.keptFields)}`}</p>
        )}
      </Notice>
    </div>
  )
}
