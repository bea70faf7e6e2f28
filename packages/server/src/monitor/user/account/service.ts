import { Member } from '@clearway/contract/account/member/schema.ts'
import { TeamWithMembers } from '@clearway/contract/account/team/schema.ts'
import * as z from 'zod/mini'
import type { MonitorDb } from '../../database.ts'
import { keepMembership, keepTeams, type KnownTeam, knownTeams } from '../store.ts'

/** How the monitor reaches the account service: over HTTP, with the caller's own token, wherever it runs. */
export type AccountDeps = {
  db: MonitorDb
  accountUrl: string
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

/**
 * Keeps the monitor's copy of teams fresh. `membership` is asked before a caller's roles count; `teams` when
 * somebody is about to give teams roles. Each is asked at most once a minute.
 */
export function openAccounts(deps: AccountDeps) {
  const asked = new Map<string, Promise<void>>()
  const once = (key: string, work: () => Promise<void>): Promise<void> => {
    const known = asked.get(key)
    if (known) return known
    const doing = work()
    asked.set(key, doing)
    setTimeout(() => asked.delete(key), freshMs).unref()
    return doing
  }
  return {
    membership: (personId: string, authorization: string) =>
      once(`person ${personId}`, async () => {
        const member = await ask(deps, '/me', authorization, Member)
        if (member) await keepMembership(deps, personId, member.teams)
      }),
    /** Asks again at the next call, however fresh the copy is. */
    forget: () => asked.clear(),
    /** Every team by name. */
    teams: async (authorization: string): Promise<KnownTeam[]> => {
      await once('teams', async () => {
        const teams = await ask(deps, '/teams-by-ids?all=true', authorization, z.array(TeamWithMembers))
        if (teams) await keepTeams(deps, teams)
      })
      return knownTeams(deps)
    },
  }
}
export type Accounts = ReturnType<typeof openAccounts>
