import type { ExclusionReason } from '@clearway/contract/monitor/page/schema.ts'
import type { UrlRule } from '@clearway/contract/monitor/scan/crawl/schema.ts'
import { openDomains } from '@clearway/contract/monitor/scan/model.ts'
import { openUrlRules, ruleBudget } from './url-rules.ts'

/** Why a URL is not part of the scan, with what says so. */
export type OutOfScope = { reason: ExclusionReason; detail: string }

/** Says why a URL is not part of the scan; null when it is. */
export type Scope = (url: URL) => OutOfScope | null

/** `/a/b.html` and `/a/` confine to `/a/`; `/a/b` confines to `/a/b` and what is below it. */
function folderOf(url: URL): { host: string; exact: string; below: string } {
  const cut = url.pathname.lastIndexOf('/')
  const last = url.pathname.slice(cut + 1)
  const below = last === '' || last.includes('.') ? url.pathname.slice(0, cut + 1) : `${url.pathname}/`
  return { host: url.host, exact: url.pathname, below }
}

export type ScopeOptions = {
  domains: readonly string[]
  startUrls: readonly string[]
  restrictToFolder: boolean
  includeRules?: readonly UrlRule[]
  excludeRules?: readonly UrlRule[]
  urlsToSkip?: readonly string[]
}

export type RuleLists = Pick<ScopeOptions, 'includeRules' | 'excludeRules' | 'urlsToSkip'>

/** The rules of a scan that look at the whole URL, and the patterns among them that cannot be used. */
export function openRuleLists({ includeRules = [], excludeRules = [], urlsToSkip = [] }: RuleLists) {
  const budget = ruleBudget()
  const skips = urlsToSkip.map((pattern): UrlRule => ({ kind: 'glob', pattern }))
  const lists = [
    { name: 'include rule', rules: includeRules, ...openUrlRules(includeRules, budget) },
    { name: 'exclude rule', rules: excludeRules, ...openUrlRules(excludeRules, budget) },
    { name: 'URL to skip', rules: skips, ...openUrlRules(skips, budget) },
  ] as const
  const [include, exclude, skip] = lists
  return {
    include: include.fits,
    exclude: exclude.fits,
    skip: skip.fits,
    wrong: lists.flatMap(({ name, rules, wrong }) =>
      wrong.map((number) => ({ name, number, pattern: rules[number - 1]!.pattern })),
    ),
  }
}

function openUrlScope(options: ScopeOptions): Scope {
  const { include, exclude, skip } = openRuleLists(options)
  const starts = new Set(options.startUrls.map((text) => URL.parse(text)?.href))
  return (url) => {
    const skipped = skip(url.href)
    if (skipped !== null)
      return { reason: 'url-to-skip', detail: `URL to skip: ${options.urlsToSkip![skipped - 1]}` }
    const excluded = exclude(url.href)
    if (excluded !== null) {
      const { kind, pattern } = options.excludeRules![excluded - 1]!
      return { reason: 'excluded-by-rule', detail: `Rule ${excluded} excludes it: ${kind} ${pattern}` }
    }
    const wanted = !options.includeRules?.length || starts.has(url.href) || include(url.href) !== null
    return wanted
      ? null
      : { reason: 'not-included', detail: `None of ${options.includeRules?.length} rules includes it` }
  }
}

/**
 * Makes the scope of a run from its domains and, with `restrictToFolder`, the folders of the start URLs (whatever
 * their scheme).
 */
export function openScope(options: ScopeOptions): Scope {
  const inDomains = openDomains(options.domains)
  const byRules = openUrlScope(options)
  const folders = options.startUrls
    .map((text) => URL.parse(text))
    .filter((url) => url !== null)
    .map(folderOf)
  return (url) => {
    if (!inDomains(url)) return { reason: 'other-domain', detail: `${url.host} is not among the domains` }
    const inside =
      !options.restrictToFolder ||
      folders.some(
        ({ host, exact, below }) =>
          host === url.host && (url.pathname === exact || url.pathname.startsWith(below)),
      )
    if (!inside) return { reason: 'outside-folder', detail: 'Not below a start URL' }
    return byRules(url)
  }
}
