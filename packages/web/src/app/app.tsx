import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { Suspense, lazy, useEffect, useState } from 'react'
import { ApiError } from '../kit/client/client.ts'
import { withDeferredTexts } from '../kit/text/deferred-texts.ts'
import { ToastProvider } from '../kit/dialog/toast.tsx'
import { SessionContext } from '../monitor/user/model.ts'
import { type StartResult, startApp } from './session/boot.ts'
import { FullPage } from './shell/full-page.tsx'
import { createAppRouter } from './router.tsx'
import { Confirmation } from './session/confirm.tsx'
import { SessionExpiry } from './session/expiry.tsx'

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Client errors are final. Other failures are retried three times.
      retry: (failureCount, error) =>
        failureCount < 3 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
      refetchOnWindowFocus: false,
      staleTime: 5_000,
    },
    // Without a connection, forms report a failed save immediately instead of waiting silently.
    mutations: { networkMode: 'always' },
  },
})
const LazyStandaloneDocs = lazy(() =>
  withDeferredTexts(import('./docs/standalone.tsx'), 'docs').then((module) => ({ default: module.StandaloneDocs })),
)
const appRouter = createAppRouter()
const maintenanceRetryMs = 15_000

/** Preloads the code of the requested screen before the start, on whose result it does not depend. */
export function preloadScreen(): void {
  const [matchedRoutes] = appRouter.getMatchedRoutes(appRouter.latestLocation.pathname)
  // A failed preload is retried when the screen is shown, which reports the error.
  for (const matchedRoute of matchedRoutes) void appRouter.loadRouteChunk(matchedRoute)
}

export function App() {
  const [startState, setStartState] = useState<StartResult>()
  useEffect(() => {
    void startApp().then(setStartState)
  }, [])
  useEffect(() => {
    if (startState?.kind !== 'maintenance') return
    const retryTimer = setInterval(() => void startApp().then(setStartState), maintenanceRetryMs)
    return () => clearInterval(retryTimer)
  }, [startState?.kind])
  if (startState?.kind === 'docs')
    return (
      <Suspense>
        <LazyStandaloneDocs config={startState.config} login={startState.login} />
      </Suspense>
    )
  if (startState?.kind !== 'ready') return <FullPage state={startState} onRetry={() => void startApp().then(setStartState)} />
  return (
    <QueryClientProvider client={queryClient}>
      <SessionContext value={startState.session}>
        <ToastProvider>
          <RouterProvider router={appRouter} />
          <SessionExpiry auth={startState.auth} />
          <Confirmation auth={startState.auth} />
        </ToastProvider>
      </SessionContext>
    </QueryClientProvider>
  )
}
