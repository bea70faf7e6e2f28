import { useLingui } from '@lingui/react/macro'
import { monitorApi } from '@clearway/contract/monitor/api.ts'
import { addressOf } from '../../../kit/client/client.ts'
import type { Download } from '../../../kit/client/use-download.ts'
import { MenuButton } from '../../../kit/menu/menu.tsx'
import type { AuditSearch } from '../model.ts'
import { filterOf } from '../model.ts'

const formats = { exportAuditCsv: 'csv', exportAuditLines: 'jsonl' } as const
type Format = keyof typeof formats
const today = () => new Date().toISOString().slice(0, 10)

/** Exports every entry that the filters match. */
export function AuditExport({ search, download }: { search: AuditSearch; download: Download }) {
  const { t } = useLingui()
  const names: Record<Format, string> = {
    exportAuditCsv: t`CSV`,
    exportAuditLines: t`JSON, one entry a line`,
  }
  const entries = (Object.keys(formats) as Format[]).map((format) => ({
    id: format,
    text: names[format],
    label: names[format],
    onAction: () =>
      download.start(
        addressOf(monitorApi[format], { query: filterOf(search) }),
        undefined,
        `audit-${today()}.${formats[format]}`,
      ),
  }))
  return (
    <MenuButton
      label={t`Export`}
      button={{ small: true, iconEnd: 'down' }}
      groups={[{ id: 'formats', entries }]}
    >
      {t`Export`}
    </MenuButton>
  )
}
