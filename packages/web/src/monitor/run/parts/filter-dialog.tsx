import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { FormDialog } from '../../../kit/dialog/form-dialog.tsx'
import pick from '../../../kit/form/pick-list.module.css'
import { QueryState } from '../../../kit/page/states.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { PickList, SearchedList } from '../../../kit/form/pick-list.tsx'
import { scanNamesQuery } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import { allRunsQuery } from '../queries.ts'

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
        <RunChoice
          key={singleScanId}
          scanId={singleScanId}
          run={selection.run}
          onChange={(next) => setSelection({ ...selection, run: next })}
        />
      )}
    </FormDialog>
  )
}

type RunChoiceProps = { scanId: ScanId; run: number | undefined; onChange: (runNumber: number | undefined) => void }

function RunChoice({ scanId, run: runNumber, onChange }: RunChoiceProps) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const { formatDateTime } = useFormats()
  const choiceName = useId()
  const runList = useQuery(allRunsQuery(apiClient, scanId))
  // First in the list, which renders only the newest runs, and stays there while another one is chosen.
  const [initialRun] = useState(runNumber)
  const runs = (runList.data ?? []).toSorted((a, b) => Number(b.number === initialRun) - Number(a.number === initialRun))
  const items = [
    { id: 0, name: t`latest run` },
    ...runs.map(({ number, endedAt, queuedAt }) => ({
      id: number,
      name: `${t`Run ${number}`}, ${formatDateTime(endedAt ?? queuedAt)}`,
    })),
  ]
  return (
    <>
      <SearchedList
        legend={t`Run`}
        items={items}
        placeholder={t`Find a run by number or date`}
        isExactMatch={({ id }, searchedWords) => searchedWords.includes(`${id}`)}
      >
        {({ id, name }) => (
          <label className={pick.tick}>
            <input
              type="radio"
              name={choiceName}
              checked={(runNumber ?? 0) === id}
              onChange={() => onChange(id === 0 ? undefined : id)}
            />
            {name}
          </label>
        )}
      </SearchedList>
      <QueryState query={runList} loadingLabel={t`Loading`} failureTitle={t`The runs could not be loaded.`} lines={4} />
    </>
  )
}
