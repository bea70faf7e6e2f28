import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { Suspense, lazy, useEffect, useState } from 'react'
import { ApiError } from '../kit/client/client.ts'
import { withLaterTexts } from '../kit/text/later-texts.ts'
import { ToastProvider } from '../kit/dialog/toast.tsx'
import { SessionContext } from '../monitor/user/model.ts'
import type { Start } from './session/boot.ts'
import { start } from './session/boot.ts'
import { FullPage } from './shell/full-page.tsx'
import { createAppRouter } from './router.tsx'
import { Confirmation } from './session/confirm.tsx'
import { SessionExpiry } from './session/expiry.tsx'

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // What the server refuses stays refused; what it could not answer is asked three times more.
      retry: (failures, error) =>
        failures < 3 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
      refetchOnWindowFocus: false,
      staleTime: 5_000,
    },
    // Without a connection a form says at once that it was not saved, instead of waiting without a word.
    mutations: { networkMode: 'always' },
  },
})
const DocsAlone = lazy(() =>
  withLaterTexts(import('./docs/alone.tsx'), 'docs').then((m) => ({ default: m.DocsAlone })),
)
const router = createAppRouter()
const maintenanceRetryMs = 15_000

/** The code of the screen that was asked for, while the start goes on: it needs nothing that the start finds out. */
function loadScreen(): void {
  const [routes] = router.getMatchedRoutes(router.latestLocation.pathname)
  // What does not come is asked for again when the screen is shown, which then says so.
  for (const route of routes) void router.loadRouteChunk(route)
}

/** The whole application: the start, and what it led to. */
export function App() {
  const [state, setState] = useState<Start>()
  useEffect(() => {
    void start().then(setState)
    loadScreen()
  }, [])
  useEffect(() => {
    if (state?.kind !== 'maintenance') return
    const timer = setInterval(() => void start().then(setState), maintenanceRetryMs)
    return () => clearInterval(timer)
  }, [state?.kind])
  if (state?.kind === 'docs')
    return (
      <Suspense>
        <DocsAlone config={state.config} login={state.login} />
      </Suspense>
    )
  if (state?.kind !== 'ready') return <FullPage state={state} onRetry={() => void start().then(setState)} />
  return (
    <QueryClientProvider client={queryClient}>
      <SessionContext value={state.session}>
        <ToastProvider>
          <RouterProvider router={router} />
          <SessionExpiry auth={state.auth} />
          <Confirmation auth={state.auth} />
        </ToastProvider>
      </SessionContext>
    </QueryClientProvider>
  )
}
