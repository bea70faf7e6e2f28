import { createHash, randomBytes } from 'node:crypto'
import { hasPermission, type SystemRole } from '@clearway/contract/kit/permission.ts'
import { type ApiScope, maxKeyLifetimeDays, type NewApiKey } from '@clearway/contract/monitor/user/key/schema.ts'
import type * as z from 'zod/mini'
import { type Caller, type Refusal, refuse } from '../../../kit/http/answer.ts'
import type { Guard } from '../../../kit/http/register.ts'
import { createId } from '../../../kit/id.ts'
import { buildPageReply } from '../../../kit/paging.ts'
import type { MonitorDb } from '../../database.ts'
import { listAllKeys, findKeyHolder, insertKey, type KeyHolder, type KeyRow, listKeys, removeKey } from './store.ts'

type KeyDeps = { db: MonitorDb }

const keyPattern = /^cw_[\w-]{43}$/
/** A key has 256 random bits, so a plain hash reveals nothing about it. */
const hashKey = (key: string): Buffer => createHash('sha256').update(key).digest()
const millisecondsPerDay = 86_400_000

const toKeyReply = (keyRow: KeyRow) => ({
  id: keyRow.id,
  name: keyRow.name,
  hint: keyRow.hint,
  scopes: keyRow.scopes,
  createdAt: keyRow.created_at.toISOString(),
  expiresAt: keyRow.expires_at.toISOString(),
  expired: keyRow.expires_at.getTime() <= Date.now(),
  usedAt: keyRow.used_at?.toISOString() ?? null,
})

export const listOwnKeys = async (deps: KeyDeps, caller: Caller) => ({
  content: (await listKeys(deps, caller.id)).map(toKeyReply),
})

/** Creates a key, which only this reply contains. */
export async function createKey(deps: KeyDeps, caller: Caller, body: z.output<typeof NewApiKey>) {
  const expirationDate = new Date(body.expiresAt)
  const refuseExpiration = (code: 'too-small' | 'too-big') =>
    refuse('validation-failed', { errors: [{ path: 'expiresAt', code, params: {} }] })
  if (expirationDate.getTime() <= Date.now()) return refuseExpiration('too-small')
  if (expirationDate.getTime() > Date.now() + maxKeyLifetimeDays * millisecondsPerDay) return refuseExpiration('too-big')
  const apiKey = `cw_${randomBytes(32).toString('base64url')}`
  const keyRow = await insertKey(deps, {
    id: createId(),
    person_id: caller.id,
    name: body.name,
    hash: hashKey(apiKey),
    hint: apiKey.slice(0, 8),
    scopes: [...new Set(body.scopes)],
    expires_at: expirationDate,
  })
  return { ...toKeyReply(keyRow), key: apiKey }
}

export const deleteOwnKey = async (deps: KeyDeps, caller: Caller, keyId: string) =>
  (await removeKey(deps, keyId, caller.id)) ? undefined : refuse('not-found')

export async function listEveryKey(deps: KeyDeps, query: { page: number; size: number }) {
  const { rows: keyRows, total: totalKeys } = await listAllKeys(deps, query)
  const keyReplies = keyRows.map((row) => ({
    ...toKeyReply(row),
    person: { id: row.person_id, name: row.person, hasAccess: canUseKeys(row.role) },
  }))
  return buildPageReply(keyReplies, totalKeys, query)
}

export const deleteAnyKey = async (deps: KeyDeps, keyId: string) =>
  (await removeKey(deps, keyId)) ? undefined : refuse('not-found')

const canUseKeys = (role: SystemRole): boolean => hasPermission(role, 'user')

type KeyCaller = Caller & { scopes: readonly ApiScope[] }
const isKeyCaller = (caller: Caller): caller is KeyCaller => 'scopes' in caller

/** Time after the last visit of its person for which a key works, since the person may have lost permissions. */
const maxUnseenMs = 90 * millisecondsPerDay

/** Checks that a key has not expired, and that its person has access and was seen recently. */
const isKeyValid = (holder: KeyHolder): boolean =>
  holder.expires_at > holder.now && canUseKeys(holder.role) && holder.seen_at.getTime() > holder.now.getTime() - maxUnseenMs

/** The caller of the public API. Unknown, expired and unauthorized keys get the same refusal. */
async function identifyByKey(deps: KeyDeps, apiKey: string): Promise<KeyCaller | Refusal> {
  const keyHolder = keyPattern.test(apiKey) ? await findKeyHolder(deps, hashKey(apiKey)) : null
  if (!keyHolder || !isKeyValid(keyHolder)) return refuse('token-rejected')
  return {
    id: keyHolder.person_id,
    username: keyHolder.username,
    firstName: keyHolder.first_name,
    lastName: keyHolder.last_name,
    email: keyHolder.email,
    role: keyHolder.role,
    expiresAt: keyHolder.expires_at.getTime(),
    key: { id: keyHolder.id, name: keyHolder.name },
    scopes: keyHolder.scopes,
  }
}

/** The guard of calls that need a scope: identifies by `X-API-Key`, and also requires the person's permission. */
export const createPublicGuard = (deps: KeyDeps, authorise: Guard['authorize'], requiredScope: ApiScope): Guard => ({
  identify: async (request) => {
    const apiKey = request.headers['x-api-key']
    return typeof apiKey === 'string' ? identifyByKey(deps, apiKey) : null
  },
  authorize: async (call, caller) => {
    if (caller && isKeyCaller(caller) && !caller.scopes.includes(requiredScope)) return refuse('access-denied')
    return authorise(call, caller)
  },
})
