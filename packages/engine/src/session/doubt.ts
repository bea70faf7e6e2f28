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
  /** Returns true if a page has no line that most pages of the signed-in user share, and few that some of them share. */
  lacksMarks(proof: SignInProof, facts: PageFacts): boolean
  /** Returns true if a page has such a line: it is shown to the signed-in user, whatever else it shows. */
  hasMarks(proof: SignInProof, facts: PageFacts): boolean
  /** Opens the start page in a session, unless there were too many false alarms: then it returns `unknown` without a check. */
  checkSession(proof: SignInProof, browsing: Browsing): Promise<SessionState>
}

/** `lost`: the start page shows what visitors see. `unknown`: it could not be read, or was not opened. */
export type SessionState = 'alive' | 'lost' | 'unknown'

/** Maximum of false alarms: `base` for each run, and one more for every `pagesPerDoubt` pages. */
const vainDoubts = { base: 5, pagesPerDoubt: 8 }
const maxLines = 2000
/** Lines that pages of one section share, such as its navigation: so many, each on so many pages, are a mark like a line of most pages. */
const sectionMarks = [
  { minLines: 5, minPages: 3 },
  { minLines: 15, minPages: 1 },
]

/** Lines that pages of the signed-in user share, such as the user's name and the way out. */
function openMarks() {
  const pageCounts = new Map<string, number>()
  let pageCount = 0
  return {
    getPageCount: () => pageCount,
    note(lines: readonly string[]): void {
      pageCount += 1
      for (const line of lines)
        if (pageCounts.has(line) || pageCounts.size < maxLines) pageCounts.set(line, (pageCounts.get(line) ?? 0) + 1)
    },
    /** Returns null if pages share no line. */
    areOn(lines: readonly string[], visitorLines: ReadonlySet<string>): boolean | null {
      const isMark = (line: string, count: number) => count * 2 >= pageCount && !visitorLines.has(line)
      if (lines.some((line) => isMark(line, pageCounts.get(line) ?? 0) && pageCounts.has(line))) return true
      const sharedCounts = lines.flatMap((line) => (visitorLines.has(line) ? [] : (pageCounts.get(line) ?? [])))
      const isSectionMark = ({ minLines, minPages }: (typeof sectionMarks)[number]) =>
        sharedCounts.filter((count) => count >= minPages).length >= minLines
      if (sectionMarks.some(isSectionMark)) return true
      return [...pageCounts].some(([line, count]) => isMark(line, count)) ? false : null
    },
  }
}

export function openSessionDoubts({ pool, ...deps }: ProverDeps & { pool: BrowserPool }): SessionDoubts {
  const marks = openMarks()
  let vainCount = 0
  /** The newest proof, with the lines of the pages that it shows to visitors. */
  let visitorView: { proof: SignInProof; visitorLines: ReadonlySet<string> } | null = null
  const startUrl = deps.plan.urls[0] ?? ''

  /** Returns null without lines to compare with. */
  const areMarksOn = (proof: SignInProof, facts: PageFacts): boolean | null => {
    if (!proof.signedOutPage || !proof.memberPage) return null
    if (visitorView === null) marks.note(listLines(proof.memberPage.text))
    if (visitorView?.proof !== proof) {
      const visitorPages = [proof.signedOutPage, ...proof.signInPages]
      visitorView = { proof, visitorLines: new Set(visitorPages.flatMap(({ text }) => listLines(text))) }
    }
    return marks.areOn(listLines(facts.text), visitorView.visitorLines)
  }
  const lacksMarks: SessionDoubts['lacksMarks'] = (proof, facts) => areMarksOn(proof, facts) === false
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
    lacksMarks,
    hasMarks: (proof, facts) => areMarksOn(proof, facts) === true,
    async checkSession(proof, browsing) {
      if (!proof.signedOutPage) return 'alive'
      if (vainCount >= vainDoubts.base + marks.getPageCount() / vainDoubts.pagesPerDoubt) return 'unknown'
      vainCount += 1
      const facts = await openStartPage(browsing)
      if (facts === null) return 'unknown'
      const isLost =
        isSignedOutPage(proof, startUrl, facts) || leadsToSignInHost(proof, startUrl, facts.url) || lacksMarks(proof, facts)
      if (isLost) vainCount -= 1
      return isLost ? 'lost' : 'alive'
    },
  }
}
