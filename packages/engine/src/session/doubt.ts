import type { BrowserPool } from '../browser/pool.ts'
import type { Browsing } from '../browser/instance.ts'
import { isSignedOutPage, leadsToSignInHost, listLines, type SignInProof } from './proof.ts'
import { readStartPage, type ProverDeps } from './prove.ts'
import type { PageFacts } from './view-in-page.ts'

// Pages that look unlike the site's pages for visitors, but also unlike those of the signed-in user: "Good bye", a refusal, a
// redirect to a page that the sign-in did not show. The start page tells whether the session lives.

/** Checks whether the session of a run has ended. */
export type SessionDoubts = {
  /** Notes a page that was shown to the signed-in user. */
  noteProved(facts: PageFacts): void
  /** Notes a page whose doubt the start page has cleared. */
  noteCleared(facts: PageFacts): void
  /**
   * Returns true if a page leaves a doubt: it lacks the lines that pages of the signed-in user share, and is not like a page whose
   * doubt was cleared.
   */
  lacksMarks(proof: SignInProof, facts: PageFacts): boolean
  /** Returns true if a page has those lines: it is shown to the signed-in user, whatever else it shows. */
  hasMarks(proof: SignInProof, facts: PageFacts): boolean
  /** Opens the start page in a session, unless there were too many false alarms: then it returns `unknown` without a check. */
  checkSession(proof: SignInProof, browsing: Browsing): Promise<SessionState>
}

/** `lost`: the start page shows what visitors see. `unknown`: it could not be read, or was not opened. */
export type SessionState = 'alive' | 'lost' | 'unknown'

/** Maximum of false alarms: `base` for each run, and one more for every `pagesPerDoubt` pages. */
const vainDoubts = { base: 5, pagesPerDoubt: 8 }
const maxLines = 2000
/** Minimum of lines that a page shares with another page of its section, such as the navigation. */
const minSectionLines = 5
const maxClearedPages = 100
/** Lines on this share of the pages are expected on each, once so many pages were seen. */
const requiredShare = 0.9
const minPagesForRequired = 4

/** Lines that pages of the signed-in user share, such as the user's name and the way out. */
function openMarks() {
  const pageCounts = new Map<string, number>()
  const clearedPages: ReadonlySet<string>[] = []
  let pageCount = 0
  const note = (lines: readonly string[]): void => {
    pageCount += 1
    for (const line of lines)
      if (pageCounts.has(line) || pageCounts.size < maxLines) pageCounts.set(line, (pageCounts.get(line) ?? 0) + 1)
  }
  return {
    getPageCount: () => pageCount,
    note,
    noteCleared(lines: readonly string[]): void {
      note(lines)
      if (clearedPages.length < maxClearedPages) clearedPages.push(new Set(lines))
    },
    /**
     * Returns true if lines have one that most pages share, and all that nearly every page has: visitors may see the navigation of a
     * section, too, but not the name of the user. Returns null if pages share no line.
     */
    areOn(lines: readonly string[], visitorLines: ReadonlySet<string>): boolean | null {
      const pageLines = new Set(lines)
      const sharedLines = [...pageCounts].filter(([line, count]) => count * 2 >= pageCount && !visitorLines.has(line))
      if (sharedLines.length === 0) return null
      const isRequired = (count: number) => pageCount >= minPagesForRequired && count >= requiredShare * pageCount
      return (
        sharedLines.some(([line]) => pageLines.has(line)) &&
        sharedLines.every(([line, count]) => !isRequired(count) || pageLines.has(line))
      )
    },
    /** Returns true for a page of the same section as a cleared one, unless it shows what only visitors see, such as "Sign in". */
    isLikeCleared(lines: readonly string[], visitorLines: ReadonlySet<string>): boolean {
      if (lines.some((line) => visitorLines.has(line) && !pageCounts.has(line))) return false
      const ownLines = lines.filter((line) => !visitorLines.has(line))
      return clearedPages.some((clearedLines) => ownLines.filter((line) => clearedLines.has(line)).length >= minSectionLines)
    },
  }
}

export function openSessionDoubts({ pool, ...deps }: ProverDeps & { pool: BrowserPool }): SessionDoubts {
  const marks = openMarks()
  let vainCount = 0
  /** The newest proof, with the lines of the pages that it shows to visitors. */
  let visitorView: { proof: SignInProof; visitorLines: ReadonlySet<string> } | null = null
  const startUrl = deps.plan.urls[0] ?? ''

  /** Returns null without pages to compare with. */
  const readVisitorLines = (proof: SignInProof): ReadonlySet<string> | null => {
    if (!proof.signedOutPage || !proof.memberPage) return null
    if (visitorView === null) marks.note(listLines(proof.memberPage.text))
    if (visitorView?.proof !== proof) {
      const visitorPages = [proof.signedOutPage, ...proof.signInPages]
      visitorView = { proof, visitorLines: new Set(visitorPages.flatMap(({ text }) => listLines(text))) }
    }
    return visitorView.visitorLines
  }
  const lacksMarks: SessionDoubts['lacksMarks'] = (proof, { text }) => {
    const visitorLines = readVisitorLines(proof)
    if (visitorLines === null) return false
    const lines = listLines(text)
    return marks.areOn(lines, visitorLines) === false && !marks.isLikeCleared(lines, visitorLines)
  }
  /** Returns true if the start page shows nothing that only the signed-in user saw there. */
  const lacksMemberLines = (proof: SignInProof, { text }: PageFacts): boolean => {
    const visitorLines = readVisitorLines(proof)
    if (visitorLines === null) return false
    const memberLines = new Set(listLines(proof.memberPage!.text).filter((line) => !visitorLines.has(line)))
    return memberLines.size > 0 && !listLines(text).some((line) => memberLines.has(line))
  }
  const hasMarks: SessionDoubts['hasMarks'] = (proof, { text }) => {
    const visitorLines = readVisitorLines(proof)
    return visitorLines !== null && marks.areOn(listLines(text), visitorLines) === true
  }
  /** Returns null if no browser opens it: the visit that left the doubt keeps its result. */
  const openStartPage = async (browsing: Browsing): Promise<PageFacts | null> => {
    const lease = await pool.lease(browsing).catch(() => null)
    if (!lease) return null
    const facts = await readStartPage(deps, lease.tab).catch(() => null)
    await lease.releaseTab(false)
    return facts
  }
  return {
    noteProved: ({ text }) => marks.note(listLines(text)),
    noteCleared: ({ text }) => marks.noteCleared(listLines(text)),
    lacksMarks,
    hasMarks,
    async checkSession(proof, browsing) {
      if (!proof.signedOutPage) return 'alive'
      if (vainCount >= vainDoubts.base + marks.getPageCount() / vainDoubts.pagesPerDoubt) return 'unknown'
      vainCount += 1
      const facts = await openStartPage(browsing)
      if (facts === null) return 'unknown'
      const isLost =
        isSignedOutPage(proof, startUrl, facts) || leadsToSignInHost(proof, startUrl, facts.url) || lacksMemberLines(proof, facts)
      if (isLost) vainCount -= 1
      return isLost ? 'lost' : 'alive'
    },
  }
}
