import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { Member } from '@clearway/contract/account/member/schema.ts'
import type { monitorApi } from '@clearway/contract/monitor/api.ts'
import type { Config } from '@clearway/contract/monitor/config/schema.ts'
import type { UserPermissions } from '@clearway/contract/monitor/user/schema.ts'
import type { DefaultView } from '@clearway/contract/monitor/view/schema.ts'
import { createContext, useContext } from 'react'
import type { EndpointClient, ClientDeps } from '../../kit/client/client.ts'

export type MonitorApi = EndpointClient<typeof monitorApi>
/** Data that every signed-in screen needs. */
export type Session = {
  config: Config
  api: MonitorApi
  /** For calls with other bodies than JSON, such as event streams. */
  deps: ClientDeps
  permissions: UserPermissions
  /** Null if the account service did not respond; the name then comes from the permissions. */
  member: Member | null
  /** Default views of screens, if they were loaded at the start. */
  defaultViews?: DefaultView[]
  logout: () => void
  /** Guests only: the scan that the link opens, and the way to sign in. */
  guestScan?: ScanId
  login?: () => void
}

export const SessionContext = createContext<Session | null>(null)

/** Returns the session; throws outside a signed-in screen. */
export function useSession(): Session {
  const currentSession = useContext(SessionContext)
  if (!currentSession) throw new Error('No session: this screen was rendered outside SessionContext')
  return currentSession
}
