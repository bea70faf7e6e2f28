import { callInTab } from '../browser/isolated-world.ts'
import type { Tab } from '../browser/tab.ts'
import { readFactsInPage, type PageFacts } from './view-in-page.ts'

// The proof that a page was shown to a signed-in user: it is not the page that asks for a password, and not the page that the
// site shows to other visitors.

/** Pages of a site as visitors see them, learned at the sign-in. */
export type SignInProof = {
  /** Pages that asked for a password. */
  signInPages: readonly PageFacts[]
  /** The start page without a session; null if it looks the same with one, or was not seen. */
  signedOutPage: (PageFacts & { status: number | null }) | null
  /** The start page of the signed-in user, if it differs from that of visitors. */
  memberPage?: PageFacts
  /** Origin that refuses its start page to visitors, so that each page that it shows is a proof. Others get no credentials. */
  refusedOrigin?: string
}

const callTimeoutMs = 3000
const maxTextCharacters = 4000

/** Reads the facts of the tab's page; null if it does not respond. */
export async function readPageFacts(tab: Tab): Promise<PageFacts | null> {
  const expression = `(${readFactsInPage.toString()})(${maxTextCharacters})`
  const result = await callInTab<PageFacts>(tab, expression, callTimeoutMs, 'watch')
  return result.kind === 'value' ? result.value : null
}

/** Parameters that name a page of a program with one address: `/index.php?title=Special:UserLogin`. */
const pageParameters = /^(?:title|page|route|action|act|option|view|module|controller|do|q|p|r|seite|pagina)$/i

/**
 * The address of a page without its query, which often names the next page. A route in the fragment belongs to it, and parameters
 * that name the page.
 */
export function toAddress(urlText: string): string {
  const url = URL.parse(urlText)
  if (!url) return urlText
  const route = /^#!?\//.test(url.hash) ? url.hash.split('?', 1)[0]! : ''
  const path = url.pathname.endsWith('/') ? url.pathname.slice(0, -1) : url.pathname
  const pages = [...url.searchParams].filter(([name, value]) => pageParameters.test(name) && !/^(?:https?:)?\//.test(value))
  const query = pages
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join('&')
  return `${url.host}${path}${query && `?${query}`}${route}`.toLowerCase()
}

/** Text without the words that differ at each visit: numbers, times, tokens. */
const normalizeText = (text: string): string =>
  text
    .split(/\s+/)
    .map((word) => (/\d/.test(word) ? '#' : word))
    .join(' ')
    .trim()
    .toLowerCase()

/** Share of the words of two pages that both have, without those of their titles and those that differ at each visit; 0–1. */
export function computeSharedWords(first: PageFacts, second: PageFacts): number {
  const listWords = (text: string): string[] => [...new Set(normalizeText(text).match(/[\p{L}\p{M}]{2,}/gu))]
  const titleWords = new Set(listWords(`${first.title} ${second.title}`))
  const [firstWords = [], secondWords = []] = [first, second].map(({ text }) =>
    listWords(text).filter((word) => !titleWords.has(word)),
  )
  const maxLength = Math.max(firstWords.length, secondWords.length)
  const knownWords = new Set(firstWords)
  return maxLength === 0 ? 1 : secondWords.filter((word) => knownWords.has(word)).length / maxLength
}

const maxLineCharacters = 80

/** The short lines of a text with letters, each once. */
export const listLines = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim().replaceAll(/\s+/g, ' ').toLowerCase())
      .filter((line) => /\p{L}/u.test(line) && line.length <= maxLineCharacters),
  ),
]

export const looksAlike = (first: PageFacts, second: PageFacts): boolean =>
  first.hasPassword === second.hasPassword &&
  normalizeText(first.title) === normalizeText(second.title) &&
  normalizeText(first.text) === normalizeText(second.text)

const hasSameTitle = (first: PageFacts, second: PageFacts): boolean =>
  normalizeText(first.title) !== '' && normalizeText(first.title) === normalizeText(second.title)

/** Returns true if a proof knows a page as visitors see it. */
export const knowsVisitorPages = ({ signInPages, signedOutPage }: SignInProof): boolean =>
  signInPages.length > 0 || signedOutPage !== null

/**
 * Returns true for a page that is proved by being shown, false if the proof cannot tell such pages from others, and null for a page of
 * an origin that gets no credentials: it has nothing to prove.
 */
export function judgeShownPage(proof: SignInProof, url: string): boolean | null {
  if (knowsVisitorPages(proof)) return true
  if (proof.refusedOrigin === undefined) return false
  return URL.parse(url)?.origin === proof.refusedOrigin ? true : null
}

/** Returns true if a URL is where the site asks for the password; a page that was requested there is a page like others. */
export function leadsToSignIn(proof: SignInProof, requestedUrl: string, reachedUrl: string): boolean {
  const reachedAddress = toAddress(reachedUrl)
  if (toAddress(requestedUrl) === reachedAddress) return false
  return proof.signInPages.some(({ url }) => toAddress(url) === reachedAddress)
}

/** Returns true if a URL is on another host, which asks for the password: the addresses of such hosts vary. */
export function leadsToSignInHost(proof: SignInProof, requestedUrl: string, reachedUrl: string): boolean {
  const reachedHost = URL.parse(reachedUrl)?.host
  return (
    URL.parse(requestedUrl)?.host !== reachedHost && proof.signInPages.some(({ url }) => URL.parse(url)?.host === reachedHost)
  )
}

/** Returns true if a page is shown to visitors who are not signed in. */
export function isSignedOutPage(proof: SignInProof, requestedUrl: string, facts: PageFacts): boolean {
  if (leadsToSignIn(proof, requestedUrl, facts.url)) return true
  const requestedAddress = toAddress(requestedUrl)
  const otherSignInPages = proof.signInPages.filter(({ url }) => toAddress(url) !== requestedAddress)
  const asksForPassword = otherSignInPages.some(
    (page) => facts.hasPassword && (hasSameTitle(page, facts) || looksAlike(page, facts)),
  )
  if (asksForPassword || proof.signedOutPage === null) return asksForPassword
  // A link to the sign-in page, to which visitors of the start page are sent: it shows its form to signed-in users, too.
  const isLinkedSignIn =
    toAddress(proof.signedOutPage.url) === requestedAddress &&
    proof.signedOutPage.hasPassword &&
    proof.memberPage !== undefined &&
    toAddress(proof.memberPage.url) !== requestedAddress
  return !isLinkedSignIn && looksAlike(proof.signedOutPage, facts)
}
