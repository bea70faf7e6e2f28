import { Member } from '@clearway/contract/account/member/schema.ts'
import { TeamWithMembers } from '@clearway/contract/account/team/schema.ts'
import * as z from 'zod/mini'
import { actingAsNobody } from '../../../kit/actor.ts'
import type { MonitorDb } from '../../database.ts'
import { keepMembership, keepTeams, type KnownTeam, knownTeams } from '../store.ts'

/** How the monitor reaches the account service: over HTTP, with a token, wherever it runs. */
export type AccountDeps = {
  db: MonitorDb
  accountUrl: string
  /** The product's own client at the provider; null where it has none. */
  service: { id: string; secret: string; tokenUrl: () => Promise<string> } | null
  log: (level: 'info' | 'warn', message: string) => void
}

const timeoutMs = 5000
/** How long a copy is taken for true. */
const freshMs = 60_000

async function ask<T extends z.ZodMiniType>(
  deps: AccountDeps,
  path: string,
  authorization: string,
  shape: T,
): Promise<z.output<T> | null> {
  try {
    const reply = await fetch(`${deps.accountUrl}/axe-account${path}`, {
      headers: { authorization, accept: 'application/json' },
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (!reply.ok) throw new Error(`it answers ${reply.status}`)
    return z.parse(shape, await reply.json())
  } catch (error) {
    // Then the copy stays: people keep what they had while that service is away.
    deps.log('warn', `account service, ${path}: ${error instanceof Error ? error.message : String(error)}`)
    return null
  }
}

const TokenReply = z.object({ access_token: z.string(), expires_in: z.number() })

/** Gets a token of the product itself, and keeps it for most of its life; null where there is no client, or no answer. */
function openServiceToken({ service, log }: AccountDeps): () => Promise<string | null> {
  let kept: { authorization: string; until: number } | null = null
  const get = async ({ id, secret, tokenUrl }: NonNullable<typeof service>): Promise<string> => {
    const reply = await fetch(await tokenUrl(), {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
      },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (!reply.ok) throw new Error(`it answers ${reply.status}`)
    const token = z.parse(TokenReply, await reply.json())
    const authorization = `Bearer ${token.access_token}`
    kept = { authorization, until: performance.now() + token.expires_in * 800 }
    return authorization
  }
  return async () => {
    if (!service) return null
    if (kept && kept.until > performance.now()) return kept.authorization
    return get(service).catch((error: unknown) => {
      log('warn', `sign-in of the service client: ${error instanceof Error ? error.message : String(error)}`)
      return null
    })
  }
}

/**
 * Keeps the monitor's copy of teams fresh. `membership` is asked before a caller's roles count; `teams` when
 * somebody is about to give teams roles; `refresh` by nobody, now and then. Each is asked at most once a minute.
 */
export function openAccounts(deps: AccountDeps) {
  const serviceToken = openServiceToken(deps)
  const asked = new Map<string, Promise<void>>()
  const once = (key: string, work: () => Promise<void>): Promise<void> => {
    const known = asked.get(key)
    if (known) return known
    const doing = work()
    asked.set(key, doing)
    setTimeout(() => asked.delete(key), freshMs).unref()
    return doing
  }
  const copy = (own: () => Promise<string | null>): Promise<void> =>
    once('teams', async () => {
      const authorization = await own()
      if (authorization === null) return
      const teams = await ask(deps, '/teams-by-ids?all=true', authorization, z.array(TeamWithMembers))
      // Whoever happened to ask has changed none of them.
      if (teams) await actingAsNobody(() => keepTeams(deps, teams))
    })
  return {
    membership: (personId: string, authorization: string) =>
      once(`person ${personId}`, async () => {
        const member = await ask(deps, '/me', authorization, Member)
        if (member) await keepMembership(deps, personId, member.teams)
      }),
    /** Asks again at the next call, however fresh the copy is. */
    forget: () => asked.clear(),
    /** Every team by name, asked for by the product itself, or for want of a client with the token of who calls. */
    teams: async (authorization: string): Promise<KnownTeam[]> => {
      await copy(async () => (await serviceToken()) ?? authorization)
      return knownTeams(deps)
    },
    /** Copies every team with its members, whom mails go to, also while nobody is here. */
    refresh: () => copy(serviceToken),
  }
}
export type Accounts = ReturnType<typeof openAccounts>
