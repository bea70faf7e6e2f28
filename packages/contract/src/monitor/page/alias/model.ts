import { readPagePath } from '../url/model.ts'
import { minRepeatedUrls } from '../wall/model.ts'

/** A tested page of a run, as far as needed to find its other addresses. */
export type AliasCandidate = {
  url: string
  /** Equal for pages with the same main text, controls, states and media. */
  content: string
  title: string
  /** Equal for pages with the same issues on the same elements, apart from those that only a drive shows. */
  findings: string
  /** The same for the issues that only a drive shows; empty if there are none. */
  drivenFindings: string
  /** Index of how far the page was driven; -1 if it was not, or only in part. */
  driveLevel: number
  /** Equal for pages with the same decisions on their issues; empty if all of them are open. */
  decisions: string
  /** Has issues that previous runs found on it. */
  hasKnownIssues: boolean
  /** May stand in for other pages: it has no issue and hardly any content, and no previous visit to compare with. */
  isStandIn: boolean
  /** Address of the page by its own statement; null if it makes none. */
  canonical: string | null
  /** Named by a person, such as a start URL: always a page of its own. */
  isNamed: boolean
  wasTested: boolean
}

/** Fields of a page whose issues are not known: such pages are compared by everything else. */
export const blankIssues = {
  findings: '',
  drivenFindings: '',
  driveLevel: -1,
  decisions: '',
  hasKnownIssues: false,
} as const satisfies Partial<AliasCandidate>

/** Path by which a page identifies itself; null for the home page, which careless templates name on every page. */
function readCanonicalPath(canonical: string | null): string | null {
  const parsedUrl = canonical === null ? null : URL.parse(canonical)
  return parsedUrl === null || parsedUrl.pathname === '/' ? null : readPagePath(parsedUrl.href)
}

/** Names of a page: pages that share one may be the same. Fragments count if the scan keeps them. */
function listNames({ url, canonical }: AliasCandidate): string[] {
  const hash = URL.parse(url)?.hash ?? ''
  return [readPagePath(url), readCanonicalPath(canonical)].flatMap((path) => (path === null ? [] : [`${path} ${hash}`]))
}

/** Splits pages into groups that are connected by shared names. */
function groupByNames<P extends AliasCandidate>(pages: readonly P[]): P[][] {
  const parents = new Map<string, string>()
  const findRoot = (name: string): string => {
    let root = name
    for (let parent = parents.get(root); parent !== undefined; parent = parents.get(root)) root = parent
    if (root !== name) parents.set(name, root)
    return root
  }
  for (const page of pages) {
    const [firstRoot = '', ...otherRoots] = listNames(page).map(findRoot)
    for (const root of otherRoots) if (root !== firstRoot) parents.set(root, firstRoot)
  }
  return [...Map.groupBy(pages, (page) => findRoot(listNames(page)[0]!)).values()]
}

const hasUpperCase = ({ url }: AliasCandidate): boolean => url !== url.toLowerCase()

const hasDrivenFindings = ({ drivenFindings }: AliasCandidate): boolean => drivenFindings !== ''

/**
 * The page that stands for its group: named, with issues that only a drive shows, tested before, of pages with such issues the one
 * that was driven further, then its own canonical address, then the shortest. Which page of a template is driven differs between runs:
 * without issues, it changes nothing.
 */
function compareCandidates(first: AliasCandidate, second: AliasCandidate): number {
  const isCanonical = ({ url, canonical }: AliasCandidate) => canonical === url
  return (
    Number(second.isNamed) - Number(first.isNamed) ||
    Number(hasDrivenFindings(second)) - Number(hasDrivenFindings(first)) ||
    Number(second.wasTested) - Number(first.wasTested) ||
    (hasDrivenFindings(first) ? second.driveLevel - first.driveLevel : 0) ||
    Number(isCanonical(second)) - Number(isCanonical(first)) ||
    first.url.length - second.url.length ||
    Number(hasUpperCase(first)) - Number(hasUpperCase(second)) ||
    (first.url < second.url ? -1 : 1)
  )
}

/** Parts of the page limit in which the places of joined pages are given back: all pages are compared for each of them. */
const extraSteps = 200

/** Number of pages that a run may visit beyond its limit for joined ones: at most as many again, as addresses may be endless. */
export function getExtraPages(joinedCount: number, pageLimit: number): number {
  const step = Math.max(1, Math.floor(pageLimit / extraSteps))
  return Math.min(joinedCount - (joinedCount % step), pageLimit)
}

export type Alias<P> = { page: P; target: P; reason: string }

const isUndriven = ({ driveLevel, drivenFindings }: AliasCandidate): boolean => driveLevel < 0 && drivenFindings === ''

/** Splits a group by the issues that only a drive shows. Pages that were not driven belong to the one that stands for it. */
function splitByDrive<P extends AliasCandidate>(pages: readonly P[]): P[][] {
  const [target, ...others] = pages.toSorted(compareCandidates)
  if (target === undefined) return []
  const drivenPages = others.filter((page) => !isUndriven(page))
  const drivenGroups = Map.groupBy(drivenPages, ({ drivenFindings }) => drivenFindings)
  const ownGroup = drivenGroups.get(target.drivenFindings) ?? []
  drivenGroups.delete(target.drivenFindings)
  return [[target, ...ownGroup, ...others.filter(isUndriven)], ...drivenGroups.values()]
}

/** A page stays apart if its issues would lose a decision, or what only its drive shows. */
const canJoin = (page: AliasCandidate, target: AliasCandidate): boolean =>
  !page.isNamed &&
  (page.driveLevel <= target.driveLevel || !hasDrivenFindings(page)) &&
  ((page.decisions === '' && !page.hasKnownIssues) || page.decisions === target.decisions)

/**
 * Finds pages that are the same as another one under a further address: the same content, title and issues, and the same path or
 * canonical URL. Depends on the set of pages alone, not on their order. Pages with other controls, states or issues are never joined, nor
 * those that may be a wall in front of different pages.
 * @returns the pages to join, each with the page that stands for it and the reason in English
 */
export function findAliases<P extends AliasCandidate>(pages: readonly P[]): Alias<P>[] {
  const alikeGroups = Map.groupBy(pages, ({ content, title, findings }) => JSON.stringify([content, title, findings]))
  return [...alikeGroups.values()].flatMap((alikePages) =>
    groupByNames(alikePages)
      .filter((group) => group.length < minRepeatedUrls || !group.some(({ isStandIn }) => isStandIn))
      .flatMap(splitByDrive)
      .flatMap((group) => {
        const [target, ...others] = group.toSorted(compareCandidates)
        return others.flatMap((page) =>
          target === undefined || !canJoin(page, target) ? [] : [{ page, target, reason: describeAlias(page, target) }],
        )
      }),
  )
}

function describeAlias(page: AliasCandidate, target: AliasCandidate): string {
  const isSamePath = readPagePath(page.url) === readPagePath(target.url)
  const shared = isSamePath ? 'path' : 'canonical URL'
  return `The same text, controls and issues as ${target.url}, and the same ${shared}`
}
