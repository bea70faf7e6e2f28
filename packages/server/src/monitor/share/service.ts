import { createHash, randomBytes } from 'node:crypto'
import { type Caller, type Refusal, refuse } from '../../kit/http/answer.ts'
import type { MonitorDb } from '../database.ts'
import { canOverridePreset } from '../preset/service.ts'
import { deleteToken, upsertToken, findScanByToken, findToken } from './store.ts'

export type ShareDeps = { db: MonitorDb; publicUrl: string }

const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
/** Creates a token of 128 random bits. */
const createToken = (): string => randomBytes(16).toString('base64url')
const tokenPattern = /^[\w-]{22}$/

export async function getPublicToken(deps: ShareDeps, scanId: string) {
  const tokenRow = await findToken(deps, scanId)
  const tokenExpiresAt = tokenRow?.expires_at ?? null
  return {
    exists: tokenRow !== null,
    createdAt: tokenRow?.created_at.toISOString() ?? null,
    expiresAt: tokenExpiresAt?.toISOString() ?? null,
    expired: tokenExpiresAt !== null && tokenExpiresAt <= new Date(),
  }
}

/** Creates the public link of a scan, which replaces the previous one at once. */
export async function createPublicToken(deps: ShareDeps, caller: Caller, scanId: string, expiresAt: string | null) {
  const expirationDate = expiresAt === null ? null : new Date(expiresAt)
  if (expirationDate && expirationDate <= new Date())
    return refuse('validation-failed', { errors: [{ path: 'expiresAt', code: 'in-past', params: {} }] })
  if (!(await canOverridePreset(deps, scanId, 'shareLink'))) return refuse('locked-by-preset')
  const linkToken = createToken()
  const createdAt = new Date()
  await upsertToken(deps, { scanId, hash: hashToken(linkToken), createdBy: caller.id, createdAt, expiresAt: expirationDate })
  const linkUrl = `${deps.publicUrl}/monitor/scans/${scanId}?guestToken=${linkToken}`
  return { token: linkToken, url: linkUrl, createdAt: createdAt.toISOString(), expiresAt: expirationDate?.toISOString() ?? null }
}

export const deletePublicToken = (deps: ShareDeps, scanId: string): Promise<void> => deleteToken(deps, scanId)

/** The guest identified by a token: sees one scan and has no name. */
export async function identifyGuest(deps: { db: MonitorDb }, token: string): Promise<Caller | Refusal> {
  const linkedScan = tokenPattern.test(token) ? await findScanByToken(deps, hashToken(token)) : null
  // Also rejects links that are older than a preset's prohibition.
  if (!linkedScan || !(await canOverridePreset(deps, linkedScan.scanId, 'shareLink'))) return refuse('token-rejected')
  return {
    id: 'guest',
    username: 'guest',
    firstName: 'Guest',
    lastName: 'User',
    email: null,
    role: 'guest',
    guestOf: linkedScan.scanId,
    sharedUntil: linkedScan.expiresAt,
    expiresAt: Math.min(linkedScan.expiresAt?.getTime() ?? Infinity, Date.now() + 3_600_000),
  }
}
