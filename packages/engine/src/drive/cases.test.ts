/** @module-tag slow */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { driveRules, type DriveRuleId } from '@clearway/contract/monitor/ruleset/drive/model.ts'
import { buildTitleFinding, findSharedTitles } from '@clearway/contract/monitor/ruleset/title/model.ts'
import { beforeAll, expect, it } from 'vitest'
import type { Finding, PageOutcome } from '../outcome.ts'
import { describeOutcome, tryScan, useTestPool, useTestSite } from '../../test/harness.ts'

// Cases of the driven rules: pages with the result that each of them must have, and the elements that are reported.

type DriveCase = { check: string; file: string; expected: 'fail' | 'review' | 'pass'; elements: string[] }
const caseFolder = join(import.meta.dirname, '../../../../fixtures/driven')
const allCases = JSON.parse(readFileSync(join(caseFolder, 'cases.json'), 'utf8')) as DriveCase[]
const pageCases = allCases.filter(({ file }) => file.endsWith('.html'))
/** Cases of a whole site are folders. */
const siteCases = allCases.filter(({ file }) => file.endsWith('/'))
const listFiles = (folder: string) => readdirSync(join(caseFolder, folder)).map((name) => folder + name)
const caseFiles = [...pageCases.map(({ file }) => file), ...siteCases.flatMap(({ file }) => listFiles(file))]

/** Rules of a check whose id differs from its name. */
const rulesByCheck: ReadonlyMap<string, readonly string[]> = new Map([
  ['focus-visible', ['drive-focus-visible', 'drive-invisible-stop']],
])
const isOfCheck = ({ rule, engine, states = [] }: Finding, check: string): boolean => {
  if (engine !== 'driven') return false
  if (check === 'opened-state') return states.some((state) => state.startsWith('opened: '))
  if (check === 'dark-contrast') return states.includes('dark')
  return (rulesByCheck.get(check) ?? [`drive-${check}`]).includes(rule)
}
/** Findings of rules that require a review are never failures. */
const toSeverityKind = ({ check, expected }: DriveCase) =>
  expected === 'fail' && driveRules[`drive-${check}` as DriveRuleId]?.isReview ? 'review' : expected

const pool = useTestPool()
const site = useTestSite(() =>
  Object.fromEntries(caseFiles.map((file) => [`/${file}`, readFileSync(join(caseFolder, file), 'utf8')])),
)
let pages: Record<string, PageOutcome>
let log: string[]
beforeAll(async () => {
  const urls = caseFiles.map((file) => `/${file}`)
  ;({ pages, log } = await tryScan(pool, site, {
    urls,
    plan: { depth: 0, pageLimit: urls.length },
    advanced: { driven: 'every' },
  }))
}, 900_000)

it.each(pageCases)('$file', (driveCase) => {
  const page = pages[`/${driveCase.file}`]
  if (page?.kind !== 'completed') throw new Error(describeOutcome(page))
  expect(page.driven, log.join('\n')).toMatchObject({ level: 'full', version: 1, isPartial: false })
  const findings = page.findings.filter((finding) => isOfCheck(finding, driveCase.check))
  const kinds = new Set(findings.map(({ severity }) => (severity === 'needs review' ? 'review' : 'fail')))
  expect([...kinds], JSON.stringify(findings.map(({ rule, target, fix }) => [rule, target, fix.any]))).toEqual(
    driveCase.expected === 'pass' ? [] : [toSeverityKind(driveCase)],
  )
  if (driveCase.elements.length > 0) expect(findings.map(({ target }) => target.join(' ')).sort()).toEqual(driveCase.elements)
})

it.each(siteCases)('$file', ({ file, expected, elements }) => {
  const sitePages = listFiles(file).map((path) => {
    const page = pages[`/${path}`]
    if (page?.kind !== 'completed' || !page.evidence) throw new Error(describeOutcome(page))
    return { url: page.finalUrl, content: page.signature?.content ?? null, evidence: page.evidence }
  })
  const findings = findSharedTitles(sitePages).map(buildTitleFinding)
  // Each page of a failing site is reported.
  expect(findings.map(({ severity, target, html }) => [severity, target, html])).toEqual(
    expected === 'pass' ? [] : sitePages.map(({ evidence }) => ['moderate', elements, `<title>${evidence.title}</title>`]),
  )
})
