import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import { Button } from '../../../kit/control/button.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useShowError } from '../../../kit/dialog/use-show-error.ts'
import { type SettingList, useChangeSettingLine } from '../queries.ts'

type AddLineButtonProps = { scanId: ScanId; setting: SettingList; line: string; label?: string; children: string }

/** Adds a line to a list among the advanced settings of a scan; the message can undo it. Requires the scan admin role. */
export function AddLineButton({ scanId, setting, line, label, children }: AddLineButtonProps) {
  const { t } = useLingui()
  const showToast = useToast()
  const showError = useShowError()
  const changeLine = useChangeSettingLine(setting)
  const [isAdded, setIsAdded] = useState(false)
  const removeLine = () =>
    changeLine.mutate({ scanId, line, isRemoval: true }, { onSuccess: () => setIsAdded(false), onError: showError })
  const saveLine = () =>
    changeLine.mutate(
      { scanId, line },
      {
        onSuccess: () => {
          setIsAdded(true)
          showToast('confirmation', t`Changes saved. They apply from the next run.`, removeLine)
        },
        onError: showError,
      },
    )
  return (
    <Button small {...(label && { label })} pending={changeLine.isPending} disabled={isAdded} onPress={saveLine}>
      {children}
    </Button>
  )
}
