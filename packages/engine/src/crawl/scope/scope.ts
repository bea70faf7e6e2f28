import type { ExclusionReason } from '@clearway/contract/monitor/page/schema.ts'
import type { UrlRule } from '@clearway/contract/monitor/scan/crawl/schema.ts'
import { createDomainMatcher } from '@clearway/contract/monitor/scan/model.ts'
import { toComparableUrl } from '@clearway/contract/kit/url-form.ts'
import { openUrlRules, createRuleBudget } from './url-rules.ts'

/** The reason why a URL is out of scope, with details. */
export type OutOfScope = { reason: ExclusionReason; detail: string }

/** Returns why a URL is out of scope; null if it is in scope. */
export type Scope = (url: URL) => OutOfScope | null

/** Endings of files, known or not: `.html`, `.jspa`, `.php5`. Dots before digits belong to versions: `/v1.2`. */
const fileEnding = /\.[a-z]{2,6}\d?$/i
/** Folders named like a domain: `/example.org`. */
const domainEnding = /\.(?:com|org|net|info|edu|gov|io|de|at|ch|eu|uk|fr|nl|es)$/i

const isFileName = (segment: string): boolean => fileEnding.test(segment) && !domainEnding.test(segment)

/** `/a/b.html` and `/a/` restrict to `/a/`; `/a/b` restricts to `/a/b` and everything below it. */
function toFolder(url: URL): { host: string; exact: string; folderPath: string } {
  const path = toComparableUrl(url.pathname)
  const slashIndex = path.lastIndexOf('/')
  const lastSegment = path.slice(slashIndex + 1)
  const folderPath = lastSegment === '' || isFileName(lastSegment) ? path.slice(0, slashIndex + 1) : `${path}/`
  return { host: url.host, exact: path, folderPath }
}

function isInFolder(folders: readonly ReturnType<typeof toFolder>[], url: URL): boolean {
  const path = toComparableUrl(url.pathname)
  return folders.some(({ host, exact, folderPath }) => host === url.host && (path === exact || path.startsWith(folderPath)))
}

export type ScopeOptions = {
  domains: readonly string[]
  startUrls: readonly string[]
  restrictToFolder: boolean
  includeRules?: readonly UrlRule[]
  excludeRules?: readonly UrlRule[]
  urlsToSkip?: readonly string[]
}

export type RuleLists = Pick<ScopeOptions, 'includeRules' | 'excludeRules' | 'urlsToSkip'> & {
  actingUrlsToOpen?: readonly string[]
  trapUrlsToOpen?: readonly string[]
  separatePages?: readonly string[]
}

/** Compiles a scan's URL rules, and lists the patterns that cannot be used. */
export function openRuleLists(lists: RuleLists) {
  const {
    includeRules = [],
    excludeRules = [],
    urlsToSkip = [],
    actingUrlsToOpen = [],
    trapUrlsToOpen = [],
    separatePages = [],
  } = lists
  const sharedBudget = createRuleBudget()
  const toRules = (patterns: readonly string[]) => patterns.map((pattern): UrlRule => ({ kind: 'glob', pattern }))
  const skipRules = toRules(urlsToSkip)
  const openRules = toRules([...actingUrlsToOpen, ...trapUrlsToOpen])
  const separateRules = toRules(separatePages)
  const ruleLists = [
    { name: 'include rule', rules: includeRules, ...openUrlRules(includeRules, sharedBudget) },
    { name: 'exclude rule', rules: excludeRules, ...openUrlRules(excludeRules, sharedBudget) },
    { name: 'URL to skip', rules: skipRules, ...openUrlRules(skipRules, sharedBudget) },
    { name: 'URL to open', rules: openRules, ...openUrlRules(openRules, sharedBudget) },
    { name: 'URL of a separate page', rules: separateRules, ...openUrlRules(separateRules, sharedBudget) },
  ] as const
  const [includeList, excludeList, skipList] = ruleLists
  return {
    include: includeList.findMatch,
    exclude: excludeList.findMatch,
    skip: skipList.findMatch,
    wrong: ruleLists.flatMap(({ name, rules, invalidNumbers }) =>
      invalidNumbers.map((ruleNumber) => ({ name, number: ruleNumber, pattern: rules[ruleNumber - 1]!.pattern })),
    ),
  }
}

const ruleKindNames: Record<UrlRule['kind'], string> = {
  prefix: 'begins with',
  glob: 'fits the pattern',
  regex: 'matches the expression',
}

function openUrlScope(options: ScopeOptions): Scope {
  const { include: findInclude, exclude: findExclude, skip: findSkip } = openRuleLists(options)
  const startUrls = new Set(options.startUrls.map((urlText) => URL.parse(urlText)?.href))
  return (url) => {
    const skipNumber = findSkip(url.href)
    if (skipNumber !== null) return { reason: 'url-to-skip', detail: `URL to skip: ${options.urlsToSkip![skipNumber - 1]}` }
    const excludeNumber = findExclude(url.href)
    if (excludeNumber !== null) {
      const { kind, pattern } = options.excludeRules![excludeNumber - 1]!
      return { reason: 'excluded-by-rule', detail: `Rule ${excludeNumber}: ${ruleKindNames[kind]} ${pattern}` }
    }
    const isIncluded = !options.includeRules?.length || startUrls.has(url.href) || findInclude(url.href) !== null
    return isIncluded ? null : { reason: 'not-included', detail: `None of ${options.includeRules?.length} rules includes it` }
  }
}

/** The scope of a run, which grows when a start URL redirects: its target is a start URL then. */
export type RunScope = {
  scope: Scope
  /** Adds the folder of another start URL. */
  addStartUrl: (url: string) => void
}

/**
 * Creates the scope of a run from its domains and, with `restrictToFolder`, the folders of the start URLs (regardless
 * of their scheme).
 */
export function openScope(options: ScopeOptions): RunScope {
  const isInDomains = createDomainMatcher(options.domains)
  const checkRules = openUrlScope(options)
  const startFolders: ReturnType<typeof toFolder>[] = []
  const addStartUrl = (urlText: string) => {
    const url = URL.parse(urlText)
    if (url && !isInFolder(startFolders, url)) startFolders.push(toFolder(url))
  }
  for (const urlText of options.startUrls) addStartUrl(urlText)
  const scope: Scope = (url) => {
    if (!isInDomains(url)) return { reason: 'other-domain', detail: `${url.host} is not among the domains` }
    if (options.restrictToFolder && !isInFolder(startFolders, url))
      return { reason: 'outside-folder', detail: 'Not below a start URL' }
    return checkRules(url)
  }
  return { scope, addStartUrl }
}
