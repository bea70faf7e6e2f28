import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { Member } from '@clearway/contract/account/member/schema.ts'
import type { monitorApi } from '@clearway/contract/monitor/api.ts'
import type { Config } from '@clearway/contract/monitor/config/schema.ts'
import type { UserPermissions } from '@clearway/contract/monitor/user/schema.ts'
import type { DefaultView } from '@clearway/contract/monitor/view/schema.ts'
import { createContext, useContext } from 'react'
import type { EndpointClient, ClientDeps } from '../../kit/client/client.ts'

export type MonitorApi = EndpointClient<typeof monitorApi>
/** What every screen needs once somebody is signed in. */
export type Session = {
  config: Config
  api: MonitorApi
  /** For calls that are no JSON: streams of events. */
  deps: ClientDeps
  permissions: UserPermissions
  /** Null when the account service does not answer: a name is then taken from the permissions. */
  member: Member | null
  /** With which views screens opened at the start; left out, that is still to be asked. */
  defaultViews?: DefaultView[]
  logout: () => void
  /** Of a guest: the one scan that the link shows, and the way to a name of their own. */
  guestScan?: ScanId
  login?: () => void
}

export const SessionContext = createContext<Session | null>(null)

/** The session. Throws outside a signed-in screen. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('No session: this screen was rendered outside SessionContext')
  return session
}
