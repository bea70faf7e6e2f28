import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import type { Seal } from '../../../kit/seal.ts'
import type { MonitorDb } from '../../database.ts'
import { verifyAudit } from '../service.ts'
import { findLinkHash, readChainEnd, replaceSeal } from '../store.ts'

export type AuditSealDeps = {
  db: MonitorDb
  seal: Seal
  /** The data folder of this machine, which remembers the last sealed entry. */
  folder: string
}

/** An entry of the log whose hash covers all entries before it. */
const ChainHead = z.object({ number: z.number(), hash: z.string() })
export type ChainHead = z.output<typeof ChainHead>

const sealContext = 'end of the audit log'
const getHeadPath = (folder: string) => join(folder, 'audit-head.json')

/** The last entry that this machine sealed; null if it sealed none. Reveals the removal of newer entries and of the seal. */
async function readRememberedHead(folder: string): Promise<ChainHead | null> {
  const headText = await readFile(getHeadPath(folder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  return headText === null ? null : z.parse(ChainHead, JSON.parse(headText))
}

async function rememberHead(folder: string, head: ChainHead): Promise<void> {
  const headPath = getHeadPath(folder)
  await writeFile(`${headPath}.new`, JSON.stringify(head), { mode: 0o600 })
  await rename(`${headPath}.new`, headPath)
}

/** Forgets the last sealed entry, as after a restored backup, whose log may be older. */
export const forgetHead = (folder: string): Promise<void> => rm(getHeadPath(folder), { force: true })

type ChainEnd = Awaited<ReturnType<typeof readChainEnd>>

export type KnownHeads = {
  /** The entry that the seal of the database names; `none` before the first seal, `unreadable` for another key. */
  sealed: ChainHead | 'none' | 'unreadable'
  remembered: ChainHead | null
  /** The end of the chain, which is not older than the known heads. */
  chainEnd: ChainEnd
}

/** The entries whose hashes are known outside of the chain. Seals need the secret key. */
export async function readKnownHeads({ db, seal, folder }: AuditSealDeps): Promise<KnownHeads> {
  const remembered = await readRememberedHead(folder)
  const chainEnd = await readChainEnd({ db })
  const openedText = chainEnd.seal === null ? null : seal.open(chainEnd.seal, sealContext)
  const sealed = chainEnd.seal === null ? 'none' : openedText === null ? 'unreadable' : z.parse(ChainHead, JSON.parse(openedText))
  return { sealed, remembered, chainEnd }
}

/** The known heads that the chain must contain; a text if their state alone shows tampering. */
export function listRequiredHeads({ sealed, remembered }: Pick<KnownHeads, 'sealed' | 'remembered'>): ChainHead[] | string {
  if (sealed === 'unreadable') return 'its seal does not open with the secret key'
  if (sealed === 'none') return remembered === null ? [] : 'its seal is missing'
  // Retention may have deleted an entry that another machine has sealed past.
  return remembered === null || remembered.number < sealed.number ? [sealed] : [sealed, remembered]
}

/** Checks that the chain still contains a known head, without reading the chain. */
async function findHeadFault(db: MonitorDb, head: ChainHead, chainEnd: ChainEnd): Promise<string | null> {
  if (head.number > chainEnd.number) return `entry ${chainEnd.number + 1} is missing at the end`
  const currentHash = head.number === chainEnd.number ? chainEnd.hash : await findLinkHash({ db }, head.number)
  return currentHash?.toString('hex') === head.hash ? null : `entry ${head.number} or one before it was changed`
}

async function findFault({ db }: AuditSealDeps, heads: KnownHeads): Promise<string | null> {
  const requiredHeads = listRequiredHeads(heads)
  if (typeof requiredHeads === 'string') return requiredHeads
  for (const head of requiredHeads) {
    const headFault = await findHeadFault(db, head, heads.chainEnd)
    if (headFault !== null) return headFault
  }
  if (requiredHeads.length > 0) return null
  // The first seal vouches for entries of earlier versions.
  const verification = await verifyAudit({ db })
  return verification.kind === 'broken' ? `entry ${verification.number} ${verification.why}` : null
}

/**
 * Seals the end of the log with the secret key, unless what was sealed is gone: database access alone cannot rewrite entries.
 * @returns the reason not to seal; null if the log is sealed
 */
export async function sealAudit(deps: AuditSealDeps): Promise<string | null> {
  const { db, seal, folder } = deps
  const heads = await readKnownHeads(deps)
  const { chainEnd } = heads
  const fault = await findFault(deps, heads)
  if (fault !== null) return fault
  const head: ChainHead = { number: chainEnd.number, hash: chainEnd.hash.toString('hex') }
  const isSealed = typeof heads.sealed === 'object' && heads.sealed.number >= head.number
  const isOldKey = chainEnd.seal !== null && seal.renewed(chainEnd.seal, sealContext) !== null
  if (!isSealed || isOldKey)
    await replaceSeal({ db }, { before: chainEnd.seal, after: seal.close(JSON.stringify(head), sealContext) })
  if ((heads.remembered?.number ?? -1) < head.number) await rememberHead(folder, head)
  return null
}

/** Seals a log that an operator has checked, whatever was sealed before. @returns the reason not to */
export async function sealAgain(deps: AuditSealDeps): Promise<string | null> {
  await forgetHead(deps.folder)
  const { seal: storedSeal } = await readChainEnd(deps)
  await replaceSeal(deps, { before: storedSeal, after: null })
  return sealAudit(deps)
}

/** Creates the periodic job that seals the log. It logs a fault when it first meets it. */
export function createAuditSealer(deps: AuditSealDeps & { log: (level: 'error', message: string) => void }): () => Promise<void> {
  let loggedFault: string | null = null
  return async () => {
    const fault = await sealAudit(deps)
    if (fault !== null && fault !== loggedFault)
      deps.log('error', `The audit log was tampered with: ${fault}. See docs/OPERATING.md.`)
    loggedFault = fault
  }
}
