import { axeVersions } from '@clearway/contract/monitor/ruleset/schema.ts'
import { ExtraHeader } from '@clearway/contract/monitor/scan/crawl/schema.ts'
import { findPdfDaysFault } from '@clearway/contract/monitor/scan/model.ts'
import * as z from 'zod/mini'
import type { SettingsFault } from './crawl/visit/context.ts'
import { openRuleLists } from './crawl/scope/scope.ts'
import type { ScanPlan } from './settings.ts'

/** Returns the plan's headers that have a value. */
export const getSentHeaders = ({ extraHeaders }: ScanPlan['advanced']): ExtraHeader[] =>
  extraHeaders.flatMap(({ name, value }) => (value === null ? [] : [{ name, value }]))

/** Returns a settings fault that fails every page, or null. Checked again here because plans have several sources. */
export function findSettingsFault({ advanced, ruleSet }: ScanPlan): SettingsFault | null {
  const invalidHeader = getSentHeaders(advanced).find((header) => !z.safeParse(ExtraHeader, header).success)
  if (invalidHeader) return { reason: 'invalid-header', detail: `The header “${invalidHeader.name}” cannot be sent` }
  const knownAxeVersions = Object.keys(axeVersions)
  if (knownAxeVersions.includes(ruleSet.axeVersion)) return null
  const newestVersion = knownAxeVersions.map(Number.parseFloat).reduce((highest, candidate) => Math.max(highest, candidate), 0)
  const requestedVersion = Number.parseFloat(ruleSet.axeVersion)
  return requestedVersion > newestVersion
    ? {
        reason: 'server-not-updated',
        detail: `This worker knows axe-core up to ${newestVersion}, not ${ruleSet.axeVersion}`,
      }
    : { reason: 'rules-not-found', detail: `There is no axe-core ${ruleSet.axeVersion} here` }
}

/** Returns the reason why a run is impossible, in English; null if it is possible. */
export function findPlanProblem(plan: ScanPlan): string | null {
  const { includeRules = [], excludeRules = [], advanced } = plan
  const { urlsToSkip, actingUrlsToOpen, trapUrlsToOpen, separatePages } = advanced
  const [invalidRule] = openRuleLists({
    includeRules,
    excludeRules,
    urlsToSkip,
    actingUrlsToOpen,
    trapUrlsToOpen,
    separatePages,
  }).wrong
  if (invalidRule)
    return `The ${invalidRule.name} ${invalidRule.number} is no expression, or more than can be matched in time: ${invalidRule.pattern}`
  const { pdfModifiedFrom: modifiedFrom, pdfModifiedTo: modifiedTo, mimeTypes } = advanced
  if (findPdfDaysFault(advanced)) return `PDFs from ${modifiedFrom} to ${modifiedTo}: the end does not lie after the start`
  if (mimeTypes.length === 0) return 'No page type is chosen'
  if (plan.domains.length === 0) return 'The scan has no domain'
  return null
}
