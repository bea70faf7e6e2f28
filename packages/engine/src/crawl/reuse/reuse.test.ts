/** @module-tag slow */
import { expect, it } from 'vitest'
import { html, useTestPool, getFingerprints, listRules, useTestSite, tryScan, type Route } from '../../../test/harness.ts'
import type { PageOutcome } from '../../outcome.ts'

// Pages that a previous run has analyzed.

const pool = useTestPool()
const faultyImage = '<img src="data:,">'
let lateContent = ''
const routes: Record<string, Route> = {
  '/': html('Home', '<a href="/a">a</a> <a href="/b">b</a>'),
  '/a': html('A', faultyImage),
  '/b': (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(html('B', faultyImage + lateContent)),
  '/moves': html('Moves', `${faultyImage}<p></p><script>setInterval(() => document.querySelector('p').append('x'), 30)</script>`),
}
const site = useTestSite(() => routes)
const advanced = { reuseUnchanged: true }

const describeResult = (outcome: PageOutcome | undefined) =>
  outcome?.kind !== 'completed' ? 'none' : outcome.unchanged ? 'kept' : outcome.audited ? 'audited' : 'analyzed'

it('unchanged pages keep their findings except audited ones; their links are followed', async () => {
  lateContent = ''
  const urls = ['/', '/moves']
  const firstScan = await tryScan(pool, site, { advanced, urls })
  const knownPrints = getFingerprints(firstScan.pages)
  expect(Object.keys(knownPrints).sort()).toEqual(['/', '/a', '/b'])
  const secondScan = await tryScan(pool, site, { advanced: { ...advanced, reuseAuditPercent: 1 }, urls, knownPrints })
  const pageResults = Object.values(secondScan.pages).map(describeResult)
  expect(pageResults.filter((pageResult) => pageResult === 'audited').length).toBeGreaterThanOrEqual(1)
  expect(pageResults).toContain('kept')
  expect([...secondScan.order].sort()).toEqual([...firstScan.order].sort())
  // Pages that are kept are also compared with others by their content of today.
  const listContents = (pages: Record<string, PageOutcome>) =>
    ['/', '/a', '/b'].map((path) => (pages[path] as Extract<PageOutcome, { kind: 'completed' }>).signature?.content)
  expect(listContents(secondScan.pages)).toEqual(listContents(firstScan.pages))
  expect(new Set(listContents(firstScan.pages)).size).toBe(3)
  expect(describeResult(secondScan.pages['/moves'])).toBe('analyzed')
})

it('changed pages are analyzed, and all pages under other settings or without reuse', async () => {
  lateContent = ''
  const knownPrints = getFingerprints((await tryScan(pool, site, { advanced })).pages)
  lateContent = faultyImage
  const changedScan = await tryScan(pool, site, { advanced, knownPrints })
  expect(describeResult(changedScan.pages['/b'])).toBe('analyzed')
  expect(listRules(changedScan.pages['/b'])).toEqual(['image-alt'])
  const narrowScan = await tryScan(pool, site, { advanced: { ...advanced, windowWidth: 700 }, knownPrints })
  const disabledScan = await tryScan(pool, site, { advanced: { reuseUnchanged: false }, knownPrints })
  for (const { pages } of [narrowScan, disabledScan])
    expect(Object.values(pages).map(describeResult)).toEqual(Object.values(pages).map(() => 'analyzed'))
  expect(getFingerprints(disabledScan.pages)).toEqual({})
})

it('all pages are analyzed at an audit share of 100 %, regardless of reuse days', async () => {
  lateContent = ''
  const knownPrints = getFingerprints((await tryScan(pool, site, { advanced })).pages)
  const { pages } = await tryScan(pool, site, { advanced: { ...advanced, reuseAuditPercent: 100, reuseDays: 1 }, knownPrints })
  expect(['/', '/a', '/b'].map((path) => describeResult(pages[path]))).toEqual(['audited', 'audited', 'audited'])
  expect(listRules(pages['/a'])).toEqual(['image-alt'])
})

it('pages without an awaited element are analyzed in each run', async () => {
  const waiting = { ...advanced, waitFor: ['#never'], waitForMs: 1000 }
  const firstScan = await tryScan(pool, site, { advanced: waiting, urls: ['/a'] })
  expect(firstScan.pages['/a']).toMatchObject({ kind: 'completed', notices: ['element-not-found'] })
  expect(getFingerprints(firstScan.pages)).toEqual({})
})
