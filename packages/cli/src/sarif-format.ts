import { sarifLevels, formatSelector } from '@clearway/contract/monitor/issue/model.ts'
import { hasWall } from '@clearway/contract/monitor/page/wall/model.ts'
import { axeTextsEn } from '@clearway/contract/monitor/ruleset/axe/en.ts'
import { axeRules, type AxeRuleId } from '@clearway/contract/monitor/ruleset/axe/model.ts'
import { driveTextsEn } from '@clearway/contract/monitor/ruleset/drive/en.ts'
import { driveRules, type DriveRuleId } from '@clearway/contract/monitor/ruleset/drive/model.ts'
import type { FormatContext } from './format-context.ts'
import { buildAdvice, listNotices } from './notice.ts'
import { countScoredPages } from './report.ts'
import type { Report } from './schema.ts'

/** Returns the importance of a known rule and its fix; null for unknown rules. */
function buildSarifAdvice(rule: string): { fullDescription: { text: string }; help: { text: string } } | null {
  if (Object.hasOwn(driveRules, rule)) {
    const driveRuleId = rule as DriveRuleId
    return {
      fullDescription: { text: driveTextsEn.why[driveRules[driveRuleId].why] },
      help: { text: driveTextsEn.rules[driveRuleId][1] },
    }
  }
  if (!Object.hasOwn(axeRules, rule)) return null
  const axeRuleId = rule as AxeRuleId
  return { fullDescription: { text: axeTextsEn.why[axeRules[axeRuleId].why] }, help: { text: axeTextsEn.rules[axeRuleId][1] } }
}

/** Formats SARIF 2.1.0: a page is the artifact, the selector its logical location. */
export function formatSarif(report: Report, { states }: FormatContext): string {
  const sarifRules = new Map<string, object>()
  const sarifResults = report.pages.flatMap((page) =>
    page.issues.map((issue) => {
      sarifRules.set(issue.rule, {
        id: issue.rule,
        shortDescription: { text: issue.help },
        ...buildSarifAdvice(issue.rule),
        helpUri: issue.helpUrl,
        properties: { tags: issue.tags },
      })
      return {
        ruleId: issue.rule,
        level: sarifLevels[issue.severity],
        kind: issue.severity === 'needs review' ? 'review' : 'fail',
        ...(states && { baselineState: states.get(issue) === 'known' ? 'unchanged' : 'new' }),
        partialFingerprints: { 'clearwayElement/v1': issue.fingerprint },
        properties: { engine: issue.engine, states: issue.states },
        message: { text: [issue.help, ...buildAdvice(issue)].join('\n') },
        locations: [
          {
            physicalLocation: { artifactLocation: { uri: page.url }, region: { startLine: 1, snippet: { text: issue.html } } },
            logicalLocations: [{ fullyQualifiedName: formatSelector(issue.target), kind: 'element' }],
          },
        ],
      }
    }),
  )
  const toolDriver = {
    name: 'Clearway',
    version: report.clearway,
    informationUri: 'https://www.w3.org/WAI/',
    rules: [...sarifRules.values()],
  }
  const failureNotifications = report.pages
    .filter((p) => p.status === 'failed')
    .map((p) => ({
      level: 'error',
      message: { text: `${p.url}: ${p.failure?.reason}: ${p.failure?.detail}` },
    }))
  const noticeNotifications = report.pages.flatMap((page) =>
    listNotices(page).map((notice) => ({
      level: hasWall(page.notices) ? 'warning' : 'note',
      message: { text: `${page.url}: ${notice}` },
    })),
  )
  const sarifRun = {
    tool: { driver: toolDriver },
    invocations: [
      {
        executionSuccessful: countScoredPages(report) > 0 && report.unchecked.length === 0,
        toolExecutionNotifications: [...failureNotifications, ...noticeNotifications],
      },
    ],
    results: sarifResults,
  }
  return `${JSON.stringify({ $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [sarifRun] }, null, 2)}\n`
}
