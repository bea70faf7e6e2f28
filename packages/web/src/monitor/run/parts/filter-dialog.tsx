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

type Chosen = { scanId: ScanId[]; run: number | undefined }
type Props = Chosen & { onApply: (next: Chosen) => void; onClose: () => void }

/** Which scans a list looks at, and of a single one which run. */
export function RunFilterDialog({ scanId, run, onApply, onClose }: Props) {
  const { t } = useLingui()
  const { api } = useSession()
  const scans = useQuery(scanNamesQuery(api))
  const [chosen, setChosen] = useState<Chosen>({ scanId, run })
  const only = chosen.scanId.length === 1 ? chosen.scanId[0] : undefined
  return (
    <FormDialog
      title={t`Select scans and a run`}
      submitLabel={t`Apply`}
      onSubmit={() => onApply(chosen)}
      onClose={onClose}
    >
      <PickList
        legend={t`Scans`}
        items={scans.data ?? []}
        selectedIds={chosen.scanId}
        onChange={(ids) => setChosen({ scanId: ids, run: undefined })}
      />
      {only !== undefined && (
        <RunSelect scan={only} run={chosen.run} onChange={(next) => setChosen({ ...chosen, run: next })} />
      )}
    </FormDialog>
  )
}

type RunProps = { scan: ScanId; run: number | undefined; onChange: (run: number | undefined) => void }

function RunSelect({ scan, run, onChange }: RunProps) {
  const { t } = useLingui()
  const { api } = useSession()
  const { formatDateTime: dateTime } = useFormats()
  const runs = useQuery(runListQuery(api, scan)).data?.content ?? []
  return (
    <Field label={t`Run`} width="narrow">
      {(control) => (
        <Select<number | ''>
          {...control}
          value={run ?? ''}
          onChange={(number) => onChange(number === '' ? undefined : number)}
          options={[
            ['', t`latest run`],
            ...runs.map(
              ({ number, endedAt, queuedAt }) =>
                [number, `${t`Run ${number}`}, ${dateTime(endedAt ?? queuedAt)}`] as const,
            ),
          ]}
        />
      )}
    </Field>
  )
}
