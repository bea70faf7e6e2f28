import { Member } from '@clearway/contract/account/member/schema.ts'
import { TeamWithMembers } from '@clearway/contract/account/team/schema.ts'
import * as z from 'zod/mini'
import { hasPermission } from '@clearway/contract/kit/permission.ts'
import { runWithoutActor } from '../../../kit/actor.ts'
import type { Caller } from '../../../kit/http/answer.ts'
import type { MonitorDb } from '../../database.ts'
import { storeMembership, storeTeams, type KnownTeam, listKnownTeams } from '../store.ts'

/** Connection of the monitor to the account service: over HTTP with a token, wherever it runs. */
export type AccountDeps = {
  db: MonitorDb
  accountUrl: string
  /** The product's own client at the provider; null for none. */
  service: { id: string; secret: string; tokenUrl: () => Promise<string> } | null
  log: (level: 'info' | 'warn', message: string) => void
}

/** A caller on whose behalf teams are requested. */
type TeamRequester = { caller: Pick<Caller, 'role'>; authorization: string }

const requestTimeoutMs = 5000
/** Time for which a copy counts as fresh. */
const maxCopyAgeMs = 60_000

async function requestAccounts<T extends z.ZodMiniType>(
  deps: AccountDeps,
  path: string,
  authorization: string,
  replySchema: T,
): Promise<z.output<T> | null> {
  try {
    const response = await fetch(`${deps.accountUrl}/axe-account${path}`, {
      headers: { authorization, accept: 'application/json' },
      signal: AbortSignal.timeout(requestTimeoutMs),
    })
    if (!response.ok) throw new Error(`it answers ${response.status}`)
    return z.parse(replySchema, await response.json())
  } catch (error) {
    // Keeps the copy: users keep their access while the service is unavailable.
    deps.log('warn', `account service, ${path}: ${error instanceof Error ? error.message : String(error)}`)
    return null
  }
}

const TokenReply = z.object({ access_token: z.string(), expires_in: z.number() })

/** Gets tokens of the product itself, cached for most of their lifetime; null without a client or after an error. */
function createTokenSource({ service, log }: AccountDeps): () => Promise<string | null> {
  let cachedToken: { authorization: string; until: number } | null = null
  const requestToken = async ({ id, secret, tokenUrl }: NonNullable<typeof service>): Promise<string> => {
    const response = await fetch(await tokenUrl(), {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
      },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
      signal: AbortSignal.timeout(requestTimeoutMs),
    })
    if (!response.ok) throw new Error(`it answers ${response.status}`)
    const tokenReply = z.parse(TokenReply, await response.json())
    const bearerHeader = `Bearer ${tokenReply.access_token}`
    cachedToken = { authorization: bearerHeader, until: performance.now() + tokenReply.expires_in * 800 }
    return bearerHeader
  }
  return async () => {
    if (!service) return null
    if (cachedToken && cachedToken.until > performance.now()) return cachedToken.authorization
    return requestToken(service).catch((error: unknown) => {
      log('warn', `sign-in of the service client: ${error instanceof Error ? error.message : String(error)}`)
      return null
    })
  }
}

/** Refreshes the copy of teams, each at most once a minute: `membership` before roles count, `teams` before they are assigned. */
export function openAccounts(deps: AccountDeps) {
  const getServiceToken = createTokenSource(deps)
  const recentRequests = new Map<string, Promise<void>>()
  const runOncePerMinute = (key: string, work: () => Promise<void>): Promise<void> => {
    const recentRequest = recentRequests.get(key)
    if (recentRequest) return recentRequest
    const newRequest = work()
    recentRequests.set(key, newRequest)
    setTimeout(() => recentRequests.delete(key), maxCopyAgeMs).unref()
    return newRequest
  }
  const copyTeams = (requester: TeamRequester | null): Promise<void> =>
    runOncePerMinute('teams', async () => {
      const serviceAuthorization = await getServiceToken()
      // A program with an API key has no token.
      const teamsAuthorization = serviceAuthorization ?? requester?.authorization ?? ''
      if (teamsAuthorization === '') {
        // Nothing was requested: the next caller with a token does.
        recentRequests.delete('teams')
        return
      }
      // Others than administrators see their own teams only, which says nothing about the rest.
      const isComplete = serviceAuthorization !== null || hasPermission(requester!.caller.role, 'admin.see')
      const teamsReply = await requestAccounts(deps, '/teams-by-ids?all=true', teamsAuthorization, z.array(TeamWithMembers))
      // The caller whose token was used did not change these teams.
      if (teamsReply) await runWithoutActor(() => storeTeams(deps, teamsReply, isComplete))
    })
  return {
    membership: (personId: string, authorization: string) =>
      runOncePerMinute(`person ${personId}`, async () => {
        const memberReply = await requestAccounts(deps, '/me', authorization, Member)
        if (memberReply) await storeMembership(deps, personId, memberReply.teams)
      }),
    /** Requests the service again at the next call, even if the copy is fresh. */
    forget: () => recentRequests.clear(),
    /** All teams by name, requested with the product's own token, or else with the caller's. */
    teams: async (requester: TeamRequester): Promise<KnownTeam[]> => {
      await copyTeams(requester)
      return listKnownTeams(deps)
    },
    /** Copies all teams with their members, who receive mails, without any caller. */
    refresh: () => copyTeams(null),
  }
}
export type Accounts = ReturnType<typeof openAccounts>
