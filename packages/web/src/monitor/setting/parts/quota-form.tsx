import { useLingui } from '@lingui/react/macro'
import { type QuotaSettings, type QuotaUse, type StoredQuotas, quotaRanges } from '@clearway/contract/monitor/setting/schema.ts'
import type { ReactNode } from 'react'
import layout from '../../../kit/page/layout.module.css'
import { useFormats } from '../../../kit/text/format.ts'
import { useSession } from '../../user/model.ts'
import { useSaveQuotas } from '../queries.ts'
import { NumberForm } from './number-form.tsx'

/** Highest usage of a quota. */
function HighestUse({ quotaName, highest, limit }: { quotaName: QuotaName; highest: QuotaUse['scans']; limit: number }) {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  if (highest === null) return <span className={layout.muted}>{t`Not in use now.`}</span>
  const [formattedCount, formattedLimit] = [formatNumber(highest.count), formatNumber(limit)]
  const holderName = highest.name ?? t`Former member`
  if (quotaName === 'receivers') return t`Highest use now: ${formattedCount} of ${formattedLimit}, for the scan ${holderName}.`
  if (quotaName === 'uploads') return t`Highest use today: ${formattedCount} of ${formattedLimit}, by ${holderName}.`
  return t`Highest use now: ${formattedCount} of ${formattedLimit}, by ${holderName}.`
}

type QuotaName = keyof QuotaSettings
export const quotaFields = ['scans', 'runs', 'tries', 'uploads', 'receivers', 'views'] as const satisfies readonly QuotaName[]

type QuotaFormProps = {
  stored: StoredQuotas
  /** Undefined while it loads. */
  use: QuotaUse | undefined
}

export function QuotaForm({ stored: storedQuotas, use: quotaUse }: QuotaFormProps) {
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
  const notes: Partial<Record<QuotaName, ReactNode>> = {}
  for (const name of quotaFields)
    if (quotaUse && name !== 'tries')
      notes[name] = <HighestUse quotaName={name} highest={quotaUse[name]} limit={storedQuotas[name]} />
  return (
    <NumberForm
      fields={quotaFields}
      ranges={quotaRanges}
      fieldTexts={fieldTexts}
      notes={notes}
      storedValues={storedQuotas}
      save={saveMutation.mutateAsync}
      fetchLatestVersion={async () => (await apiClient.readQuotas({})).version}
      savedText={t`Quotas saved.`}
      header={<p>{t`Quotas make sure that there is enough for everyone. Lowering a quota removes nothing that exists.`}</p>}
    />
  )
}
