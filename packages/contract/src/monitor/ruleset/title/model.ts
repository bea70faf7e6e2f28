import type { PageEvidence } from '../../page/evidence/schema.ts'
import { readPagePath } from '../../page/url/model.ts'
import { computeContainment } from '../../page/wall/model.ts'
import { driveTextsEn } from '../drive/en.ts'
import { buildDriveHelpUrl, buildDriveTags, driveRules } from '../drive/model.ts'

/** A tested page of a run, as far as needed to compare titles. */
export type TitledPage = {
  url: string
  /** Equal for pages with the same content; null if it is unknown. */
  content: string | null
  evidence: Pick<PageEvidence, 'title' | 'textHash' | 'textLength' | 'words'>
}

/** A title that a page shares with other pages of its site. */
export type SharedTitle<P extends TitledPage> = {
  page: P
  verdict: 'fail' | 'review'
  /** Number of other contents with the title, and the address of one of them. */
  otherCount: number
  otherUrl: string
}

const ruleId = 'drive-site-titles'
/** Contents of one title that every page is compared with: a site that repeats one title everywhere has thousands. */
const maxCompared = 20
/** Share of their words and of their length that contents must have in common to be much alike. */
const minLikeness = 0.9
/** Pages with fewer words are alike by their navigation alone. */
const minComparedWords = 20

const normalizeTitle = (title: string): string => title.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase()

const readHost = (url: string) => (URL.parse(url)?.host ?? '').replace(/^www\./, '')

/** Address without numbers: pages of a list, and records that a number names, have the same. */
function readShape(url: string): string {
  const path = readPagePath(url).replace(/\/page\/\d+$/i, '')
  const parameters = new URLSearchParams([...(URL.parse(url)?.searchParams ?? [])].filter(([, value]) => !/^\d*$/.test(value)))
  parameters.sort()
  return `${path}?${parameters.toString()}`.replaceAll(/\d+/g, '#')
}

const readContent = ({ content, evidence }: TitledPage) => content ?? evidence.textHash ?? ''

function areMuchAlike({ evidence: first }: TitledPage, { evidence: second }: TitledPage): boolean {
  const lengths = [first.textLength, second.textLength].sort((a, b) => a - b)
  return (
    Math.min(first.words.length, second.words.length) >= minComparedWords &&
    lengths[0]! >= lengths[1]! * minLikeness &&
    computeContainment(first.words, second.words) >= minLikeness &&
    computeContainment(second.words, first.words) >= minLikeness
  )
}

function compareGroup<P extends TitledPage>(pages: readonly P[]): SharedTitle<P>[] {
  const byContent = Map.groupBy(pages, readContent)
  // The same content at several addresses is one page.
  const contents = [...byContent].map(([content, [first]]) => ({ content, page: first!, shape: readShape(first!.url) }))
  if (contents.length < 2) return []
  const comparedContents = contents.slice(0, maxCompared)
  return pages.flatMap((page) => {
    const [content, shape] = [readContent(page), readShape(page.url)]
    const others = comparedContents.filter((other) => other.content !== content)
    const failing = others.find((other) => other.shape !== shape && !areMuchAlike(other.page, page))
    const { url: otherUrl } = (failing ?? others[0]!).page
    return [{ page, verdict: failing ? 'fail' : 'review', otherCount: contents.length - 1, otherUrl }]
  })
}

/** Returns the pages of a run that share a title with other contents of their host, in the order of their addresses. */
export function findSharedTitles<P extends TitledPage>(pages: readonly P[]): SharedTitle<P>[] {
  const titledPages = pages
    .filter(({ evidence }) => evidence.title.trim() !== '')
    .toSorted(({ url: first }, { url: second }) => (first < second ? -1 : first > second ? 1 : 0))
  const groups = Map.groupBy(titledPages, ({ url, evidence }) => `${readHost(url)} ${normalizeTitle(evidence.title)}`)
  return [...groups.values()].flatMap((group) => (group.length < 2 ? [] : compareGroup(group)))
}

const maxCodeLength = 300
const escapeCode = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Builds the finding of a shared title, without a picture: a title is not on the page. */
export function buildTitleFinding({ page, verdict, otherCount, otherUrl }: SharedTitle<TitledPage>) {
  const { impact, why } = driveRules[ruleId]
  const title = page.evidence.title.replace(/\s+/g, ' ').trim()
  const count = otherCount === 1 ? 'Another page has' : `${otherCount} other pages have`
  return {
    rule: ruleId,
    impact,
    severity: verdict === 'fail' ? impact : ('needs review' as const),
    help: driveTextsEn.rules[ruleId][0],
    description: driveTextsEn.why[why],
    helpUrl: buildDriveHelpUrl(ruleId),
    tags: buildDriveTags(ruleId),
    target: ['title'],
    html: `<title>${escapeCode(title).slice(0, maxCodeLength)}</title>`,
    fix: { any: [`${count} this title, for example ${otherUrl}`], all: [], none: [] },
    elementKey: 'title',
    elementPattern: `title ${normalizeTitle(title).slice(0, 200)}`,
    ordinal: 0,
    picture: null,
    engine: 'driven' as const,
  }
}
