import { useLingui } from '@lingui/react/macro'
import { Button } from '../control/button.tsx'
import { useFormats } from '../text/format.ts'
import layout from '../page/layout.module.css'
import { ErrorCard } from '../page/states.tsx'
import type { Download } from './use-download.ts'

/** How far an export is, with a way to stop it; or why it failed. */
export function DownloadStatus({ download }: { download: Download }) {
  const { t } = useLingui()
  const { bytes: size } = useFormats()
  const { bytes, error, cancel } = download
  const so = size(bytes ?? 0)
  return (
    <>
      <div className={layout.row}>
        <p role="status">
          {bytes !== null && (bytes === 0 ? t`Starting the export…` : t`Exported so far: ${so}`)}
        </p>
        {bytes !== null && <Button small onPress={cancel}>{t`Cancel export`}</Button>}
      </div>
      {error !== null && <ErrorCard title={t`The export failed.`} error={error} />}
    </>
  )
}
