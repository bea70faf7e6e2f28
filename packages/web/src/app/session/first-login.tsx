import { accountApi } from '@clearway/contract/account/api.ts'
import { useQuery } from '@tanstack/react-query'
import { Suspense, lazy } from 'react'
import { createClient } from '../../kit/client/client.ts'
import { useSession } from '../../monitor/user/model.ts'

const FirstLoginDialog = lazy(() =>
  import('./first-login-dialog.tsx').then((m) => ({ default: m.FirstLoginDialog })),
)

/** Leads whoever has not agreed to the terms yet to the page where that is done, and back here. */
export function FirstLogin() {
  const { config, deps, member, permissions } = useSession()
  const mustAgree = member !== null && !permissions.isGuest && member.agreedAt === null
  const { data } = useQuery({
    queryKey: ['global-config'],
    queryFn: ({ signal }) =>
      createClient(accountApi, { ...deps, baseUrl: config.axeAccountUrl }).globalConfig({}, signal),
    enabled: mustAgree,
    staleTime: Infinity,
  })
  if (!mustAgree || !data?.termsRequired) return null
  const terms = new URL(data.termsUrl, location.href)
  terms.searchParams.set('original-redirect', location.href)
  return (
    <Suspense fallback={null}>
      <FirstLoginDialog href={terms.href} />
    </Suspense>
  )
}
