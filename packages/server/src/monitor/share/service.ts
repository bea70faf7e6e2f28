import { createHash, randomBytes } from 'node:crypto'
import { type Caller, type Refusal, refuse } from '../../kit/http/answer.ts'
import type { MonitorDb } from '../database.ts'
import { canOverridePreset } from '../preset/service.ts'
import { dropToken, keepToken, scanOfToken, tokenOf } from './store.ts'

export type ShareDeps = { db: MonitorDb; publicUrl: string }

const hashOfToken = (token: string): Buffer => createHash('sha256').update(token).digest()
/** 128 random bits. */
const newToken = (): string => randomBytes(16).toString('base64url')
const shape = /^[\w-]{22}$/

/** Whether a scan has a public link. */
export async function publicToken(deps: ShareDeps, scanId: string) {
  const found = await tokenOf(deps, scanId)
  const expiresAt = found?.expires_at ?? null
  return {
    exists: found !== null,
    createdAt: found?.created_at.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
    expired: expiresAt !== null && expiresAt <= new Date(),
  }
}

/** Makes the public link of a scan. An older one stops working at once. */
export async function createPublicToken(
  deps: ShareDeps,
  caller: Caller,
  scanId: string,
  expiresAt: string | null,
) {
  const end = expiresAt === null ? null : new Date(expiresAt)
  if (end && end <= new Date())
    return refuse('validation-failed', { errors: [{ path: 'expiresAt', code: 'in-past', params: {} }] })
  if (!(await canOverridePreset(deps, scanId, 'shareLink'))) return refuse('locked-by-preset')
  const token = newToken()
  const createdAt = new Date()
  await keepToken(deps, { scanId, hash: hashOfToken(token), createdBy: caller.id, createdAt, expiresAt: end })
  const url = `${deps.publicUrl}/monitor/scans/${scanId}?guestToken=${token}`
  return { token, url, createdAt: createdAt.toISOString(), expiresAt: end?.toISOString() ?? null }
}

export const deletePublicToken = (deps: ShareDeps, scanId: string): Promise<void> => dropToken(deps, scanId)

/** The guest that a token makes of its bearer, who sees one scan and has no name. */
export async function guestOf(deps: { db: MonitorDb }, token: string): Promise<Caller | Refusal> {
  const found = shape.test(token) ? await scanOfToken(deps, hashOfToken(token)) : null
  // A link that was made before the preset forbade it opens nothing either.
  if (!found || !(await canOverridePreset(deps, found.scanId, 'shareLink'))) return refuse('token-rejected')
  return {
    id: 'guest',
    username: 'guest',
    firstName: 'Guest',
    lastName: 'User',
    email: null,
    role: 'guest',
    guestOf: found.scanId,
    expiresAt: Math.min(found.expiresAt?.getTime() ?? Infinity, Date.now() + 3_600_000),
  }
}
