import { axeVersions } from '@clearway/contract/monitor/ruleset/schema.ts'
import { ExtraHeader } from '@clearway/contract/monitor/scan/crawl/schema.ts'
import { pdfDaysFault } from '@clearway/contract/monitor/scan/model.ts'
import * as z from 'zod/mini'
import type { SettingsFault } from './crawl/visit/context.ts'
import { openRuleLists } from './crawl/scope/scope.ts'
import type { ScanPlan } from './settings.ts'

/** The headers that a plan sends: those whose values it has. */
export const headersOf = ({ extraHeaders }: ScanPlan['advanced']): ExtraHeader[] =>
  extraHeaders.flatMap(({ name, value }) => (value === null ? [] : [{ name, value }]))

/** What no page can be visited with: each page then fails for it. Checked again here, whoever made the plan. */
export function faultOf({ advanced, ruleSet }: ScanPlan): SettingsFault | null {
  const wrong = headersOf(advanced).find((header) => !z.safeParse(ExtraHeader, header).success)
  if (wrong) return { reason: 'invalid-header', detail: `The header “${wrong.name}” cannot be sent` }
  const known = Object.keys(axeVersions)
  if (known.includes(ruleSet.axeVersion)) return null
  const newest = known.map(Number.parseFloat).reduce((a, b) => Math.max(a, b), 0)
  const asked = Number.parseFloat(ruleSet.axeVersion)
  return asked > newest
    ? {
        reason: 'server-not-updated',
        detail: `This worker knows axe-core up to ${newest}, not ${ruleSet.axeVersion}`,
      }
    : { reason: 'rules-not-found', detail: `There is no axe-core ${ruleSet.axeVersion} here` }
}

/** What makes a run impossible, in English; null when nothing does. */
export function problemOf(plan: ScanPlan): string | null {
  const { includeRules = [], excludeRules = [], advanced } = plan
  const [wrong] = openRuleLists({ includeRules, excludeRules, urlsToSkip: advanced.urlsToSkip }).wrong
  if (wrong)
    return `The ${wrong.name} ${wrong.number} is no expression, or more than can be matched in time: ${wrong.pattern}`
  const { pdfModifiedFrom: from, pdfModifiedTo: to, mimeTypes } = advanced
  if (pdfDaysFault(advanced)) return `PDFs from ${from} to ${to}: the end does not lie after the start`
  if (mimeTypes.length === 0) return 'No page type is chosen'
  if (plan.domains.length === 0) return 'The scan has no domain'
  return null
}
