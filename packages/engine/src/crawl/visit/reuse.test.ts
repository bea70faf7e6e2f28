import { expect, it } from 'vitest'
import {
  html,
  poolOfFile,
  printsOf,
  rulesOf,
  siteOfFile,
  tryScan,
  type Route,
} from '../../../test/harness.ts'
import type { PageOutcome } from '../../outcome.ts'

// Pages that a run before has analysed.

const pool = poolOfFile()
const fault = '<img src="data:,">'
let late = ''
const routes: Record<string, Route> = {
  '/': html('Home', '<a href="/a">a</a> <a href="/b">b</a>'),
  '/a': html('A', fault),
  '/b': (_, response) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end(html('B', fault + late)),
  '/moves': html(
    'Moves',
    `${fault}<p></p><script>setInterval(() => document.querySelector('p').append('x'), 30)</script>`,
  ),
}
const site = siteOfFile(() => routes)
const advanced = { reuseUnchanged: true }

const what = (outcome: PageOutcome | undefined) =>
  outcome?.kind !== 'completed'
    ? 'none'
    : outcome.unchanged
      ? 'kept'
      : outcome.audited
        ? 'audited'
        : 'analysed'

it('keep what was found, but for one that is looked at all the same; their links are followed', async () => {
  late = ''
  const urls = ['/', '/moves']
  const first = await tryScan(pool, site, { advanced, urls })
  const known = printsOf(first.pages)
  expect(Object.keys(known).sort()).toEqual(['/', '/a', '/b'])
  const second = await tryScan(pool, site, {
    advanced: { ...advanced, reuseAuditPercent: 1 },
    urls,
    known,
  })
  const fates = Object.values(second.pages).map(what)
  expect(fates.filter((one) => one === 'audited').length).toBeGreaterThanOrEqual(1)
  expect(fates).toContain('kept')
  expect([...second.order].sort()).toEqual([...first.order].sort())
  expect(what(second.pages['/moves'])).toBe('analysed')
})

it('are analysed where they have changed, and all of them under another setting or without the setting', async () => {
  late = ''
  const known = printsOf((await tryScan(pool, site, { advanced })).pages)
  late = fault
  const changed = await tryScan(pool, site, { advanced, known })
  expect(what(changed.pages['/b'])).toBe('analysed')
  expect(rulesOf(changed.pages['/b'])).toEqual(['image-alt'])
  const wide = await tryScan(pool, site, { advanced: { ...advanced, windowWidth: 700 }, known })
  const off = await tryScan(pool, site, { advanced: { reuseUnchanged: false }, known })
  for (const { pages } of [wide, off])
    expect(Object.values(pages).map(what)).toEqual(Object.values(pages).map(() => 'analysed'))
  expect(printsOf(off.pages)).toEqual({})
})

it('are all looked at where the share is the whole, however many days they may be kept', async () => {
  late = ''
  const known = printsOf((await tryScan(pool, site, { advanced })).pages)
  const { pages } = await tryScan(pool, site, {
    advanced: { ...advanced, reuseAuditPercent: 100, reuseDays: 1 },
    known,
  })
  expect(['/', '/a', '/b'].map((path) => what(pages[path]))).toEqual(['audited', 'audited', 'audited'])
  expect(rulesOf(pages['/a'])).toEqual(['image-alt'])
})
