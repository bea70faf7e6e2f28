import { decodeFileText } from '@clearway/contract/kit/decode-text.ts'
import * as z from 'zod/mini'
import { readOptionFile, WrongArgument } from './wrong-argument.ts'

/** Options for a configuration file, and the settings of the other tool that have no counterpart. */
export type ImportedConfig = { config: Record<string, unknown>; missing: string[] }

const maxUrls = 100_000
const Urls = z.array(z.string()).check(z.maxLength(maxUrls))
const Settings = z.record(z.string(), z.unknown())

const Pa11yConfig = z.object({
  defaults: z._default(z.optional(Settings), {}),
  urls: z.array(z.union([z.string(), z.looseObject({ url: z.string() })])).check(z.maxLength(maxUrls)),
})

const pa11yStandards: ReadonlyMap<unknown, string> = new Map([
  ['WCAG2A', 'wcag21a'],
  ['WCAG2AA', 'wcag21aa'],
  ['WCAG2AAA', 'wcag21aaa'],
])

/** Counterparts of the settings of pa11y; null if a value has none. */
const pa11ySettings = new Map<string, (value: unknown) => Record<string, unknown> | null>([
  [
    'timeout',
    (value) => (typeof value === 'number' ? { 'page-timeout': Math.min(300, Math.max(1, Math.ceil(value / 1000))) } : null),
  ],
  ['concurrency', (value) => (typeof value === 'number' ? { concurrency: Math.min(64, Math.max(1, value)) } : null)],
  ['userAgent', (value) => (typeof value === 'string' ? { 'user-agent': value } : null)],
  ['standard', (value) => (pa11yStandards.has(value) ? { standard: pa11yStandards.get(value) } : null)],
  [
    'headers',
    (value) => {
      const headers = z.safeParse(z.record(z.string(), z.string()), value)
      return headers.success ? { header: Object.entries(headers.data).map(([name, text]) => `${name}: ${text}`) } : null
    },
  ],
])

function importPa11y(content: unknown): ImportedConfig | null {
  const parsed = z.safeParse(Pa11yConfig, content)
  if (!parsed.success) return null
  const { defaults, urls } = parsed.data
  const imported = Object.entries(defaults).map(([name, value]) => ({
    name,
    options: pa11ySettings.get(name)?.(value) ?? null,
  }))
  const urlSettings = urls.flatMap((url) => (typeof url === 'string' ? [] : Object.keys(url).filter((name) => name !== 'url')))
  return {
    // pa11y-ci tests the listed URLs only.
    config: {
      urls: urls.map((url) => (typeof url === 'string' ? url : url.url)),
      depth: 0,
      ...Object.assign({}, ...imported.map(({ options }) => options)),
    },
    missing: [
      ...imported.filter(({ options }) => options === null).map(({ name }) => `defaults.${name}`),
      ...new Set(urlSettings.map((name) => `urls[].${name}`)),
    ],
  }
}

const LighthouseConfig = z.object({
  ci: z.looseObject({
    collect: z.looseObject({ url: z.union([z.string(), Urls]) }),
    assert: z.optional(z.looseObject({ assertions: z._default(z.optional(Settings), {}) })),
  }),
})
const MinScore = z.tuple([z.literal('error'), z.object({ minScore: z.number().check(z.minimum(0), z.maximum(1)) })])
const scoreAssertion = 'categories:accessibility'

function importLighthouse(content: unknown): ImportedConfig | null {
  const parsed = z.safeParse(LighthouseConfig, content)
  if (!parsed.success) return null
  const { collect, assert, ...others } = parsed.data.ci
  const minScore = z.safeParse(MinScore, assert?.assertions[scoreAssertion])
  const assertionNames = Object.keys(assert?.assertions ?? {})
  return {
    config: {
      urls: [collect.url].flat(),
      depth: 0,
      ...(minScore.success ? { 'min-score': minScore.data[1].minScore } : {}),
    },
    missing: [
      ...Object.keys(collect).flatMap((name) => (name === 'url' ? [] : [`ci.collect.${name}`])),
      ...Object.keys(assert ?? {}).flatMap((name) => (name === 'assertions' ? [] : [`ci.assert.${name}`])),
      ...assertionNames.flatMap((name) => (name === scoreAssertion && minScore.success ? [] : [`ci.assert.assertions.${name}`])),
      ...Object.keys(others).map((name) => `ci.${name}`),
    ],
  }
}

function importSitemap(text: string): ImportedConfig | null {
  const urls = [...text.matchAll(/<loc>([^<]{1,5000})<\/loc>/g)].map(([, url]) => url!.trim().replaceAll('&amp;', '&'))
  if (/<sitemapindex[\s>]/.test(text) || urls.length === 0) return null
  return { config: { urls: [...new Set(urls)].slice(0, maxUrls), depth: 0 }, missing: [] }
}

/**
 * Reads the configuration of pa11y-ci or Lighthouse CI, or a sitemap.
 * @param source a path, or the URL of a sitemap
 * @throws WrongArgument
 */
export function importConfig(source: string): ImportedConfig {
  if (/^https?:\/\//.test(source)) {
    const sitemapUrl = URL.parse(source)
    if (!sitemapUrl) throw new WrongArgument(`"${source}" is not a URL.`)
    return { config: { urls: [`${sitemapUrl.origin}/`], sitemap: [sitemapUrl.href] }, missing: [] }
  }
  const text = decodeFileText(readOptionFile('from', source))
  if (text.trimStart().startsWith('<')) {
    const sitemap = importSitemap(text)
    if (sitemap) return sitemap
    throw new WrongArgument(`${source} is not a sitemap with URLs; name that of an index by its URL.`)
  }
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    throw new WrongArgument(`${source} is not JSON: convert a configuration in JavaScript or YAML first.`)
  }
  const imported = importPa11y(content) ?? importLighthouse(content)
  if (imported) return imported
  throw new WrongArgument(`${source} is neither a configuration of pa11y-ci or Lighthouse CI with URLs, nor a sitemap.`)
}
