import { createHash, randomBytes } from 'node:crypto'
import { roleMay, type SystemRole } from '@clearway/contract/kit/permission.ts'
import { type ApiScope, longestKeyDays, type NewApiKey } from '@clearway/contract/monitor/user/key/schema.ts'
import type * as z from 'zod/mini'
import { type Caller, type Refusal, refuse } from '../../../kit/http/answer.ts'
import type { Guard } from '../../../kit/http/register.ts'
import { newId } from '../../../kit/id.ts'
import { pageReply } from '../../../kit/paging.ts'
import type { MonitorDb } from '../../database.ts'
import { everyKey, holderOf, insertKey, type KeyHolder, type KeyRow, keysOf, removeKey } from './store.ts'

type Deps = { db: MonitorDb }

const keyPattern = /^cw_[\w-]{43}$/
/** A key is 256 random bits, so a plain hash says nothing of it. */
const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest()
const dayMs = 86_400_000

const shown = (row: KeyRow) => ({
  id: row.id,
  name: row.name,
  hint: row.hint,
  scopes: row.scopes,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  expired: row.expires_at.getTime() <= Date.now(),
  usedAt: row.used_at?.toISOString() ?? null,
})

export const keysFor = async (deps: Deps, caller: Caller) => ({
  content: (await keysOf(deps, caller.id)).map(shown),
})

/** Makes a key; the answer is the only place where it can be read. */
export async function makeKey(deps: Deps, caller: Caller, body: z.output<typeof NewApiKey>) {
  const expiresAt = new Date(body.expiresAt)
  const wrong = (code: 'too-small' | 'too-big') =>
    refuse('validation-failed', { errors: [{ path: 'expiresAt', code, params: {} }] })
  if (expiresAt.getTime() <= Date.now()) return wrong('too-small')
  if (expiresAt.getTime() > Date.now() + longestKeyDays * dayMs) return wrong('too-big')
  const key = `cw_${randomBytes(32).toString('base64url')}`
  const row = await insertKey(deps, {
    id: newId(),
    person_id: caller.id,
    name: body.name,
    hash: hashOf(key),
    hint: key.slice(0, 8),
    scopes: [...new Set(body.scopes)],
    expires_at: expiresAt,
  })
  return { ...shown(row), key }
}

export const endKey = async (deps: Deps, caller: Caller, id: string) =>
  (await removeKey(deps, id, caller.id)) ? undefined : refuse('not-found')

/** The keys of everybody, for admins. */
export async function allKeys(deps: Deps, query: { page: number; size: number }) {
  const { rows, total } = await everyKey(deps, query)
  const content = rows.map((row) => ({
    ...shown(row),
    person: { id: row.person_id, name: row.person, hasAccess: mayUseKeys(row.role) },
  }))
  return pageReply(content, total, query)
}

export const endAnyKey = async (deps: Deps, id: string) =>
  (await removeKey(deps, id)) ? undefined : refuse('not-found')

const mayUseKeys = (role: SystemRole): boolean => roleMay(role, 'user')

type KeyCaller = Caller & { scopes: readonly ApiScope[] }
const isKeyCaller = (caller: Caller): caller is KeyCaller => 'scopes' in caller

/** How long a key works without its person being seen: the person may have lost rights since. */
const unseenMs = 90 * dayMs

/** Whether a key works now: it has not expired, and its person has access and was seen lately. */
const works = (holder: KeyHolder): boolean =>
  holder.expires_at > holder.now &&
  mayUseKeys(holder.role) &&
  holder.seen_at.getTime() > holder.now.getTime() - unseenMs

/** The caller of the public API. A key that is unknown or expired, or whose person has no access, gets the same answer. */
async function identify(deps: Deps, key: string): Promise<KeyCaller | Refusal> {
  const holder = keyPattern.test(key) ? await holderOf(deps, hashOf(key)) : null
  if (!holder || !works(holder)) return refuse('token-rejected')
  return {
    id: holder.person_id,
    username: holder.username,
    firstName: holder.first_name,
    lastName: holder.last_name,
    email: holder.email,
    role: holder.role,
    expiresAt: holder.expires_at.getTime(),
    scopes: holder.scopes,
  }
}

/** The guard of the public API: by `X-API-Key`, then as for the person, as far as the key's scopes reach. */
export const publicGuard = (deps: Deps, authorise: Guard['authorise']): Guard => ({
  identify: async (request) => {
    const key = request.headers['x-api-key']
    return typeof key === 'string' ? identify(deps, key) : null
  },
  authorise: async (call, caller) => {
    const scope: ApiScope = call.permission === 'scan.run' ? 'run' : 'read'
    if (caller && isKeyCaller(caller) && !caller.scopes.includes(scope)) return refuse('access-denied')
    return authorise(call, caller)
  },
})
