/** @module-tag slow */
import { AdvancedSettings } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import { defaultRuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { describeOutcome, html, type Route, tryScan, useTestPool, useTestSite } from '../../test/harness.ts'
import type { PageOutcome } from '../outcome.ts'
import { scan } from '../scan.ts'
import { openMemoryFrontier } from './memory-frontier.ts'

// A start URL that redirects: its target is the start of the scan, within the domains.

const pool = useTestPool()
const redirect =
  (location: string): Route =>
  (_, response) =>
    void response.writeHead(302, { location }).end()
const site = useTestSite((): Record<string, Route> => {
  const links = '<a href="/new/en/a">A</a> <a href="/new/de/b">B</a> <a href="/old/c">C</a> <a href="/elsewhere">D</a>'
  return {
    '/old/': redirect('/moved'),
    '/moved': redirect('/new/en/'),
    '/script/': html('Script', '<script>location.replace("/new/en/")</script>'),
    '/new/en/': html('Start', links),
    '/new/en/a': html('A', '<a href="/new/en/deeper">Deeper</a>'),
    '/new/en/deeper': html('Deeper', links),
    '/new/de/b': html('B', ''),
    '/old/c': html('C', ''),
    '/elsewhere': html('Elsewhere', ''),
    // A link that leads out of the folder is no start URL.
    '/folder/': html('Folder', '<a href="/folder/out">Out</a>'),
    '/folder/out': redirect('/elsewhere'),
  }
})

it.each(['/old/', '/script/'])('stays in the folder that a start URL leads to: %s', async (startPath) => {
  const { pages, excluded } = await tryScan(pool, site, { urls: [startPath], advanced: { restrictToFolder: true } })
  const outcomes = Object.fromEntries(Object.entries(pages).map(([path, outcome]) => [path, describeOutcome(outcome)]))
  expect(outcomes).toMatchObject({ '/new/en/': 'completed', '/new/en/a': 'completed', '/new/en/deeper': 'completed' })
  const excludedPaths = excluded.map(({ url, exclusion }) => [url.replace(site.origin, ''), exclusion])
  expect(excludedPaths).toContainEqual(['/new/de/b', 'outside-folder'])
  expect(excludedPaths).toContainEqual(['/elsewhere', 'outside-folder'])
  expect(pages['/old/c']).toEqual(startPath === '/old/' ? expect.objectContaining({ kind: 'completed' }) : undefined)
})

it('does not follow links that lead out of the folder', async () => {
  const { pages } = await tryScan(pool, site, { urls: ['/folder/'], advanced: { restrictToFolder: true } })
  expect(describeOutcome(pages['/folder/out'])).toBe('excluded outside-folder')
  expect(pages['/elsewhere']).toBeUndefined()
})

it('knows the folder in every process of the run', async () => {
  const outcomes: Record<string, PageOutcome> = {}
  const frontier = openMemoryFrontier({
    pageLimit: 100,
    onRecorded: ({ url }, outcome) => void (outcomes[url.replace(site.origin, '')] = outcome),
  })
  const plan = {
    urls: [`${site.origin}/old/`],
    domains: [new URL(site.origin).host],
    depth: null,
    pageLimit: 100,
    ruleSet: defaultRuleSet,
    advanced: z.parse(AdvancedSettings, { savePictures: false, restrictToFolder: true }),
    allowPrivate: ['127.0.0.0/8', '::1'],
    concurrency: 1,
  }
  const stopController = new AbortController()
  // The first process ends when it has recorded the target, so that another one sees only the links.
  const firstFrontier: typeof frontier = {
    ...frontier,
    async record(claim, ...args) {
      const wasRecorded = await frontier.record(claim, ...args)
      if (claim.url.endsWith('/new/en/')) stopController.abort()
      return wasRecorded
    },
  }
  await scan({ pool, frontier: firstFrontier }, plan, stopController.signal)
  expect(outcomes['/new/en/deeper']).toBeUndefined()
  await scan({ pool, frontier }, plan, new AbortController().signal)
  expect(describeOutcome(outcomes['/new/en/deeper'])).toBe('completed')
})
