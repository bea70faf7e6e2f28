import { useLingui } from '@lingui/react/macro'
import { monitorApi } from '@clearway/contract/monitor/api.ts'
import { buildUrl } from '../../../kit/client/client.ts'
import type { DownloadState } from '../../../kit/client/use-download.ts'
import { ExportMenu } from '../../../kit/list/export-menu.tsx'
import { type AuditSearch, toServerFilters } from '../model.ts'

export function AuditExport({ search, download }: { search: AuditSearch; download: DownloadState }) {
  const { t } = useLingui()
  return (
    <ExportMenu
      fileNamePrefix="audit"
      formats={{
        exportAuditCsv: { name: t`CSV`, extension: 'csv' },
        exportAuditLines: { name: t`JSON, one entry per line`, extension: 'jsonl' },
      }}
      onExport={(format, file) =>
        download.start(buildUrl(monitorApi[format], { query: toServerFilters(search) }), undefined, file)
      }
    >
      {t`Export`}
    </ExportMenu>
  )
}
