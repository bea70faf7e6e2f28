import { maxSketchWords, type PageEvidence, type WallKind } from '../evidence/schema.ts'
import type { PageNotice } from '../schema.ts'
import { readPagePath } from '../url/model.ts'

// A wall is something in front of a page's content: a consent dialog, a challenge, a maintenance page, an error of an
// application. A page behind one has no health, and its missing issues were not rechecked.

/** Notices of pages whose content was not seen. */
export const wallNotices = [
  'content-out-of-reach',
  'same-as-other-pages',
  'unlike-last-time',
  'issues-disappeared',
  'own-requests-failed',
  'asks-for-password',
] as const satisfies readonly PageNotice[]
export type WallNotice = (typeof wallNotices)[number]

/** Walls concluded from other visits alone. A person may accept such a page as it is, for example after a redesign. */
export const comparedWallNotices = [
  'same-as-other-pages',
  'unlike-last-time',
  'issues-disappeared',
] as const satisfies readonly WallNotice[]

/** The wall of a page that changed in a run in which most issues disappeared. The next run that shows the same confirms it. */
export const unconfirmedNotice = 'issues-disappeared' as const satisfies WallNotice
/** The other walls: something stood in front of the content, and the next run does not confirm it. */
export const lastingWallNotices = wallNotices.filter((notice) => notice !== unconfirmedNotice)

const wallNoticeSet: ReadonlySet<PageNotice> = new Set(wallNotices)
const isWallNotice = (notice: PageNotice): notice is WallNotice => wallNoticeSet.has(notice)
export const hasWall = (notices: readonly PageNotice[]): boolean => notices.some(isWallNotice)

/** Share of painted text out of reach from which content counts as not tested. */
const minOutOfReachShare = 0.5
/** Less text out of reach than this is a decoration, not content. */
const minOutOfReachLength = 60
/** Up to this length, with no more than one link, a page whose requests failed shows a placeholder. */
const maxPlaceholderLength = 250
const maxPlaceholderLinks = 1

/** Walls that a page shows by itself. */
export function findOwnWalls(evidence: PageEvidence): WallNotice[] {
  const isOutOfReach = evidence.outOfReach >= minOutOfReachShare && evidence.outOfReachLength >= minOutOfReachLength
  const isPlaceholder = evidence.textLength <= maxPlaceholderLength && evidence.links <= maxPlaceholderLinks
  return [
    ...(isOutOfReach ? (['content-out-of-reach'] as const) : []),
    // Failed statistics next to the content of a page are not a wall.
    ...(evidence.failedRequests > 0 && isPlaceholder ? (['own-requests-failed'] as const) : []),
  ]
}

/** A page with a password field and at most this much text and this many links is there to sign in. */
const maxSignInLength = 1500
const maxSignInLinks = 15
const signInPath = /log-?in|log-?on|sign-?(?:in|up|on)|anmeld|connexion|acced|iniciar|auth|passw|regist|ログイン/i

/** Returns true if a page has so little content that a password field would be what it is there for. */
export const mayAskForPassword = ({ textLength, links }: Pick<PageEvidence, 'textLength' | 'links'>): boolean =>
  textLength <= maxSignInLength && links <= maxSignInLinks

/**
 * Returns true if a start page asks for a password instead of showing content. A person who names such a page by its own
 * address wants to test it.
 */
export const asksForPassword = (
  page: { url: string; hasPassword: boolean; startUrls: readonly string[] },
  evidence: Pick<PageEvidence, 'textLength' | 'links'>,
): boolean => page.hasPassword && mayAskForPassword(evidence) && !(page.startUrls.includes(page.url) && signInPath.test(page.url))

/** A start page with at most this much text and this many links may stand in for every page of its site. */
export const maxStandInLength = 1500
export const maxStandInLinks = 1
export const mayStandIn = ({ textLength, links }: Pick<PageEvidence, 'textLength' | 'links'>): boolean =>
  textLength <= maxStandInLength && links <= maxStandInLinks

/** Share of the words of one sketch that another one has, as far as both cover the same range of hashes; 0–1. */
export function computeContainment(words: readonly number[], otherWords: readonly number[]): number {
  const maxHash = otherWords.length < maxSketchWords ? Infinity : otherWords.at(-1)!
  const comparable = words.filter((word) => word <= maxHash)
  if (comparable.length === 0) return words.length === 0 ? 1 : 0
  const otherSet = new Set(otherWords)
  return comparable.filter((word) => otherSet.has(word)).length / comparable.length
}

/** A page with less text had nothing to lose. */
const minComparableLength = 80
const maxRetainedShare = 0.2
const maxForeignShare = 0.5
const maxLengthRatio = 0.5
const maxLinkRatio = 0.3
/** Number of signs, of which lost links count twice, from which a page is unlike its last visit. */
const minLossSigns = 3

/**
 * Returns true if a page lost what it had at its last whole visit: most of its words, and with them its links, its
 * landmarks, its title or its length. Other news, a new design or a removed section keep some of these.
 */
export function isUnlikeLastTime(evidence: PageEvidence, previous: PageEvidence): boolean {
  if (previous.textLength < minComparableLength) return false
  if (computeContainment(previous.words, evidence.words) > maxRetainedShare) return false
  const signs = [
    ...(previous.links > 0 && evidence.links <= previous.links * maxLinkRatio ? ['links', 'links'] : []),
    ...(evidence.textLength <= previous.textLength * maxLengthRatio ? ['length'] : []),
    ...(previous.landmarks > 0 && evidence.landmarks === 0 ? ['landmarks'] : []),
    ...(evidence.title.trim() !== previous.title.trim() ? ['title'] : []),
    ...(1 - computeContainment(evidence.words, previous.words) >= maxForeignShare ? ['foreign words'] : []),
  ]
  return signs.length >= minLossSigns
}

/** Share of the words of the last visit that a page must still have for its missing issues to count as proven fixed. */
export const minProvingShare = 0.5
const minMassIssues = 10

/**
 * Returns true if a run would close so many issues at once, on pages that look different from before or are gone, that a
 * later run has to confirm it.
 */
export const isMassDisappearance = (doubtfulCount: number, knownCount: number): boolean =>
  doubtfulCount >= minMassIssues && doubtfulCount * 2 > knownCount

/** A page that lost most of its words or half of its length, with the evidence of its last visit. */
export type ChangedPage = Record<
  'evidence' | 'previous',
  Pick<PageEvidence, 'title' | 'textLength' | 'links' | 'landmarks' | 'words'>
> & { hasLostWords: boolean }

/** Share of a page's new words that other changed pages have, too, from which something was put in place of its content. */
const minCommonShare = 0.7
/** Number of changed pages from which a new word is common; of two changed pages, both. */
const maxCommonPages = 3

/** Returns true for a page with at most half of its previous text: its words may be the same. */
export const isShortened = ({ evidence, previous }: Pick<ChangedPage, 'evidence' | 'previous'>): boolean =>
  previous.textLength >= minComparableLength && evidence.textLength <= previous.textLength * maxLengthRatio

const hasLostContent = ({ evidence, previous }: ChangedPage): boolean =>
  evidence.textLength <= previous.textLength * maxLengthRatio ||
  (previous.links > 0 && evidence.links <= previous.links * maxLinkRatio) ||
  (previous.landmarks > 0 && evidence.landmarks === 0)

/** Returns true for pages that share a title, and had titles of their own before. */
const haveMergedTitles = (pages: readonly ChangedPage[]): boolean =>
  new Set(pages.map(({ previous }) => previous.title.trim())).size > 1

const listNewWords = ({ evidence, previous }: ChangedPage): number[] => {
  const previousWords = new Set(previous.words)
  return evidence.words.filter((word) => !previousWords.has(word))
}

/** Returns the pages whose new words are the same: a teaser, a request to subscribe. */
function findAlikePages<P extends ChangedPage>(pages: readonly P[]): P[] {
  const newWords = new Map(pages.map((page) => [page, listNewWords(page)]))
  const pageCounts = new Map<number, number>()
  for (const words of newWords.values()) for (const word of words) pageCounts.set(word, (pageCounts.get(word) ?? 0) + 1)
  const minCommonPages = Math.max(2, Math.min(maxCommonPages, pages.length))
  return pages.filter((page) => {
    const words = newWords.get(page)!
    const commonCount = words.filter((word) => pageCounts.get(word)! >= minCommonPages).length
    return commonCount > 0 && commonCount >= words.length * minCommonShare
  })
}

/**
 * Returns the pages whose missing issues a later run has to confirm, however few they are: nothing came in place of the words
 * that a page lost, or the same words or one title came on several pages. Pages with new content of their own count as rewritten.
 * @param pages pages that would close issues although they lost most of their words or half of their length
 */
export function findDisappearedPages<P extends ChangedPage>(pages: readonly P[]): P[] {
  const replacedPages = pages.filter(({ hasLostWords }) => hasLostWords)
  const groups = [...Map.groupBy(replacedPages, ({ evidence }) => evidence.title.trim()).values()]
  const alikePages = [...findAlikePages(replacedPages), ...findAlikePages(pages.filter(isShortened))]
  return [...new Set([...replacedPages.filter(hasLostContent), ...groups.filter(haveMergedTitles).flat(), ...alikePages])]
}

/** A page of a run, as far as needed to find repeated texts. */
export type RepeatablePage = { url: string; textHash: string | null; textLength: number; canonical?: string | null }

/** URLs from which the same text is suspicious; fewer are copies. */
export const minRepeatedUrls = 3
/** A longer text is a copy of a page unless it is on most pages of a run. */
const maxRepeatedLength = 1500

/**
 * Returns the pages of a run that show the same reachable text under at least three paths: a wall, or a page that stands for
 * missing ones.
 * @param completedCount number of completed pages of the run
 */
export function findRepeatedPages<P extends RepeatablePage>(pages: readonly P[], completedCount: number): P[] {
  const pagesByHash = Map.groupBy(pages, ({ textHash }) => textHash)
  return [...pagesByHash].flatMap(([textHash, repeated]) => {
    const isOnMostPages = repeated.length * 2 >= completedCount
    // Addresses of one product name a canonical URL. So may a wall, which is on most pages.
    const paths = repeated.map(({ url, canonical = null }) => readPagePath(isOnMostPages ? url : (canonical ?? url)))
    const isOnManyUrls = textHash !== null && new Set(paths).size >= minRepeatedUrls
    const isShort = repeated[0]!.textLength <= maxRepeatedLength
    return isOnManyUrls && (isShort || isOnMostPages) ? repeated : []
  })
}

/** Words that name a wall, in eight languages and lower case. */
const wallWords: readonly (readonly [kind: WallKind, words: RegExp])[] = [
  [
    'challenge',
    /captcha|robot|human|just a moment|access check|checking your browser|mensch|humain|humano|umano|mens bent|człowiek|ロボット/u,
  ],
  ['age-check', /years old|of age|jahre alt|volljährig|ans ou plus|mayor de edad|maggiorenne|meerderjarig|pełnoletni|年齢/u],
  [
    'consent-dialog',
    /cookie|consent|your privacy|gdpr|datenschutz|einwilligung|vie privée|consentement|privacidad|riservatezza|consenso|toestemming|zgod|同意/u,
  ],
  ['maintenance', /maintenance|be right back|wartung|mantenimiento|manutenzione|onderhoud|konserwac|メンテナンス/u],
  ['application-error', /went wrong|error|fehler|erreur|errore|fout|błąd|エラー|try again/u],
  ['sign-in', /sign in|log in|anmelden|connexion|iniciar sesión|accedi|inloggen|zaloguj|ログイン/u],
]

/** Returns the kind of wall that a text suggests; null for none. */
export function nameWall(text: string): WallKind | null {
  const lowerText = text.toLowerCase()
  return wallWords.find(([, words]) => words.test(lowerText))?.[0] ?? null
}
