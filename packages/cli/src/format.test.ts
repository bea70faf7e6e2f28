import { readFileSync } from 'node:fs'
import { defaultRuleSet, type Severity } from '@clearway/contract/monitor/ruleset/schema.ts'
import { expect, it } from 'vitest'
import { formatReport } from './format.ts'
import { labelsEn } from './label/en.ts'
import { buildReport } from './report.ts'
import type { ReportIssue } from './schema.ts'

const buildIssue = (severity: Severity): ReportIssue => ({
  rule: 'image-alt',
  impact: severity === 'needs review' ? 'critical' : severity,
  severity,
  help: 'Images must have alternative text',
  helpUrl: 'https://example.org/image-alt',
  tags: ['wcag2a'],
  target: ['img'],
  html: '<img>',
  fix: { any: ['Element has no alt attribute'], all: [], none: [] },
  engine: 'axe',
  states: [],
  fingerprint: 'f',
})
const buildTestReport = (severities: readonly Severity[]) =>
  buildReport({ clearway: '0.0.0', axe: '4.14.1', ruleSet: defaultRuleSet, startedAt: new Date(), durationMs: 1 }, [
    {
      url: 'https://example.org/',
      title: null,
      status: 'completed',
      failure: null,
      health: 'critical',
      notices: [],
      detail: null,
      likelyWall: null,
      isProved: null,
      driven: null,
      aliases: [],
      requests: null,
      durationMs: 1,
      issues: severities.map(buildIssue),
    },
  ])

it('uses the same notices as the web', () => {
  const webMessages = readFileSync(new URL('../../web/src/locales/en.po', import.meta.url), 'utf8')
  const { 'embedded-browser-fonts': fontNotice, ...otherTexts } = labelsEn.notices
  for (const text of [...Object.values(otherTexts), fontNotice.replace('This machine', 'The server')])
    expect(webMessages).toContain(`msgid "${text}"`)
})

it('sets a SARIF level for failures and none for results that need review', () => {
  const { runs } = JSON.parse(formatReport('sarif', buildTestReport(['critical', 'moderate', 'minor', 'needs review']))) as {
    runs: { results: { kind: string; level: string }[] }[]
  }
  expect(runs[0]!.results.map(({ kind, level }) => [kind, level])).toEqual([
    ['fail', 'error'],
    ['fail', 'warning'],
    ['fail', 'note'],
    ['review', 'none'],
  ])
})

it('names untested frames apart from banners, and calls only pages behind a wall not seen', () => {
  const report = buildTestReport(['critical'])
  const [page] = report.pages
  const detail = 'Banner of Klaro: clicked “Decline” (refuses)\nhttps://ads.example/\nNo visible button matches #gone'
  const formatWith = (more: object) => formatReport('text', { ...report, pages: [{ ...page!, ...more }] })
  expect(formatWith({ notices: ['frame-not-tested'], detail })).toContain('note: Frames were not tested: https://ads.example/\n')
  expect(formatWith({ health: null, notices: ['did-not-settle'] })).toMatch(/^https:\/\/example\.org\/$/m)
  expect(formatWith({ health: null, notices: ['content-out-of-reach'] })).toMatch(/^https:\/\/example\.org\/ {2}\(not seen\)$/m)
})

it('groups issues by rule for reading, the most severe first, each with one example and its fix', () => {
  const report = buildTestReport(['minor', 'critical', 'critical'])
  report.pages[0]!.issues[1]!.html = `<img\n src="\u001b[31m.png" title="${'x'.repeat(300)}">`
  const lines = formatReport('text', report).split('\n')
  expect(lines.slice(0, 3)).toEqual([
    'critical: An image has no alternative text [image-alt]',
    '  2 elements on 1 page, for example on https://example.org/',
    '    img',
  ])
  expect(lines[3]).toMatch(/^ {4}<img src="\ufffd\[31m\.png" title="x+…$/)
  expect(lines[4]).toMatch(/^ {2}Fix: /)
  expect(lines[7]).toBe('minor: An image has no alternative text [image-alt]')
  expect(lines.slice(-7, -4)).toEqual([
    '                rules  elements   pages',
    'critical            1         2       1',
    'minor               1         1       1',
  ])
  expect(lines.at(-3)).toContain('Score')
  expect(lines.at(-2)).toBe('3 issues: 2 critical, 1 minor.')
})

it('emphasizes on a terminal only', () => {
  const text = formatReport('text', buildTestReport(['critical']), {
    style: (emphasis, part) => `<${emphasis}>${part}</>`,
  })
  expect(text).toMatch(/^<critical>critical<\/>: <strong>An image has no alternative text<\/> \[image-alt\]$/m)
  expect(text).toContain('<strong>Score')
})

it('names the known URLs that the page limit left out, by their form', () => {
  const facts = { clearway: '0.0.0', axe: '4.14.1', ruleSet: defaultRuleSet, startedAt: new Date(), durationMs: 1 }
  const leftOut = Array.from({ length: 150 }, (_, index) => `https://a.test/${index < 140 ? 'news' : `forms/${index}`}/${index}`)
  const limited = buildReport(facts, [], [], leftOut)
  expect(limited.leftOut.map(({ pattern, urls }) => [pattern, urls])).toEqual([
    ['https://a.test/news/*', 140],
    ['https://a.test/forms/*/*', 10],
  ])
  expect(formatReport('text', limited)).toMatch(
    /\nBeyond the page limit:\n {2}140 × https:\/\/a\.test\/news\/\*\n {2}10 × https:\/\/a\.test\/forms\/\*\/\*\n$/,
  )
  expect(limited.totals.overLimit).toBe(150)
  for (const format of ['text', 'markdown', 'html'] as const)
    expect(formatReport(format, limited)).toContain('Limit reached: 150 known URLs not tested.')
  expect(formatReport('text', buildReport(facts, []))).not.toContain('Limit reached')
})
