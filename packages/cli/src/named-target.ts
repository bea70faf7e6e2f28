import { forwardingReasons } from '@clearway/contract/monitor/run/model.ts'
import { isStartEntry, type NewEntry } from '@clearway/engine/frontier.ts'
import { readPageUrl, type PageUrlSettings } from '@clearway/contract/monitor/page/url/model.ts'
import type { PageOutcome } from '@clearway/engine/outcome.ts'
import type { Report, ReportPage } from './schema.ts'

/** A URL or file that was named but not checked, and the reason. */
export type UncheckedTarget = Report['unchecked'][number]

export type NamedTargets = {
  /** Notes the result of a page; only start URLs and the pages that they lead to matter. */
  noteOutcome(entry: NewEntry, outcome: PageOutcome): void
  /** Notes a URL that is not visited. */
  noteExcluded: (entry: NewEntry) => void
  noteFile(page: ReportPage): void
  /** Start URLs that led elsewhere, each with its target. */
  listMoved(): { from: string; to: string }[]
  /** Targets without a result, in the order in which they were met. */
  listUnchecked(): UncheckedTarget[]
}

/** Follows what was named on the command line: a scan that did not check all of it has not succeeded. */
export function openNamedTargets(urls: readonly string[], settings: PageUrlSettings): NamedTargets {
  const movedUrls: { from: string; to: string }[] = []
  const uncheckedTargets: UncheckedTarget[] = []
  const metKeys = new Set<string>()
  const isMet = (url: string): boolean => {
    const pageUrl = readPageUrl(url, settings)
    return metKeys.has(pageUrl.ok ? pageUrl.key : url)
  }
  return {
    noteOutcome(entry, outcome) {
      if (!isStartEntry(entry)) return
      metKeys.add(entry.key)
      if (outcome.kind === 'completed') return
      const isForwarded = outcome.kind === 'excluded' && forwardingReasons.includes(outcome.reason)
      if (!isForwarded) return void uncheckedTargets.push({ target: entry.url, reason: outcome.reason, detail: outcome.detail })
      if (outcome.reason === 'redirect' && outcome.leadsTo !== undefined) movedUrls.push({ from: entry.url, to: outcome.leadsTo })
    },
    noteExcluded(entry) {
      if (!isStartEntry(entry) || entry.exclusion === null) return
      metKeys.add(entry.key)
      uncheckedTargets.push({ target: entry.url, reason: entry.exclusion, detail: entry.detail ?? '' })
    },
    noteFile({ url, failure }) {
      if (failure) uncheckedTargets.push({ target: url, ...failure })
    },
    listMoved: () => movedUrls,
    listUnchecked: () => [
      ...uncheckedTargets,
      ...urls
        .filter((url) => !isMet(url))
        .map((target) => ({ target, reason: 'page-limit', detail: 'The scan ended before it' })),
    ],
  }
}
