import { randomBytes } from 'node:crypto'
import { hasWall, maxStandInLength, maxStandInLinks } from '@clearway/contract/monitor/page/wall/model.ts'
import { withTimeout } from '../../browser/deadline.ts'
import { callInTab } from '../../browser/isolated-world.ts'
import { maxSettleMs } from '../settle/limits.ts'
import { waitUntilIdle } from '../settle/settle.ts'
import { arriveAtUrl } from './arrive.ts'
import { getRemainingMs, type VisitContext, type VisitResult } from './context.ts'

// A page that a site shows for every address stands in for content that was not seen: maintenance, a challenge, a consent
// page. An application also sends one response for every address, but shows another page for some of them.

/** Characters of the page's text that the plain response has to contain. */
const comparedLength = 20
/** Maximum text of a page whose script leads to another one: “You are being redirected…”. */
const maxLeadingLength = 100
const codeTag = /^(script|style)\b/i
const maxRequestMs = 5000

/** Text without the address that was requested, and without words that differ at each visit: numbers, times, tokens. */
function normalizeText(text: string, url: string): string {
  const { pathname } = new URL(url)
  return (pathname === '/' ? text : text.replaceAll(pathname, ' '))
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '' && word !== '/' && !/\d/.test(word))
    .join(' ')
}

/** Text of HTML without tags and code. */
const readHtmlText = (html: string): string =>
  html
    .split('<')
    .map((part) => (codeTag.test(part) ? '' : part.slice(part.indexOf('>') + 1)))
    .join(' ')

/** Text of the plain response of a URL; null for an error. */
async function fetchPlainText(context: VisitContext, url: string): Promise<string | null> {
  const { fetchText, userAgent } = context.deps.plainRequest
  const response = await fetchText(url, userAgent)
  return response.ok && response.status < 400 ? normalizeText(readHtmlText(response.text), url) : null
}

/** Normalized text that the tab shows; null if it does not respond. */
async function readShownText(context: VisitContext, url: string): Promise<string | null> {
  const result = await callInTab<string>(context.tab, 'document.documentElement.innerText', getRemainingMs(context, 2000))
  return result.kind === 'value' && typeof result.value === 'string' ? normalizeText(result.value, url) : null
}

/** Returns true if the tab shows another text at an address than `pageText`. */
async function showsOtherText(context: VisitContext, url: string, pageText: string): Promise<boolean> {
  const { tab, deps } = context
  const arrival = await arriveAtUrl(tab, deps.guard, url, getRemainingMs(context, maxRequestMs))
  if (arrival.kind !== 'document') return false
  await waitUntilIdle(tab, { capMs: getRemainingMs(context, maxSettleMs.links) })
  const shownText = await readShownText(context, url)
  return shownText !== null && shownText !== pageText
}

/** The menu of a wall in the layout of its site has at most this many links, to at most this many pages. */
const maxMenuLinks = 12
const maxMenuPages = 6

const mediaSelector = 'canvas, video, audio, svg, img, picture, object, embed, iframe, frame, model-viewer'
/** Returns true if the tab's page may show something that is no text. */
async function showsMedia(context: VisitContext): Promise<boolean> {
  const expression = `document.querySelector(${JSON.stringify(mediaSelector)}) !== null || [...document.querySelectorAll('*')].slice(0, 2000).some((element) => element.shadowRoot)`
  const result = await callInTab<boolean>(context.tab, expression, getRemainingMs(context, 2000))
  return result.kind !== 'value' || result.value
}

/** The pages of the same site that a page leads to, one address of each. */
function listLinkedUrls({ deps }: VisitContext, pageUrl: string, links: VisitResult['links']): string[] {
  const { origin, pathname } = new URL(pageUrl)
  const linkedUrls = links.flatMap(({ url: urlText, acts }) => {
    const url = URL.parse(urlText)
    return url?.origin === origin && url.pathname !== pathname && !acts && !deps.acting.mayAct(url.href) ? [url] : []
  })
  return [...new Map(linkedUrls.map((url) => [url.pathname, url.href])).values()]
}

type StandIn = {
  finalUrl: string
  links: VisitResult['links']
  text: string
  hasControls: boolean
  /** Has more links than a wall by itself: they may be the menu of the site, in which it stands. */
  hasMenu: boolean
}

/**
 * Returns the linked pages with their responses; null if they are content. A page that asks for something may link to its imprint; one
 * that asks for nothing links to content, and so does a menu.
 */
async function readLinkedPages(context: VisitContext, page: StandIn, pageText: string) {
  const linkedUrls = listLinkedUrls(context, page.finalUrl, page.links)
  const { href: ownUrl, pathname } = new URL(page.finalUrl)
  const hasOwnLink = page.links.some(({ url }) => URL.parse(url, ownUrl)?.pathname === pathname)
  const menuPageCount = linkedUrls.length === 0 ? 0 : linkedUrls.length + Number(hasOwnLink)
  if (page.hasMenu && (menuPageCount < 2 || linkedUrls.length > maxMenuPages)) return null
  const comparedUrls = page.hasMenu ? linkedUrls : linkedUrls.slice(0, 1)
  const responses = await Promise.all(comparedUrls.map((url) => fetchPlainText(context, url)))
  const isContent = (response: string | null) => response !== pageText && (response !== null || page.hasMenu)
  if ((page.hasMenu || !page.hasControls) && responses.some(isContent)) return null
  return comparedUrls.filter((_, index) => responses[index] === pageText)
}

/** Returns true if a site shows a page for an address that cannot exist, and nothing else for any other. */
async function standsInForAll(context: VisitContext, page: StandIn): Promise<boolean> {
  const { finalUrl, text, hasMenu } = page
  const { origin } = new URL(finalUrl)
  const { exactOrigins } = context.deps.walls
  // Most sites have an error for addresses that cannot exist: one request is enough for all of their pages with a menu.
  if (hasMenu && exactOrigins.has(origin)) return false
  const randomUrl = new URL(`/${randomBytes(8).toString('hex')}`, finalUrl).href
  const randomResponse = await fetchPlainText(context, randomUrl)
  if (randomResponse === null) exactOrigins.add(origin)
  if (randomResponse === null) return false
  const ownResponse = (await fetchPlainText(context, finalUrl)) ?? ''
  // The start URL led here, and so may the script of any other address, which has hardly any text.
  const isLedTo = randomResponse.length <= maxLeadingLength && context.claim.wave > context.claim.depth
  if (randomResponse !== ownResponse && !isLedTo) return false
  // The texts of an application come from its scripts.
  if (!ownResponse.includes(normalizeText(text, finalUrl).slice(0, comparedLength).trim())) return false
  const linkedUrls = await readLinkedPages(context, page, randomResponse)
  if (linkedUrls === null) return false
  const shownText = await readShownText(context, finalUrl)
  if (shownText === null) return true
  for (const otherUrl of [randomUrl, ...linkedUrls]) if (await showsOtherText(context, otherUrl, shownText)) return false
  return true
}

/**
 * Marks a start page with hardly any content, or a short one that leads to nothing else, that stands in for its whole site. The tab may
 * show another page afterwards.
 * @returns the visit, with the wall if there is one
 */
export async function markStandIn(context: VisitContext, visit: VisitResult): Promise<VisitResult> {
  const { outcome, pageText = '' } = visit
  if (outcome.kind !== 'completed' || !outcome.evidence || context.claim.depth > 0) return visit
  const { links, textLength, controls, textHash } = outcome.evidence
  if (links > maxMenuLinks || textLength > maxStandInLength || hasWall(outcome.notices)) return visit
  const isBlank = textHash === null && controls === 0 && !(await showsMedia(context))
  if (pageText === '' && !isBlank) return visit
  const page: StandIn = {
    finalUrl: outcome.finalUrl,
    links: visit.links,
    text: pageText,
    hasControls: controls > 0,
    hasMenu: links > maxStandInLinks,
  }
  const comparison = await withTimeout(getRemainingMs(context, Infinity), standsInForAll(context, page))
  if (!comparison.done || !comparison.value) return visit
  return { ...visit, outcome: { ...outcome, health: null, notices: [...outcome.notices, 'same-as-other-pages'] } }
}
