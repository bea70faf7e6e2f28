import { useLingui } from '@lingui/react/macro'
import { useEffect } from 'react'
import { Button } from '../kit/control/button.tsx'
import { onReconnect } from '../kit/client/connection.ts'
import { ConnectionLost, LoadTimeout } from '../kit/text/later-texts.ts'
import layout from '../kit/page/layout.module.css'
import { PageHead } from '../kit/page/head.tsx'
import { ErrorCard } from '../kit/page/states.tsx'
import { useSession } from '../monitor/user/model.ts'

/** Why parts of the application could not be loaded: a newer version has replaced them on the server. */
const chunkErrors = new Set<unknown>()
window.addEventListener('vite:preloadError', ({ payload }) => chunkErrors.add(payload))

/** In place of a screen that could not be loaded or shown. */
export function RouteError({ error }: { error: unknown }) {
  const { t } = useLingui()
  const { config } = useSession()
  const reload = () => location.reload()
  if (error instanceof ConnectionLost) return <NotLoaded onOnline={reload} />
  if (!chunkErrors.has(error) && !(error instanceof LoadTimeout))
    return (
      <>
        <PageHead title={t`Error`} productName={config.productName} />
        <ErrorCard title={t`This screen cannot be shown.`} error={error} onRetry={reload} />
      </>
    )
  return (
    <>
      <PageHead title={t`A new version is available`} productName={config.productName} />
      <div className={`${layout.card} ${layout.pad} ${layout.tight}`} role="alert">
        <p>{t`This part of the application could not be loaded. Reload the page to continue with the current version.`}</p>
        <div>
          <Button kind="primary" onPress={reload}>{t`Reload`}</Button>
        </div>
      </div>
    </>
  )
}

/** In place of a screen whose code did not come, until there is a connection again. */
function NotLoaded({ onOnline }: { onOnline: () => void }) {
  const { t } = useLingui()
  const { config } = useSession()
  useEffect(() => onReconnect(onOnline), [onOnline])
  return (
    <>
      <PageHead title={t`Not loaded yet`} productName={config.productName} />
      <div className={`${layout.card} ${layout.pad}`}>
        <p>{t`This screen loads automatically once the connection is back.`}</p>
      </div>
    </>
  )
}
