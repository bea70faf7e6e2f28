import { useLingui } from '@lingui/react/macro'
import { monitorApi } from '@clearway/contract/monitor/api.ts'
import { buildUrl } from '../../../kit/client/client.ts'
import type { DownloadState } from '../../../kit/client/use-download.ts'
import { ExportMenu } from '../../../kit/list/export-menu.tsx'
import { type RegisterSearch, toRegisterFilters } from '../model-register.ts'

export function RegisterExport({ search, download }: { search: RegisterSearch; download: DownloadState }) {
  const { t } = useLingui()
  return (
    <ExportMenu
      fileNamePrefix="ignored-issues"
      formats={{
        exportRegisterCsv: { name: t`CSV`, extension: 'csv' },
        exportRegisterJson: { name: t`JSON`, extension: 'json' },
      }}
      onExport={(format, file) =>
        download.start(buildUrl(monitorApi[format], { query: toRegisterFilters(search) }), undefined, file)
      }
    >
      {t`Export`}
    </ExportMenu>
  )
}
