/** @module-tag slow */
import { createRequire } from 'node:module'
import { axeRules, type AxeRuleId, type AxeTexts } from '@clearway/contract/monitor/ruleset/axe/model.ts'
import { axeTextsDe } from '@clearway/contract/monitor/ruleset/axe/de.ts'
import { axeTextsEn } from '@clearway/contract/monitor/ruleset/axe/en.ts'
import { axeTextsEs } from '@clearway/contract/monitor/ruleset/axe/es.ts'
import { axeTextsFr } from '@clearway/contract/monitor/ruleset/axe/fr.ts'
import { axeTextsIt } from '@clearway/contract/monitor/ruleset/axe/it.ts'
import { axeTextsJa } from '@clearway/contract/monitor/ruleset/axe/ja.ts'
import { parseCriterion, getUnderstandingUrl } from '@clearway/contract/monitor/ruleset/criterion/model.ts'
import { driveRules } from '@clearway/contract/monitor/ruleset/drive/model.ts'
import { pdfRules } from '@clearway/contract/monitor/ruleset/pdf/model.ts'
import { axeVersions, newestAxeVersion } from '@clearway/contract/monitor/ruleset/schema.ts'
import { chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadAxeScript } from './version.ts'

// Advice for each rule of axe-core: complete, with examples that axe itself verifies.

const require = createRequire(import.meta.url)
const getAxeRules = (version: string): { ruleId: string; tags: string[] }[] =>
  (require(`axe-core-${version}`) as { getRules(): { ruleId: string; tags: string[] }[] }).getRules()
const textsByLanguage: Record<string, AxeTexts> = {
  en: axeTextsEn,
  de: axeTextsDe,
  es: axeTextsEs,
  fr: axeTextsFr,
  it: axeTextsIt,
  ja: axeTextsJa,
}
const ruleIds = Object.keys(axeRules) as AxeRuleId[]
/** Scans run axe in each frame separately. Here axe sends messages, and a sandboxed frame has no origin to send them from. */
const axeSource = `${loadAxeScript(newestAxeVersion)};axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] })`

let page: Page
beforeAll(async () => {
  const browser = await chromium.launch({ executablePath: process.env.TEST_BROWSER!, args: ['--no-sandbox'] })
  page = await browser.newPage()
  await page.route('**', (route) => {
    const url = route.request().url()
    if (/\.mp[34]$/.test(url)) return route.fulfill({ contentType: 'audio/wav', body: buildSilence() })
    return route.fulfill({ contentType: 'text/html', body: '<p>Other</p>' })
  })
  // Documents are written into this page one after another, so axe is injected only once.
  await page.goto('http://example.test/')
  await page.evaluate(axeSource)
})
afterAll(() => page.context().browser()!.close())

it('advice exists for exactly the rules of all shipped versions', () => {
  const allRuleIds = new Set(Object.keys(axeVersions).flatMap((version) => getAxeRules(version).map(({ ruleId }) => ruleId)))
  expect(ruleIds.toSorted()).toEqual([...allRuleIds].toSorted())
})

it('texts exist, are short, and are translated', () => {
  const textFaults = Object.entries(textsByLanguage).flatMap(([language, { why: importanceTexts, rules }]) => {
    const languageTexts = [...Object.values(importanceTexts), ...Object.values(rules).flat()]
    expect(languageTexts).toHaveLength(Object.keys(axeTextsEn.why).length + 2 * ruleIds.length)
    const englishTexts = new Set([...Object.values(axeTextsEn.why), ...Object.values(axeTextsEn.rules).flat()])
    return languageTexts
      .filter((text) => text === '' || text.length > 400 || (language !== 'en' && englishTexts.has(text)))
      .map((text) => `${language}: ${text}`)
  })
  expect(textFaults).toEqual([])
})

it('each criterion of a rule has an Understanding page', () => {
  const ruleTags = Object.keys(axeVersions).flatMap((version) => getAxeRules(version).flatMap((rule) => rule.tags))
  const wcagCriteria = new Set([
    ...ruleTags.flatMap((tag) => parseCriterion(tag) ?? []),
    ...Object.values(pdfRules).flatMap(({ wcag }) => wcag),
    ...Object.values(driveRules).flatMap(({ wcag }) => wcag),
  ])
  expect(wcagCriteria.size).toBeGreaterThan(30)
  expect([...wcagCriteria].filter((criterion) => getUnderstandingUrl(criterion) === null)).toEqual([])
})

/** Returns a complete document for an example, which may be any part of one. */
function buildDocument(exampleCode: string): string {
  const titleElement = '<title>Example</title>'
  if (exampleCode.startsWith('<html')) return `<!doctype html>${exampleCode}<head>${titleElement}</head><body><p>Text</p></body>`
  if (exampleCode.startsWith('<body')) return `<!doctype html><html lang="en"><head>${titleElement}</head>${exampleCode}`
  if (exampleCode.startsWith('<head')) return `<!doctype html><html lang="en">${exampleCode}<body><p>Text</p></body>`
  if (exampleCode.startsWith('<meta'))
    return `<!doctype html><html lang="en"><head>${titleElement}${exampleCode}</head><body>Text</body>`
  const bodyContent = exampleCode.startsWith('@') ? `<style>${exampleCode}</style><p>Text</p>` : exampleCode
  return `<!doctype html><html lang="en"><head>${titleElement}</head><body>${bodyContent}</body>`
}

/** Four seconds of silence: axe checks the duration of audio. */
function buildSilence(): Buffer {
  const sampleRate = 8000
  const waveFile = Buffer.alloc(44 + 4 * sampleRate, 128)
  waveFile.write('RIFF\0\0\0\0WAVEfmt ')
  waveFile.writeUInt32LE(waveFile.length - 8, 4)
  for (const [byteOffset, value] of [
    [16, 16],
    [24, sampleRate],
    [28, sampleRate],
  ] as const)
    waveFile.writeUInt32LE(value, byteOffset)
  for (const [byteOffset, value] of [
    [20, 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ] as const)
    waveFile.writeUInt16LE(value, byteOffset)
  waveFile.write('data', 36)
  waveFile.writeUInt32LE(4 * sampleRate, 40)
  return waveFile
}

/** Returns true if axe reports the rule for an example. */
async function isFault(ruleId: AxeRuleId, exampleCode: string): Promise<boolean> {
  await page.setContent(buildDocument(exampleCode))
  // Frames need their own axe, and the page needs its message listener, which is lost with the previous document.
  if (page.frames().length > 1) for (const frame of page.frames()) await frame.evaluate(axeSource)
  return page.evaluate(async (rule) => {
    const { axe } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: unknown[]; incomplete: unknown[] }> }
    }
    const { violations, incomplete } = await axe.run({ runOnly: { type: 'rule', values: [rule] } })
    return violations.length + incomplete.length > 0
  }, ruleId)
}

it('axe reports each wrong example and no right one', async () => {
  const mismatches: string[] = []
  for (const ruleId of ruleIds) {
    if (!(await isFault(ruleId, axeRules[ruleId].wrong))) mismatches.push(`${ruleId}: the wrong example has no fault`)
    if (await isFault(ruleId, axeRules[ruleId].right)) mismatches.push(`${ruleId}: the right example has a fault`)
  }
  expect(mismatches).toEqual([])
})

it('labels a field in the example as the advice says', () => {
  expect(axeTextsEn.rules.label[1]).toContain('label element whose for is the ID')
  expect(axeRules.label.right).toMatch(/<label for="(\w+)">.*id="\1"/)
})
