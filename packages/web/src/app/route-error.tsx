import { useLingui } from '@lingui/react/macro'
import { Button } from '../kit/button.tsx'
import { EmptyState, ErrorCard } from '../kit/states.tsx'
import layout from '../kit/layout.module.css'

/** Set when a part of the application could not be loaded: a newer version has replaced it on the server. */
let chunkFailed = false
window.addEventListener('vite:preloadError', () => {
  chunkFailed = true
})

/** In place of a screen that could not be loaded or shown. */
export function RouteError({ error }: { error: unknown }) {
  const { t } = useLingui()
  const reload = () => location.reload()
  if (!chunkFailed)
    return <ErrorCard title={t`This screen cannot be shown.`} error={error} onRetry={reload} />
  return (
    <div className={layout.card} role="alert">
      <EmptyState
        title={t`A new version is available`}
        action={<Button kind="primary" onPress={reload}>{t`Reload`}</Button>}
      >
        <p>{t`This part of the application could not be loaded. Reload the page to go on with the current version.`}</p>
      </EmptyState>
    </div>
  )
}
