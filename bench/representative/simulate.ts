import { AdvancedSettings } from '../../packages/contract/src/monitor/scan/advanced/schema.ts'
import { readPageUrl } from '../../packages/contract/src/monitor/page/url/model.ts'
import type { MemoryFrontier } from '../../packages/engine/src/crawl/memory-frontier.ts'
import { describeUrl, hashText, listPlainUrls, maskGenerated } from '../../packages/engine/src/crawl/scope/bucket.ts'
import { computeChain, computePattern, getTrapReason, openContentLog } from '../../packages/engine/src/crawl/scope/trap.ts'
import type { Claim, NewEntry } from '../../packages/engine/src/frontier.ts'
import type { PageOutcome } from '../../packages/engine/src/outcome.ts'
import * as z from 'zod/mini'
import type { SitePage } from './sites.ts'

type Link = { href: string; label: string; place: 'main' | 'nav' | 'footer' }

const settings = z.parse(AdvancedSettings, {})
const landmarks = new Set(['main', 'nav', 'footer'])

/** Links, main text, controls and tags of a generated page, as a browser would read them. */
function readPage({ title, body }: SitePage) {
  const links: Link[] = []
  const [texts, controls]: [string[], string[]] = [[], []]
  const tags = new Set<string>()
  let place: Link['place'] = 'main'
  let link: Link | null = null
  let linkLength = 0
  const addText = (text: string) => {
    if (link) link.label += text
    else if (place === 'main') texts.push(text)
  }
  const endLink = ({ href, label, place: linkPlace }: Link) => {
    const isAddress = label.startsWith('/') || label === href || href.endsWith(`/${label}`)
    if (linkPlace !== 'main' || isAddress) return
    texts.push(label)
    linkLength += label.length
  }
  for (const [, slash = '', tag = '', attributes = '', text] of `<h1>${title}</h1>${body}`.matchAll(
    /<(\/?)([a-z0-9]+)([^>]*)>|([^<]+)/g,
  )) {
    if (text !== undefined) addText(text)
    else if (landmarks.has(tag)) place = slash === '' ? (tag as Link['place']) : 'main'
    else if (tag === 'a' && slash === '')
      links.push((link = { href: /href="([^"]*)"/.exec(attributes)![1]!.replaceAll('&amp;', '&'), label: '', place }))
    else if (tag === 'a' && link) {
      endLink(link)
      link = null
    }
    if (slash === '' && tag !== '') tags.add(tag)
    if (tag === 'input') controls.push(attributes)
  }
  const mainText = texts.join('\n')
  return { links, mainText, controls, template: hashText([...tags].join(' ')), isListing: linkLength > 0.7 * mainText.length }
}

type Visit = { outcome: PageOutcome; links: Link[] }

function visit(answer: (url: URL) => SitePage | null, url: URL): Visit {
  const page = answer(url)
  if (!page) return { outcome: { kind: 'failed', reason: 'http-404', detail: 'HTTP 404', durationMs: 0 }, links: [] }
  const { links, mainText, controls, template, isListing } = readPage(page)
  const hashContent = (text: string) => hashText(`${page.language ?? ''}\n${text}\n${controls.join(' ')}`)
  const outcome: PageOutcome = {
    kind: 'completed',
    finalUrl: url.href,
    httpStatus: 200,
    mimeType: 'text/html',
    durationMs: 0,
    title: page.title,
    health: 'good',
    findings: [],
    notices: [],
    content: null,
    signature: {
      content: hashContent(mainText),
      masked: hashContent(maskGenerated(mainText, url)),
      template,
      isListing,
      isUnlisted: page.head?.includes('noindex') ?? false,
    },
  }
  return { outcome, links }
}

const pagesAtOnce = 16

/** Crawls a generated site as a scan does, without a browser: hundreds of runs take seconds. */
export async function simulateCrawl(
  origin: string,
  answer: (url: URL) => SitePage | null,
  frontier: MemoryFrontier,
): Promise<void> {
  const contents = openContentLog()
  const createEntries = (claim: Claim, { outcome, links }: Visit): NewEntry[] => {
    const claimUrl = new URL(claim.url)
    const { content = '', template = '' } = (outcome.kind === 'completed' && outcome.signature) || {}
    const isNew = contents.isNew(computePattern(claimUrl), content)
    const parent = { pattern: computePattern(claimUrl), chain: (claim.chain ?? 0) - Number(isNew) }
    const entries = new Map<string, NewEntry>()
    const plainUrls = listPlainUrls([claim.url, ...links.map(({ href }) => new URL(href, claim.url).href)])
    for (const { href, label, place } of links) {
      const pageUrl = readPageUrl(href, settings, claim.url)
      if (!pageUrl.ok || pageUrl.key === claim.key || entries.has(pageUrl.key)) continue
      const chain = computeChain(pageUrl.parsed, parent)
      const placement = describeUrl(pageUrl.parsed, { place, label }, { template, isUnfollowed: false, plainUrls }, 0)
      const exclusion = getTrapReason(pageUrl.parsed, chain) === null ? null : ('trap' as const)
      const position = { depth: claim.depth + 1, wave: claim.wave + 1, foundOn: claim.url }
      entries.set(pageUrl.key, { url: pageUrl.url, key: pageUrl.key, ...position, chain, exclusion, ...placement })
    }
    return [...entries.values()]
  }
  const start = { url: `${origin}/`, key: `${origin}/`, depth: 0, wave: 0, foundOn: null, exclusion: null }
  await frontier.seed([start])
  while ((await frontier.state()) === 'open')
    for (const claim of await frontier.claim(pagesAtOnce)) {
      const result = visit(answer, new URL(claim.url))
      await frontier.record(claim, result.outcome, createEntries(claim, result))
    }
}
