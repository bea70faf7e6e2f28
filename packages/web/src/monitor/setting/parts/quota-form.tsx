import { useLingui } from '@lingui/react/macro'
import { type QuotaSettings, type StoredQuotas, quotaRanges } from '@clearway/contract/monitor/setting/schema.ts'
import { useSession } from '../../user/model.ts'
import { useSaveQuotas } from '../queries.ts'
import { NumberForm } from './number-form.tsx'

type QuotaName = keyof QuotaSettings
export const quotaFields = ['scans', 'runs', 'tries', 'uploads', 'receivers', 'views'] as const satisfies readonly QuotaName[]

export function QuotaForm({ stored: storedQuotas }: { stored: StoredQuotas }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const saveMutation = useSaveQuotas()
  const fieldTexts: Record<QuotaName, readonly [label: string, hint: string]> = {
    scans: [t`Scans per person`, t`Scans that a person has created and not deleted.`],
    runs: [t`Runs per person at once`, t`Started manually and not ended. Scheduled runs do not count.`],
    tries: [t`Previews and dry runs per person at once`, t`Scope previews, dry runs of scripts and keystore checks.`],
    uploads: [t`Uploads of results per person and day`, t`Counted by calendar day.`],
    receivers: [t`Email recipients per scan`, t`Email addresses that a scan notifies, besides the members of its teams.`],
    views: [t`Saved views per person`, t`Views of lists that a person has saved, shared ones included.`],
  }
  return (
    <NumberForm
      fields={quotaFields}
      ranges={quotaRanges}
      fieldTexts={fieldTexts}
      storedValues={storedQuotas}
      save={saveMutation.mutateAsync}
      fetchLatestVersion={async () => (await apiClient.readQuotas({})).version}
      savedText={t`Quotas saved.`}
      header={<p>{t`Quotas make sure that there is enough for everyone. Lowering a quota removes nothing that exists.`}</p>}
    />
  )
}
