import { accountApi } from '@clearway/contract/account/api.ts'
import { useQuery } from '@tanstack/react-query'
import { Suspense, lazy } from 'react'
import { createClient } from '../../kit/client/client.ts'
import { useSession } from '../../monitor/user/model.ts'

const FirstLoginDialog = lazy(() => import('./first-login-dialog.tsx').then((module) => ({ default: module.FirstLoginDialog })))

/** Directs users who have not accepted the terms to the account page, which returns them here. */
export function FirstLogin() {
  const { config: appConfig, deps, member, permissions } = useSession()
  const mustAgree = member !== null && !permissions.isGuest && member.agreedAt === null
  const { data: globalConfig } = useQuery({
    queryKey: ['global-config'],
    queryFn: ({ signal }) => createClient(accountApi, { ...deps, baseUrl: appConfig.axeAccountUrl }).globalConfig({}, signal),
    enabled: mustAgree,
    staleTime: Infinity,
  })
  if (!mustAgree || !globalConfig?.termsRequired) return null
  const termsUrl = new URL(globalConfig.termsUrl, location.href)
  termsUrl.searchParams.set('original-redirect', location.href)
  return (
    <Suspense fallback={null}>
      <FirstLoginDialog href={termsUrl.href} />
    </Suspense>
  )
}
