import { useLingui } from '@lingui/react/macro'
import { useEffect } from 'react'
import { Button } from '../kit/control/button.tsx'
import { onReconnect } from '../kit/client/connection.ts'
import { ConnectionLost, LoadTimeout } from '../kit/text/deferred-texts.ts'
import layout from '../kit/page/layout.module.css'
import { PageHead } from '../kit/page/head.tsx'
import { ErrorCard } from '../kit/page/states.tsx'
import { useSession } from '../monitor/user/model.ts'

/** Errors of code that could not be loaded, mostly because the server has a newer version. */
const chunkErrors = new Set<unknown>()
window.addEventListener('vite:preloadError', ({ payload }) => chunkErrors.add(payload))

export function RouteError({ error }: { error: unknown }) {
  const { t } = useLingui()
  const { config: appConfig } = useSession()
  const reloadPage = () => location.reload()
  if (error instanceof ConnectionLost) return <OfflineScreen onOnline={reloadPage} />
  if (!chunkErrors.has(error) && !(error instanceof LoadTimeout))
    return (
      <>
        <PageHead title={t`Error`} productName={appConfig.productName} />
        <ErrorCard title={t`This screen cannot be shown.`} error={error} onRetry={reloadPage} />
      </>
    )
  return (
    <>
      <PageHead title={t`This screen could not be loaded`} productName={appConfig.productName} />
      <div className={`${layout.card} ${layout.pad} ${layout.tight}`} role="alert">
        <p>{t`The server may have a newer version. Reload the page to continue.`}</p>
        <div>
          <Button kind="primary" onPress={reloadPage}>{t`Reload`}</Button>
        </div>
      </div>
    </>
  )
}

/** Replaces a screen whose code did not load, until the connection is restored. */
function OfflineScreen({ onOnline }: { onOnline: () => void }) {
  const { t } = useLingui()
  const { config: appConfig } = useSession()
  useEffect(() => onReconnect(onOnline), [onOnline])
  return (
    <>
      <PageHead title={t`Not loaded yet`} productName={appConfig.productName} />
      <div className={`${layout.card} ${layout.pad}`}>
        <p>{t`This screen loads automatically once the connection is back.`}</p>
      </div>
    </>
  )
}
