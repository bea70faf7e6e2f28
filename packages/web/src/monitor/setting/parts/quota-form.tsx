import { useLingui } from '@lingui/react/macro'
import type { QuotaSettings, StoredQuotas } from '@clearway/contract/monitor/setting/schema.ts'
import { quotaRanges } from '@clearway/contract/monitor/setting/schema.ts'
import { useSession } from '../../user/model.ts'
import { useSaveQuotas } from '../queries.ts'
import { NumberForm } from './number-form.tsx'

type Name = keyof QuotaSettings
/** What one enters, as the request names it. */
export const quotaFields = [
  'scans',
  'runs',
  'tries',
  'uploads',
  'receivers',
  'views',
] as const satisfies readonly Name[]

/** How much one person may have and do. */
export function QuotaForm({ stored }: { stored: StoredQuotas }) {
  const { t } = useLingui()
  const { api } = useSession()
  const store = useSaveQuotas()
  const words: Record<Name, readonly [label: string, hint: string]> = {
    scans: [t`Scans per person`, t`Scans that a person has created and not deleted.`],
    runs: [
      t`Runs per person at once`,
      t`Runs that a person has started manually and that have not ended. Scheduled runs do not count.`,
    ],
    tries: [
      t`Previews and dry runs per person at once`,
      t`Scope previews, dry runs of scripts and keystore checks.`,
    ],
    uploads: [t`Uploads of results per person and day`, t`Counted by calendar day.`],
    receivers: [
      t`Email recipients per scan`,
      t`Email addresses that a scan notifies, besides the members of its teams.`,
    ],
    views: [t`Saved views per person`, t`Views of lists that a person has saved, shared ones included.`],
  }
  return (
    <NumberForm
      fields={quotaFields}
      ranges={quotaRanges}
      words={words}
      stored={stored}
      save={store.mutateAsync}
      latest={async () => (await api.readQuotas({})).version}
      saved={t`Quotas saved.`}
      head={
        <p>{t`Quotas make sure that there is enough for everybody. Lowering a quota removes nothing that exists.`}</p>
      }
    />
  )
}
