import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FormDialog } from '../../../kit/dialog/form-dialog.tsx'
import { Field } from '../../../kit/form/field.tsx'
import { Select } from '../../../kit/form/select.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { PickList } from '../../../kit/form/pick-list.tsx'
import { scanNamesQuery } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import { runListQuery } from '../queries.ts'

type RunSelection = { scanId: ScanId[]; run: number | undefined }
type RunFilterDialogProps = RunSelection & { onApply: (next: RunSelection) => void; onClose: () => void }

export function RunFilterDialog({ scanId, run, onApply, onClose }: RunFilterDialogProps) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const scanNames = useQuery(scanNamesQuery(apiClient))
  const [selection, setSelection] = useState<RunSelection>({ scanId, run })
  const singleScanId = selection.scanId.length === 1 ? selection.scanId[0] : undefined
  return (
    <FormDialog title={t`Select scans and a run`} submitLabel={t`Apply`} onSubmit={() => onApply(selection)} onClose={onClose}>
      <PickList
        legend={t`Scans`}
        items={scanNames.data ?? []}
        selectedIds={selection.scanId}
        onChange={(ids) => setSelection({ scanId: ids, run: undefined })}
      />
      {singleScanId !== undefined && (
        <RunSelect scanId={singleScanId} run={selection.run} onChange={(next) => setSelection({ ...selection, run: next })} />
      )}
    </FormDialog>
  )
}

type RunSelectProps = { scanId: ScanId; run: number | undefined; onChange: (runNumber: number | undefined) => void }

function RunSelect({ scanId, run: runNumber, onChange }: RunSelectProps) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const { formatDateTime } = useFormats()
  const recentRuns = useQuery(runListQuery(apiClient, scanId)).data?.content ?? []
  return (
    <Field label={t`Run`} width="narrow">
      {(control) => (
        <Select<number | ''>
          {...control}
          value={runNumber ?? ''}
          onChange={(number) => onChange(number === '' ? undefined : number)}
          options={[
            ['', t`latest run`],
            ...recentRuns.map(
              ({ number, endedAt, queuedAt }) => [number, `${t`Run ${number}`}, ${formatDateTime(endedAt ?? queuedAt)}`] as const,
            ),
          ]}
        />
      )}
    </Field>
  )
}
