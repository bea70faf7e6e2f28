import Fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { buildDriveHelpUrl, driveRules, type DriveRuleId } from '@clearway/contract/monitor/ruleset/drive/model.ts'
import { driveTextsFr } from '@clearway/contract/monitor/ruleset/drive/fr.ts'
import { buildPdfHelpUrl, pdfRules, type PdfRuleId } from '@clearway/contract/monitor/ruleset/pdf/model.ts'
import { languages } from '@clearway/contract/monitor/user/schema.ts'
import { escapeHtml } from '../../../kit/html.ts'
import { registerHelpRoutes } from '../../../process/web.ts'

const app = Fastify()
registerHelpRoutes(app)
afterAll(() => app.close())

const readPage = (url: string, language: string) => app.inject({ url, headers: { 'accept-language': language } })
const links = [
  ...(Object.keys(driveRules) as DriveRuleId[]).map(buildDriveHelpUrl),
  ...(Object.keys(pdfRules) as PdfRuleId[]).map(buildPdfHelpUrl),
]

test.for(languages)('the help link of every own rule leads to its article, in %s', async (language) => {
  const pages = new Map<string, string>()
  for (const link of links) {
    const [path, ruleId] = link.split('#') as [string, string]
    if (!pages.has(path)) {
      const reply = await readPage(path, language)
      expect(reply.statusCode).toBe(200)
      pages.set(path, reply.body)
    }
    const html = pages.get(path)!
    expect(html).toContain(`<html lang="${language}">`)
    expect(html.match(new RegExp(`<article id="${ruleId}">`, 'g'))).toHaveLength(1)
    expect(html).toContain(`<a href="#${ruleId}">`)
  }
})

test('an article says what is tried, when a person decides, and what to change', async () => {
  const { body } = await readPage('/monitor/docs/driven-rules', 'fr-CH')
  const article = body.slice(body.indexOf('<article id="drive-reflow">'), body.indexOf('<article id="drive-hover-content">'))
  const [, fixText] = driveTextsFr.rules['drive-reflow']
  for (const text of [...driveTextsFr.tests['drive-reflow'], driveTextsFr.why.zoom, fixText, 'p { width: 600px }'])
    expect(article).toContain(`<dd>${text.startsWith('p {') ? `<code>${text}</code>` : escapeHtml(text)}</dd>`)
  expect(article).toContain('WCAG 1.4.10')
  expect(article.match(/<dt>/g)).toHaveLength(7)
})
