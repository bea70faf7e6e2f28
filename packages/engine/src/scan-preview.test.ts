import { AdvancedSettings } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import { defaultRuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { html, type Route, useTestSite, useTestPool } from '../test/harness.ts'
import { previewScope, testUrl, type PreviewedUrl } from './scan-preview.ts'
import type { ScanPlan } from './settings.ts'

const pool = useTestPool()
const site = useTestSite(() => routes)
const routes: Record<string, Route> = {
  '/': html('Home', '<a href="/a">a</a> <a href="/x">x</a> <a href="/gone">g</a> <a href="http://other.test/">o</a>'),
  '/a': html('A', '<a href="/b">b</a> <a href="/c">c</a>'),
  '/b': html('B', ''),
  '/slow': () => undefined,
  '/robots.txt': 'User-agent: *\nDisallow: /private',
}
const buildPlan = (overrides: Partial<ScanPlan> = {}): ScanPlan => ({
  urls: [`${site.origin}/`],
  domains: [new URL(site.origin).host],
  depth: null,
  pageLimit: 4,
  ruleSet: defaultRuleSet,
  advanced: z.parse(AdvancedSettings, {}),
  allowPrivate: ['127.0.0.0/8'],
  concurrency: 2,
  excludeRules: [{ kind: 'glob', pattern: '*/x' }],
  ...overrides,
})

test('a preview lists each URL with the verdict of a scan', async () => {
  const previewedUrls: PreviewedUrl[] = []
  const previewEnd = await previewScope({ pool, onUrl: (previewedUrl) => previewedUrls.push(previewedUrl) }, buildPlan(), {
    limitMs: 20_000,
    signal: new AbortController().signal,
  })
  expect(previewEnd).toEqual({ kind: 'whole' })
  const verdicts = Object.fromEntries(
    previewedUrls.map(({ url, verdict, reason }) => [url.replace(site.origin, ''), `${verdict} ${reason ?? ''}`.trim()]),
  )
  expect(verdicts).toEqual({
    '/': 'crawled',
    '/a': 'crawled',
    '/x': 'excluded excluded-by-rule',
    '/gone': 'failed http-404',
    'http://other.test/': 'excluded other-domain',
    '/b': 'crawled',
    '/c': 'excluded over-limit',
  })
  expect(previewedUrls.find(({ url }) => url.endsWith('/b'))?.foundOn).toBe(`${site.origin}/a`)
})

test('a preview ends at its time limit', async () => {
  const startedAt = performance.now()
  const previewEnd = await previewScope({ pool, onUrl: () => undefined }, buildPlan({ urls: [`${site.origin}/slow`] }), {
    limitMs: 1500,
    signal: new AbortController().signal,
  })
  expect(previewEnd.kind).toBe('stopped')
  expect(performance.now() - startedAt).toBeLessThan(12_000)
})

test('tests one URL without opening it', async () => {
  const getVerdict = async (path: string) => {
    const { verdict: urlVerdict, reason, detail } = await testUrl({ pool }, buildPlan(), new URL(path, site.origin).href)
    return [urlVerdict, reason, detail]
  }
  expect(await getVerdict('/a')).toEqual(['crawled', null, null])
  expect(await getVerdict('/x')).toEqual(['excluded', 'excluded-by-rule', 'Rule 1: fits the pattern */x'])
  expect((await getVerdict('/private/y')).slice(0, 2)).toEqual(['excluded', 'robots'])
  expect((await getVerdict('http://other.test/')).slice(0, 2)).toEqual(['excluded', 'other-domain'])
  expect((await testUrl({ pool }, buildPlan(), 'nonsense')).reason).toBe('bad-url')
})
