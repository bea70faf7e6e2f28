import { useLingui } from '@lingui/react/macro'
import type { RetentionSettings, StoredRetention } from '@clearway/contract/monitor/setting/schema.ts'
import { longestKeepDays, mostKeptRuns } from '@clearway/contract/monitor/setting/schema.ts'
import { useSession } from '../../user/model.ts'
import { useSaveRetention } from '../queries.ts'
import { NumberForm } from './number-form.tsx'

type Name = keyof RetentionSettings
/** What one enters, as the request names it. */
export const retentionFields = [
  'contentDays',
  'archiveDays',
  'deleteDays',
  'keepRuns',
] as const satisfies readonly Name[]
const ranges: Record<Name, readonly [least: number, most: number]> = {
  contentDays: [0, longestKeepDays],
  archiveDays: [0, longestKeepDays],
  deleteDays: [0, longestKeepDays],
  keepRuns: [1, mostKeptRuns],
}

/** How many days contents, pages with their issues, and runs stay. */
export function RetentionForm({ stored }: { stored: StoredRetention }) {
  const { t } = useLingui()
  const { api } = useSession()
  const store = useSaveRetention()
  const words: Record<Name, readonly [label: string, hint: string]> = {
    contentDays: [
      t`Delete snapshots after (days)`,
      t`Page sources and pictures of elements. The newest run always keeps them. 0 keeps all of them.`,
    ],
    archiveDays: [
      t`Archive runs after (days)`,
      t`Pages and issues are deleted; the counts, the score and the trend are kept. 0 archives none.`,
    ],
    deleteDays: [t`Delete runs after (days)`, t`The whole run is deleted. 0 deletes none.`],
    keepRuns: [
      t`Always keep latest runs`,
      t`This many runs of each scan are neither archived nor deleted, however old they are.`,
    ],
  }
  return (
    <NumberForm
      fields={retentionFields}
      ranges={ranges}
      words={words}
      stored={stored}
      save={store.mutateAsync}
      latest={async () => (await api.readRetention({})).version}
      saved={t`Retention saved.`}
      head={<p>{t`Old runs are deleted once an hour. They cannot be restored.`}</p>}
    />
  )
}
