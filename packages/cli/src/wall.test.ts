/** @module-tag slow */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { harmless, partialWalls, serveWalledSite, walls, type WalledSite } from '../../engine/test/walls.ts'
import { runClearway } from '../test/run-clearway.ts'
import { Report } from './schema.ts'

// A first scan that meets a wall: the command neither calls it clean nor ends with success. The engine's tests show that
// pages behind every wall carry one of these notices, and that pages of every harmless change carry none.
const wallNames = ['modal dialog', 'redirect to a consent page', 'captcha', 'interface down'] as const
const harmlessNames = ['a newsletter that comes late', 'numbered pages without a link', 'copies under other queries'] as const

const site = {} as WalledSite
beforeAll(async () => void Object.assign(site, await serveWalledSite()))
afterAll(() => site.close())

const scan = (...options: string[]) => runClearway(['scan', `${site.origin}/`, '--allow-private', '--no-sandbox', ...options])

it.each(wallNames)('says that the content was not seen: %s', async (name) => {
  site.setWall(walls[name])
  const { code, out, err } = await scan('--format', 'json', '--min-score', '1', '--fail-on', 'minor')
  const { score, totals, pages } = Report.parse(JSON.parse(out))
  expect({ code, score, good: pages.filter(({ health }) => health !== null).map(({ url }) => url) }).toEqual({
    code: 3,
    score: null,
    good: [],
  })
  expect(totals.walled).toBeGreaterThan(0)
  expect(err).toContain(`The content of ${totals.walled} of`)
})

it.each(harmlessNames)('counts as seen: %s', async (name) => {
  site.setWall(harmless[name])
  const { code, out } = await scan('--format', 'json')
  expect({ code, walled: Report.parse(JSON.parse(out)).totals.walled }).toEqual({ code: 0, walled: 0 })
})

it('counts dead links that answer 200 as no good pages', async () => {
  site.setWall(partialWalls['dead links that answer 200']())
  const { score, totals, pages } = Report.parse(JSON.parse((await scan('--format', 'json')).out))
  const good = pages.filter(({ health }) => health === 'good').map(({ url }) => url)
  expect({ score, walled: totals.walled, good }).toEqual({ score: 0, walled: 3, good: [] })
})

it('prints no number of issues and no score alone', async () => {
  site.setWall(walls['modal dialog'])
  // The banner is a page of its own, which no limit counts.
  const few = ['--page-limit', '3']
  const { out } = await scan(...few)
  expect(out).toContain('Score unknown, for 0 of 3 pages')
  expect(out).toMatch(/issues.*, without those of 3 pages whose content was not seen\./)
  expect(out).toContain('It looks like a consent dialog.')
  const junit = await scan(...few, '--format', 'junit')
  expect(junit.out.match(/<skipped message="[^"]*The content could not be reached/g)).toHaveLength(3)
  const sarif = JSON.parse((await scan(...few, '--format', 'sarif')).out) as {
    runs: { invocations: { executionSuccessful: boolean; toolExecutionNotifications: { level: string }[] }[] }[]
  }
  const [invocation] = sarif.runs[0]!.invocations
  expect(invocation).toMatchObject({ executionSuccessful: false })
  expect(invocation!.toolExecutionNotifications.filter(({ level }) => level === 'warning').length).toBeGreaterThanOrEqual(3)
})
