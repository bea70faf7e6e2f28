import { useLingui } from '@lingui/react/macro'
import {
  type RetentionSettings,
  type StoredRetention,
  maxRetentionDays,
  maxKeptRuns,
} from '@clearway/contract/monitor/setting/schema.ts'
import { useSession } from '../../user/model.ts'
import { useSaveRetention } from '../queries.ts'
import { NumberForm } from './number-form.tsx'

type RetentionName = keyof RetentionSettings
export const retentionFields = [
  'contentDays',
  'archiveDays',
  'deleteDays',
  'keepRuns',
] as const satisfies readonly RetentionName[]
const fieldRanges: Record<RetentionName, readonly [min: number, max: number]> = {
  contentDays: [0, maxRetentionDays],
  archiveDays: [0, maxRetentionDays],
  deleteDays: [0, maxRetentionDays],
  keepRuns: [1, maxKeptRuns],
}

/** Days after which contents, pages with their issues, and runs are deleted. */
export function RetentionForm({ stored: storedRetention }: { stored: StoredRetention }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const saveMutation = useSaveRetention()
  const fieldTexts: Record<RetentionName, readonly [label: string, hint: string]> = {
    contentDays: [t`Delete snapshots after (days)`, t`Page sources and pictures of elements. The newest run always keeps them.`],
    archiveDays: [t`Archive runs after (days)`, t`Pages and issues are deleted; the counts, the score and the trend are kept.`],
    deleteDays: [t`Delete runs after (days)`, t`The whole run is deleted.`],
    keepRuns: [t`Always keep latest runs`, t`Number of recent runs to keep for each scan, regardless of age.`],
  }
  return (
    <NumberForm
      fields={retentionFields}
      ranges={fieldRanges}
      fieldTexts={fieldTexts}
      storedValues={storedRetention}
      save={saveMutation.mutateAsync}
      fetchLatestVersion={async () => (await apiClient.readRetention({})).version}
      savedText={t`Retention saved.`}
      header={
        <p>{t`Once an hour, what is older than set here is deleted for good. Without a number of days, nothing is deleted.`}</p>
      }
    />
  )
}
