import { gunzipSync } from 'node:zlib'
import { decodeFileText } from '@clearway/contract/kit/decode-text.ts'
import json5 from 'json5'
import { parse as parseYaml } from 'yaml'
import * as z from 'zod/mini'
import type { ImportedConfig } from './imported-config.ts'
import { importPa11y, maxUrls } from './import-pa11y.ts'
import { readOptionFile, WrongArgument } from './wrong-argument.ts'

const Urls = z.array(z.string()).check(z.maxLength(maxUrls))
const Settings = z.record(z.string(), z.unknown())

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

/** Maximum size of an unpacked sitemap. */
const maxTextBytes = 100_000_000

/** Text of a file, unpacked if it is compressed as sitemaps are. @throws WrongArgument */
function readSourceText(source: string): string {
  const bytes = readOptionFile('from', source)
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return decodeFileText(bytes)
  try {
    return decodeFileText(gunzipSync(bytes, { maxOutputLength: maxTextBytes }))
  } catch {
    throw new WrongArgument(`${source} cannot be unpacked: it is damaged or larger than 100 MB.`)
  }
}

/** Parses JSON, with comments as in some editors, or YAML by the name of the file. @throws WrongArgument */
function parseContent(text: string, source: string): unknown {
  if (/\.[cm]?[jt]s$/i.test(source))
    throw new WrongArgument(`${source} is a program, which is not run: write what it exports as JSON to a file, and name that.`)
  try {
    return /\.ya?ml$/i.test(source) ? parseYaml(text, { logLevel: 'silent' }) : json5.parse(text)
  } catch {
    throw new WrongArgument(`${source} is neither JSON nor YAML.`)
  }
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
  const text = readSourceText(source)
  if (text.trimStart().startsWith('<')) {
    const sitemap = importSitemap(text)
    if (sitemap) return sitemap
    throw new WrongArgument(`${source} is not a sitemap with URLs; name that of an index by its URL.`)
  }
  const content = parseContent(text, source)
  const imported = importPa11y(content) ?? importLighthouse(content)
  if (imported) return imported
  throw new WrongArgument(`${source} is neither a configuration of pa11y-ci or Lighthouse CI with URLs, nor a sitemap.`)
}
