import { createRequire } from 'node:module'
import { axeRules, type AxeRuleId, type AxeTexts } from '@clearway/contract/monitor/ruleset/axe/model.ts'
import { axeTextsDe } from '@clearway/contract/monitor/ruleset/axe/de.ts'
import { axeTextsEn } from '@clearway/contract/monitor/ruleset/axe/en.ts'
import { axeTextsEs } from '@clearway/contract/monitor/ruleset/axe/es.ts'
import { axeTextsFr } from '@clearway/contract/monitor/ruleset/axe/fr.ts'
import { axeTextsIt } from '@clearway/contract/monitor/ruleset/axe/it.ts'
import { axeTextsJa } from '@clearway/contract/monitor/ruleset/axe/ja.ts'
import { criterionOf, understandingUrl } from '@clearway/contract/monitor/ruleset/criterion/model.ts'
import { pdfRules } from '@clearway/contract/monitor/ruleset/pdf/model.ts'
import { axeVersions, newestAxe } from '@clearway/contract/monitor/ruleset/schema.ts'
import { chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { axeScript } from './version.ts'

// The advice for each rule of axe-core: none is missing, and its examples are judged by axe itself.

const require = createRequire(import.meta.url)
const rulesOf = (version: string): { ruleId: string; tags: string[] }[] =>
  (require(`axe-core-${version}`) as { getRules(): { ruleId: string; tags: string[] }[] }).getRules()
const languages: Record<string, AxeTexts> = {
  en: axeTextsEn,
  de: axeTextsDe,
  es: axeTextsEs,
  fr: axeTextsFr,
  it: axeTextsIt,
  ja: axeTextsJa,
}
const ids = Object.keys(axeRules) as AxeRuleId[]
/** Scans ask each frame by itself. Here axe sends messages, and a frame in a sandbox has no origin to send them from. */
const script = `${axeScript(newestAxe)};axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] })`

let page: Page
beforeAll(async () => {
  const browser = await chromium.launch({
    executablePath: process.env.TEST_BROWSER!,
    args: ['--no-sandbox'],
  })
  page = await browser.newPage()
  await page.route('**', (route) => {
    const url = route.request().url()
    if (/\.mp[34]$/.test(url)) return route.fulfill({ contentType: 'audio/wav', body: silence() })
    return route.fulfill({ contentType: 'text/html', body: '<p>Other</p>' })
  })
  // One document after the other is written into this page: axe has to be brought into it only once.
  await page.goto('http://example.test/')
  await page.evaluate(script)
})
afterAll(() => page.context().browser()!.close())

it('there is advice for the rules of every version that is shipped, and for no other', () => {
  const all = new Set(
    Object.keys(axeVersions).flatMap((version) => rulesOf(version).map(({ ruleId }) => ruleId)),
  )
  expect(ids.toSorted()).toEqual([...all].toSorted())
})

it('texts are there, short, and written for their language', () => {
  const faults = Object.entries(languages).flatMap(([language, { why, rules }]) => {
    const texts = [...Object.values(why), ...Object.values(rules).flat()]
    expect(texts).toHaveLength(Object.keys(axeTextsEn.why).length + 2 * ids.length)
    const english = new Set([...Object.values(axeTextsEn.why), ...Object.values(axeTextsEn.rules).flat()])
    return texts
      .filter((text) => text === '' || text.length > 400 || (language !== 'en' && english.has(text)))
      .map((text) => `${language}: ${text}`)
  })
  expect(faults).toEqual([])
})

it('each criterion that a rule is about has a page that explains it', () => {
  const tags = Object.keys(axeVersions).flatMap((version) => rulesOf(version).flatMap((rule) => rule.tags))
  const criteria = new Set([
    ...tags.flatMap((tag) => criterionOf(tag) ?? []),
    ...Object.values(pdfRules).flatMap(({ wcag }) => wcag),
  ])
  expect(criteria.size).toBeGreaterThan(30)
  expect([...criteria].filter((criterion) => understandingUrl(criterion) === null)).toEqual([])
})

/** A whole document of an example, which may be any part of one. */
function documentOf(code: string): string {
  const head = '<title>Example</title>'
  if (code.startsWith('<html')) return `<!doctype html>${code}<head>${head}</head><body><p>Text</p></body>`
  if (code.startsWith('<body')) return `<!doctype html><html lang="en"><head>${head}</head>${code}`
  if (code.startsWith('<head')) return `<!doctype html><html lang="en">${code}<body><p>Text</p></body>`
  if (code.startsWith('<meta'))
    return `<!doctype html><html lang="en"><head>${head}${code}</head><body>Text</body>`
  const shown = code.startsWith('@') ? `<style>${code}</style><p>Text</p>` : code
  return `<!doctype html><html lang="en"><head>${head}</head><body>${shown}</body>`
}

/** Four seconds of silence: axe asks how long a sound is. */
function silence(): Buffer {
  const rate = 8000
  const wave = Buffer.alloc(44 + 4 * rate, 128)
  wave.write('RIFF\0\0\0\0WAVEfmt ')
  wave.writeUInt32LE(wave.length - 8, 4)
  for (const [at, value] of [
    [16, 16],
    [24, rate],
    [28, rate],
  ] as const)
    wave.writeUInt32LE(value, at)
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ] as const)
    wave.writeUInt16LE(value, at)
  wave.write('data', 36)
  wave.writeUInt32LE(4 * rate, 40)
  return wave
}

/** What axe says of an example by one rule: whether it has the fault. */
async function isFault(id: AxeRuleId, code: string): Promise<boolean> {
  await page.setContent(documentOf(code))
  // Frames need their own, and the page its listener for what they say: that goes with the document before.
  if (page.frames().length > 1) for (const frame of page.frames()) await frame.evaluate(script)
  return page.evaluate(async (rule) => {
    const { axe } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: unknown[]; incomplete: unknown[] }> }
    }
    const { violations, incomplete } = await axe.run({ runOnly: { type: 'rule', values: [rule] } })
    return violations.length + incomplete.length > 0
  }, id)
}

it('axe finds the fault in each wrong example, and none in the right one', async () => {
  const unlike: string[] = []
  for (const id of ids) {
    if (!(await isFault(id, axeRules[id].wrong))) unlike.push(`${id}: the wrong example has no fault`)
    if (await isFault(id, axeRules[id].right)) unlike.push(`${id}: the right example has a fault`)
  }
  expect(unlike).toEqual([])
})
