import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorkerRole } from '../src/process/worker.ts'
import { useTestApi } from './api.ts'
import type { Refused, Rule, RuleFile } from './rule/rule.ts'
import { adminRules } from './rule/admin.ts'
import { scanRules } from './rule/scan.ts'
import { timeRules } from './rule/time.ts'
import { sentences } from './rule/sentences.ts'
import { uploadTo } from './upload.ts'
import { buildUrl, makeWorld, type World } from './world.ts'

const root = new URL('../../../', import.meta.url)
const rules: readonly Rule[] = [...scanRules, ...timeRules, ...adminRules]

const api = useTestApi()
let worker: Awaited<ReturnType<typeof startWorkerRole>>
let world: World
let admin: string
beforeAll(async () => {
  world = await makeWorld(api)
  // Started only now: it would also claim the runs of that world, and visit their pages.
  worker = await startWorkerRole({ ...api, log: () => undefined })
  admin = await api.token('admin', ['access', 'admin'])
})
afterAll(() => worker.stop())

async function sendRule(rule: Rule, body: Rule['bad'], files: readonly RuleFile[] = []) {
  const [method = '', path = ''] = rule.call.split(' ')
  if (rule.files) return uploadTo(api, { token: admin, scan: world.scan, run: 1 }, files)
  const requestBody: unknown = typeof body === 'function' ? body(world) : body
  return api.call(method, buildUrl(path, world), { token: admin, body: JSON.parse(JSON.stringify(requestBody)) })
}

/** Builds the matcher of a refusal. */
function buildMatcher(refused: Refused): { status: number; body: object } {
  const containing = (error: object): unknown => expect.arrayContaining([expect.objectContaining(error)])
  if ('path' in refused) return { status: 400, body: { code: 'validation-failed', errors: containing(refused) } }
  if ('problem' in refused) return { status: refused.status, body: { code: refused.problem } }
  if ('validation' in refused) {
    const message: unknown = refused.message ?? expect.stringMatching(/\S/)
    return { status: 200, body: { success: false, code: refused.validation, message } }
  }
  if ('upload' in refused) return { status: 200, body: { success: false, errors: containing({ code: refused.upload }) } }
  const { imported: code, message } = refused
  const errors = containing({ code, ...(message !== undefined && { message }) })
  return { status: 200, body: { success: false, errorMessage: 'Upload failed in access.csv', errors } }
}

describe('the rules for values', () => {
  it('covers each of its clauses, and no other', () => {
    const coveredClauses = new Set(rules.map(({ clause }) => clause))
    const clauses = sentences.flatMap(({ server = [] }) => server)
    expect(clauses.filter((clause) => !coveredClauses.has(clause))).toEqual([])
    expect([...coveredClauses].filter((clause) => !clauses.includes(clause))).toEqual([])
  })

  it.each(sentences.flatMap(({ screen }) => screen ?? []))('leaves to the screens: $rule', ({ file, shows }) => {
    expect(readFileSync(new URL(file, root), 'utf8')).toContain(shows)
  })

  it.each(rules.map((rule) => [rule.clause, 'path' in rule.refused ? rule.refused.path : rule.call, rule] as const))(
    '%s (%s)',
    async (_clause, _about, rule) => {
      const bad = await sendRule(rule, rule.bad, rule.files?.bad)
      expect({ status: bad.status, body: bad.body as object }).toMatchObject(buildMatcher(rule.refused))
      const good = await sendRule(rule, rule.good, rule.files?.good)
      expect(good.status, JSON.stringify(good.body).slice(0, 400)).toBeLessThan(300)
      if ('success' in (good.body as object)) expect(good.body).toMatchObject({ success: true })
    },
  )
})
