import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import { Button } from '../../../kit/control/button.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useShowError } from '../../../kit/dialog/use-show-error.ts'
import { type SettingList, useAddSettingLine } from '../queries.ts'

type AddLineButtonProps = { scanId: ScanId; setting: SettingList; line: string; label?: string; children: string }

/** Adds a line to a list among the advanced settings of a scan. Requires the scan admin role. */
export function AddLineButton({ scanId, setting, line, label, children }: AddLineButtonProps) {
  const { t } = useLingui()
  const showToast = useToast()
  const showError = useShowError()
  const addLine = useAddSettingLine(setting)
  const saveLine = () =>
    addLine.mutate(
      { scanId, line },
      {
        onSuccess: () => showToast('confirmation', t`Changes saved. They apply from the next run.`),
        onError: showError,
      },
    )
  return (
    <Button small {...(label && { label })} pending={addLine.isPending} disabled={addLine.isSuccess} onPress={saveLine}>
      {children}
    </Button>
  )
}
