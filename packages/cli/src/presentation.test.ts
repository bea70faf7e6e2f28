import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultRuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import { describe, expect, it } from 'vitest'
import { formatReport } from './format.ts'
import { parseArguments } from './arguments.ts'
import { labelsEn } from './label/en.ts'
import { resolveOutputs, writeReport } from './output.ts'
import { formatProgress } from './progress.ts'
import { buildReport } from './report.ts'
import { describeRule, englishTexts, loadRuleTexts } from './rule-text.ts'
import type { ReportIssue } from './schema.ts'
import { selectStyle } from './terminal.ts'

const hostileText =
  '</script></style><img src=x onerror=alert(1)>"\'`` @team closes #1 | x | [a](javascript:alert(1)) \u001b[2J\u202e\ud800\n# Heading'
const hostileIssue: ReportIssue = {
  rule: `x"><script>alert(1)</script>`,
  impact: 'critical',
  severity: 'critical',
  help: hostileText,
  helpUrl: 'javascript:alert(1)',
  tags: [],
  target: [hostileText],
  html: hostileText,
  fix: { any: [hostileText], all: [], none: [] },
  engine: 'driven',
  states: [`opened: ${hostileText}`],
  fingerprint: 'f',
}
const buildHostileReport = (issues: readonly ReportIssue[] = [hostileIssue]) =>
  buildReport(
    { clearway: '0.0.0', axe: '4.14.1', ruleSet: defaultRuleSet, startedAt: new Date(0), durationMs: 1 },
    [
      {
        url: `https://example.org/"><script>alert(2)</script>@team`,
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
        issues: [...issues],
      },
    ],
    [{ target: hostileText, reason: 'http-404', detail: hostileText }],
  )

it.each(['text', 'markdown', 'html', 'junit', 'sarif', 'json'] as const)('%s names all states of an issue', (format) => {
  const states = ['390 px', 'dark', 'opened: Menu']
  const report = formatReport(format, buildHostileReport([{ ...hostileIssue, states }]))
  if (format === 'json' || format === 'sarif') expect(JSON.stringify(JSON.parse(report))).toContain(JSON.stringify(states))
  else expect(report).toMatch(/seen in: (?:` )?390 px, dark, opened: Menu/i)
})

describe('texts of scanned pages', () => {
  it('are no markup in HTML', () => {
    const html = formatReport('html', buildHostileReport())
    const tags = [...new Set([...html.matchAll(/<(\w+)/g)].map(([, name]) => name))]
    expect(tags.filter((name) => name === 'img' || name === 'iframe')).toEqual([])
    expect(html.match(/<script/g)).toHaveLength(1)
    expect(html.match(/<\/style>/g)).toHaveLength(1)
    expect(html).not.toMatch(/href="(?!https?:)/)
    expect(['\u001b', '\u202e', '\ud800'].filter((character) => html.includes(character))).toEqual([])
    // Attributes hold no quotes of a page.
    expect(html).toContain('data-rule="x&#34;&#62;&#60;script&#62;')
  })

  it('are code in Markdown: they mention nobody, close nothing and end no table', () => {
    const markdown = formatReport('markdown', buildHostileReport())
    const withoutCode = markdown.replaceAll(/(?<!`)(`+) .*? \1(?!`)/g, '')
    expect(withoutCode).not.toMatch(/@|#1|closes|script|javascript|onerror/)
    expect(['\u001b', '\u202e', '\ud800'].filter((character) => markdown.includes(character))).toEqual([])
    const row = markdown.split('\n').find((line) => line.startsWith('| critical'))!
    expect(row.match(/(?<!\\)\|/g)).toHaveLength(5)
    expect(markdown.split('\n').filter((line) => line.startsWith('#'))).toEqual(['## Accessibility'])
  })

  it('do not control a terminal', () => {
    const text = formatReport('text', buildHostileReport(), { style: selectStyle({ isTTY: true }, {}) })
    // oxlint-disable-next-line no-control-regex -- the sequences of our own
    const withoutOwn = text.replaceAll(/\u001b\[[\d;]*m|\u001b\]8;;[\u0021-\u007e]*\u001b\\/g, '')
    expect(['\u001b', '\u202e'].filter((character) => withoutOwn.includes(character))).toEqual([])
    expect(text.split('\n').filter((line) => line.startsWith('# '))).toEqual([])
  })

  it('of many rules make no comment that is refused for its length', () => {
    const issues = Array.from({ length: 900 }, (_, index) => ({ ...hostileIssue, rule: `rule-${index}` }))
    const markdown = formatReport('markdown', buildHostileReport(issues))
    expect(markdown.length).toBeLessThan(65_536)
    expect(markdown).toMatch(/And \d{3} more rules\./)
  })
})

describe('texts of rules', () => {
  const imageIssue = { rule: 'image-alt', help: 'Images must have alternative text', fix: { any: ['a'], all: [], none: [] } }
  it.each([
    [{ LANG: 'de_DE.UTF-8' }, 'de', 'Ein Bild hat keinen Alternativtext'],
    [{ LANG: 'de_DE.UTF-8', LC_ALL: 'C.UTF-8' }, 'en', 'An image has no alternative text'],
    [{ LANG: 'pt_BR.UTF-8' }, 'en', 'An image has no alternative text'],
    [{}, 'en', 'An image has no alternative text'],
  ])('are in the language of the environment: %j', async (environment, language, title) => {
    const texts = await loadRuleTexts(environment)
    expect([texts.language, describeRule(imageIssue, texts).title]).toEqual([language, title])
  })
  it.each(['de', 'es', 'fr', 'it', 'ja'])('fill the same places in %s as in English', async (language) => {
    const { labels } = await loadRuleTexts({ LANG: `${language}_XX.UTF-8` })
    const listPlaces = (value: unknown): unknown =>
      typeof value === 'string'
        ? [...new Set(value.match(/\{\w+\}|#/g))].sort()
        : Object.fromEntries(
            Object.entries(value as object).flatMap(([key, part]) => (key === 'one' ? [] : [[key, listPlaces(part)]])),
          )
    expect(listPlaces(labels)).toEqual(listPlaces(labelsEn))
    const toTexts = (value: unknown): string[] =>
      typeof value === 'string' ? [value] : Object.values(value as object).flatMap(toTexts)
    const sameTexts = toTexts(labels).filter((text) => toTexts(labelsEn).includes(text))
    expect(
      sameTexts.filter((text) => !['Filter', 'Page', 'Pages', 'pages', '# page', '# pages', '{issues}: {counts}'].includes(text)),
    ).toEqual([])
  })
  it('surround the issues in their language, also in the summary of a gate', async () => {
    const texts = await loadRuleTexts({ LANG: 'de_DE.UTF-8' })
    const report = buildHostileReport([{ ...hostileIssue, rule: 'image-alt', states: [] }])
    const html = formatReport('html', report, { texts })
    expect(html).toContain('<html lang="de">')
    expect(html).toContain('<option value="">Alle Regeln</option>')
    expect(formatReport('text', report, { texts })).toContain(
      'kritisch: Ein Bild hat keinen Alternativtext [image-alt]\n  1 Element, betroffen: 1 Seite, zum Beispiel',
    )
    report.unchecked.push({ target: 'https://example.org/b', reason: 'http-404', detail: 'HTTP 404' })
    report.pages.push({
      ...report.pages[0]!,
      url: 'https://example.org/b',
      failure: { reason: 'http-404', detail: 'HTTP 404' },
      issues: [],
    })
    const markdown = formatReport('markdown', report, { texts })
    expect(markdown).toContain('| Auswirkung | Problem | Wo | Erstes Element |')
    expect(markdown.match(/https:\/\/example\.org\/b/g)).toHaveLength(1)
  })
  it('exist for PDFs, and are those of axe-core for unknown rules', () => {
    const pdfIssue = { ...imageIssue, rule: 'pdf-tagged' }
    expect(describeRule(pdfIssue, englishTexts)).toMatchObject({ isOwn: true })
    expect(describeRule(pdfIssue, englishTexts).title).not.toBe(imageIssue.help)
    const unknownIssue = { ...imageIssue, rule: 'constructor' }
    expect(describeRule(unknownIssue, englishTexts)).toMatchObject({ title: imageIssue.help, fixes: ['Fix one of: a'] })
  })
})

describe('emphasis', () => {
  it.each([
    [{ isTTY: true }, {}, true],
    [{ isTTY: true }, { NO_COLOR: '1' }, false],
    [{ isTTY: true }, { TERM: 'dumb' }, false],
    [{}, {}, false],
  ])('%j %j', (stream, environment, isStyled) => {
    const style = selectStyle(stream, environment)
    expect(style('critical', 'x') !== 'x').toBe(isStyled)
    expect(style('link', 'https://a.example/ä')).toBe(
      isStyled ? '\u001b]8;;https://a.example/%C3%A4\u001b\\https://a.example/ä\u001b]8;;\u001b\\' : 'https://a.example/ä',
    )
  })
})

it('shows the speed and the remaining time of the pages known so far', () => {
  const progress = { doneCount: 30, waitingCount: 60, issueCount: 7, elapsedMs: 60_000, url: 'https://a.example/' }
  expect(formatProgress(progress, 200)).toBe(
    '30 pages of 90 known, 7 issues, 30 pages/min, at least 2 min left, https://a.example/',
  )
  expect(formatProgress(progress, 20)).toBe('30 pages of 90 know')
  expect(formatProgress({ ...progress, doneCount: 1, waitingCount: 0 }, 200)).toBe('1 pages, 7 issues, https://a.example/')
})

describe('outputs', () => {
  it('have the format of their extension, or the one that is named', () => {
    expect(resolveOutputs(null, ['a.html', 'b.sarif', 'c.sarif.json', 'd.xml', 'e.md', 'f.json', 'g.TXT', 'h', '-'])).toEqual(
      ['html', 'sarif', 'sarif', 'junit', 'markdown', 'json', 'text', 'text', 'text'].map((format, index) => ({
        format,
        file: ['a.html', 'b.sarif', 'c.sarif.json', 'd.xml', 'e.md', 'f.json', 'g.TXT', 'h', null][index],
      })),
    )
    expect(resolveOutputs('json', ['a.html'])).toEqual([{ format: 'json', file: 'a.html' }])
    expect(resolveOutputs('json', ['a.html', 'b'])).toEqual([
      { format: 'html', file: 'a.html' },
      { format: 'json', file: 'b' },
    ])
    expect(resolveOutputs('sarif', [])).toEqual([{ format: 'sarif', file: null }])
  })
  it.each([
    [['/nowhere/at/all/a.html'], 'there is no folder /nowhere/at/all'],
    [['a.html', 'a.html'], 'the same file twice'],
  ])('are refused before anything is scanned: %j', (files, message) => {
    const result = parseArguments(['scan', 'a.example', ...files.flatMap((file) => ['--output', file])])
    expect(result).toEqual({ kind: 'wrong', message: expect.stringContaining(message) as string })
  })
  it.runIf(existsSync('/dev/full'))('on a full disk are one clear sentence', () => {
    const folder = mkdtempSync(join(tmpdir(), 'clearway-output-'))
    expect(writeReport('x', '/dev/full')).toBe(false)
    expect(writeReport('x', join(folder, 'a.txt'))).toBe(true)
    // A replaced file keeps its place and rights, and no other file is left.
    chmodSync(join(folder, 'a.txt'), 0o662)
    symlinkSync('a.txt', join(folder, 'link.txt'))
    expect(writeReport('y', join(folder, 'link.txt'))).toBe(true)
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('y')
    expect(statSync(join(folder, 'a.txt')).mode & 0o777).toBe(0o662)
    const longName = `${'n'.repeat(240)}.txt`
    expect(writeReport('x', join(folder, longName))).toBe(true)
    expect(readdirSync(folder).sort()).toEqual(['a.txt', 'link.txt', longName])
    rmSync(folder, { recursive: true })
  })
})
