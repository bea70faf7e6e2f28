import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openTestApi, type TestApi } from '../../../../test/api.ts'
import { createSeal } from '../../../kit/seal.ts'
import { recordAuditEntry, verifyAudit } from '../service.ts'
import { type AuditSealDeps, createAuditSealer, listRequiredHeads, readKnownHeads, sealAgain, sealAudit } from './service.ts'

// Attempts of someone with full access to the database, but without the secret key and the data folder.

const [key, otherKey] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
let api: TestApi
let folder: string
let deps: AuditSealDeps
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())

const addEntry = (subject: string) =>
  recordAuditEntry(api, { action: 'refused', noun: 'sign-in', subject, actor: null, address: null, requestId: null })
const run = (...statements: string[]) => sql.raw(statements.join(';')).execute(api.db)
const verifySealed = async () => {
  const requiredHeads = listRequiredHeads(await readKnownHeads(deps))
  return typeof requiredHeads === 'string' ? requiredHeads : verifyAudit(deps, requiredHeads)
}
/** Computes all hashes from an entry on again, as the trigger does, and the end of the chain. */
const recomputeFrom = (first: number) => `do $$ declare entry audit; last bytea; begin
  for entry in select * from audit where number >= ${first} order by number loop
    last := coalesce(last, entry.previous);
    update audit set previous = last, hash = sha256(last || convert_to(audit_text(entry), 'UTF8')) where id = entry.id
      returning hash into last;
  end loop;
  update audit_chain set number = (select max(number) from audit), hash = last; end $$`
const cutFrom = (first: number) => [
  `delete from audit where number >= ${first}`,
  `update audit_chain set number = ${first - 1}, hash = (select hash from audit where number = ${first - 1})`,
]

beforeEach(async () => {
  await run('truncate audit', `update audit_chain set number = 0, hash = '', seal = null`)
  if (folder) rmSync(folder, { recursive: true, force: true })
  folder = mkdtempSync(join(tmpdir(), 'clearway-audit-'))
  deps = { db: api.db, seal: createSeal(key), folder }
  for (const subject of ['a', 'b', 'c', 'd', 'e', 'f']) await addEntry(subject)
  expect(await sealAudit(deps)).toBe(null)
  expect(await verifySealed()).toMatchObject({ kind: 'whole', entries: 6, last: 6 })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const changed = (number: number) => ({ kind: 'broken', number, why: expect.stringContaining('is not what was sealed') as string })
const missing = (number: number) => ({ kind: 'broken', number, why: 'is missing at the end' })

it('detects entries that were rewritten together with all hashes', async () => {
  await run(`update audit set actor = 'ann' where number = 3`, recomputeFrom(3))
  // The chain alone does not show it.
  expect(await verifyAudit(api)).toMatchObject({ kind: 'whole', last: 6 })
  expect(await verifySealed()).toEqual(changed(6))
  // It stays detectable: the server does not seal what was rewritten, and later entries do not hide it.
  await addEntry('g')
  expect(await sealAudit(deps)).toBe('entry 6 or one before it was changed')
  expect(await verifySealed()).toEqual(changed(6))
})

it('detects that the newest entries were removed together with the end of the chain', async () => {
  await run(...cutFrom(5))
  expect(await verifyAudit(api)).toMatchObject({ kind: 'whole', last: 4 })
  expect(await verifySealed()).toEqual(missing(5))
  expect(await sealAudit(deps)).toBe('entry 5 is missing at the end')
  // Other entries in their place.
  await addEntry('x')
  await addEntry('y')
  expect(await verifySealed()).toEqual(changed(6))
})

it('detects it after an earlier seal was put back, and after the seal was removed', async () => {
  const { rows } = await sql<{ seal: Buffer }>`select seal from audit_chain`.execute(api.db)
  await addEntry('g')
  await sealAudit(deps)
  await run(...cutFrom(7))
  await sql`update audit_chain set seal = ${rows[0]!.seal}`.execute(api.db)
  expect(await verifySealed()).toEqual(missing(7))
  expect(await sealAudit(deps)).toBe('entry 7 is missing at the end')
  await run('update audit_chain set seal = null')
  expect(await verifySealed()).toBe('its seal is missing')
  expect(await sealAudit(deps)).toBe('its seal is missing')
  await run('delete from audit', `update audit_chain set number = 0, hash = ''`)
  expect(await verifySealed()).toBe('its seal is missing')
})

it('accepts no seal of another key, and one of an older key until it is renewed', async () => {
  await sealAgain({ ...deps, seal: createSeal(otherKey) })
  expect(await verifySealed()).toBe('its seal does not open with the secret key')
  expect(await sealAudit(deps)).toBe('its seal does not open with the secret key')
  deps = { ...deps, seal: createSeal(key, otherKey) }
  expect(await sealAudit(deps)).toBe(null)
  deps = { ...deps, seal: createSeal(key) }
  expect(await verifySealed()).toMatchObject({ kind: 'whole', last: 6 })
})

it('seals the log of an earlier version only if its chain is whole', async () => {
  rmSync(join(folder, 'audit-head.json'))
  await run('update audit_chain set seal = null', `update audit set actor = 'ann' where number = 3`)
  expect(await sealAudit(deps)).toBe('entry 3 was changed')
  expect(existsSync(join(folder, 'audit-head.json'))).toBe(false)
  await run('update audit set actor = null where number = 3')
  expect(await sealAudit(deps)).toBe(null)
  expect(statSync(join(folder, 'audit-head.json')).mode & 0o777).toBe(0o600)
})

it('follows new entries, other machines and the deletion of old entries', async () => {
  const otherFolder = mkdtempSync(join(tmpdir(), 'clearway-audit-'))
  await addEntry('g')
  expect(await sealAudit({ ...deps, folder: otherFolder })).toBe(null)
  await addEntry('h')
  expect(await sealAudit(deps)).toBe(null)
  // The other machine remembers an entry that retention deletes.
  await run('delete from audit where number < 8')
  expect(await sealAudit({ ...deps, folder: otherFolder })).toBe(null)
  await run('delete from audit')
  expect(await sealAudit(deps)).toBe(null)
  expect(await verifySealed()).toMatchObject({ kind: 'whole', entries: 0, last: 8 })
  await addEntry('i')
  expect(await sealAudit(deps)).toBe(null)
  expect(await verifySealed()).toMatchObject({ kind: 'whole', first: 9, last: 9 })
  rmSync(otherFolder, { recursive: true })
})

it('logs a fault once, and is sealed again on request', async () => {
  const messages: string[] = []
  const sealLog = createAuditSealer({ ...deps, log: (_level, message) => messages.push(message) })
  await run(...cutFrom(4))
  for (let round = 0; round < 3; round++) await sealLog()
  expect(messages).toEqual(['The audit log was tampered with: entry 4 is missing at the end. See docs/OPERATING.md.'])
  expect(await sealAgain(deps)).toBe(null)
  expect(await verifySealed()).toMatchObject({ kind: 'whole', last: 3 })
})
