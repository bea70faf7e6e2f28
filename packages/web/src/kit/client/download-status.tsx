import { useLingui } from '@lingui/react/macro'
import { Button } from '../control/button.tsx'
import { useFormats } from '../text/format.ts'
import layout from '../page/layout.module.css'
import { ErrorCard } from '../page/states.tsx'
import type { DownloadState } from './use-download.ts'

export function DownloadStatus({ download }: { download: DownloadState }) {
  const { t } = useLingui()
  const { formatBytes } = useFormats()
  const { bytes: receivedBytes, error: downloadError, cancel: cancelDownload } = download
  const formattedSize = formatBytes(receivedBytes ?? 0)
  return (
    <>
      <div className={layout.row}>
        <p role="status">
          {receivedBytes !== null && (receivedBytes === 0 ? t`Starting the export…` : t`Exported so far: ${formattedSize}`)}
        </p>
        {receivedBytes !== null && <Button small onPress={cancelDownload}>{t`Cancel export`}</Button>}
      </div>
      {downloadError !== null && <ErrorCard title={t`The export failed.`} error={downloadError} />}
    </>
  )
}
