/** @module-tag slow */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { AdvancedSettings } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import type { DriveMode } from '@clearway/contract/monitor/ruleset/drive/schema.ts'
import { defaultRuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import * as z from 'zod/mini'
import { runClearway } from '../test/run-clearway.ts'
import { parseArguments } from './arguments.ts'
import { formatBaseline } from './baseline.ts'
import { Report } from './schema.ts'

// `--driven` from the option to the report, on a site with a fault for the keyboard and one in a menu.

const page = `<!doctype html><html lang="en"><head><title>Ferries</title><style>a:focus { outline: none }</style></head><body><main>
  <h1>Ferries</h1><p><a id="pier" href="#pier">North pier</a></p>
  <button type="button" id="menu" aria-expanded="false">Menu</button>
  <div id="panel" hidden><p id="pale" style="color: #bbb; background: #fff">Boats and piers</p></div>
  <script>menu.addEventListener('click', () => { panel.hidden = false })</script></main></body></html>`
const buildTitled = (
  title: string,
  text: string,
) => `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main>
  <h1>${text}</h1><p>${text} of the ferries. <a href="/piers">Piers</a> <a href="/prices">Prices</a></p></main></body></html>`
const pages: Record<string, string> = {
  '/': page,
  '/piers': buildTitled('Harbor', 'Piers'),
  '/prices': buildTitled('harbor ', 'Prices'),
  '/own': buildTitled('Own harbor', 'Timetable'),
}
let server: Server
let url: string
beforeAll(async () => {
  server = createServer((request, response) => {
    const html = pages[request.url ?? '']
    response.writeHead(html ? 200 : 404, { 'content-type': 'text/html' }).end(html ?? '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
afterAll(() => void server.close())

const scan = async (format: string, ...options: string[]) => {
  const { code, out, err } = await runClearway(['scan', url, '--allow-private', '--format', format, ...options])
  expect(code, err).toBe(0)
  return out
}

it('reports what keys and menus show, and how many pages were driven', async () => {
  const report = Report.parse(JSON.parse(await scan('json', '--driven', 'templates')))
  expect(report.totals).toMatchObject({ driven: 1, drivenInPart: 0 })
  expect(report.pages[0]!.driven).toEqual({ level: 'full', version: 1, isPartial: false })
  const driven = report.pages[0]!.issues.filter(({ engine }) => engine === 'driven')
  expect(driven.map(({ rule, target, states }) => [rule, target, states])).toEqual([
    ['drive-focus-visible', ['#pier'], []],
    ['color-contrast', ['#pale'], ['opened: Menu']],
  ])
})

it('says so in words, and drives nothing unless it is told to', async () => {
  const text = await scan('text', '--driven', 'every')
  expect(text).toContain('The keyboard focus is not visible')
  expect(text).toContain('Seen in: opened: Menu')
  expect(text).toContain('1 page driven.')
  const plainReport = Report.parse(JSON.parse(await scan('json')))
  expect(plainReport.totals.driven).toBe(0)
  expect(plainReport.pages[0]!.issues.filter(({ engine }) => engine === 'driven')).toEqual([])
})

it('reports the pages that share a title, and only when they are driven', async () => {
  const listTitled = async (...options: string[]) => {
    const report = Report.parse(JSON.parse(await scan('json', `${url}own`, ...options)))
    return report.pages.flatMap(({ url: pageUrl, issues, health }) =>
      issues
        .filter(({ rule }) => rule === 'drive-site-titles')
        .map(({ severity, html }) => [pageUrl.replace(url, '/'), severity, html, health]),
    )
  }
  expect(await listTitled('--driven', 'templates')).toEqual([
    ['/piers', 'moderate', '<title>Harbor</title>', 'moderate'],
    ['/prices', 'moderate', '<title>harbor</title>', 'moderate'],
  ])
  expect(await listTitled()).toEqual([])
})

it('a gate drives what its baseline drove, so that driving alone makes nothing new', () => {
  const folder = mkdtempSync(join(tmpdir(), 'clearway-driven-gate-'))
  const getDriven = (baselineDriven: DriveMode, ...options: string[]) => {
    const file = join(folder, 'baseline')
    writeFileSync(file, formatBaseline(defaultRuleSet, baselineDriven, []))
    const command = parseArguments(['gate', url, '--baseline', file, ...options])
    if (command.kind !== 'gate') throw new Error(JSON.stringify(command))
    return z.parse(AdvancedSettings, command.arguments.advanced).driven
  }
  expect(getDriven('templates')).toBe('templates')
  expect(getDriven('every', '--driven', 'off')).toBe('every')
  expect(getDriven('off')).toBe('off')
  // Baselines from before do not say what was driven.
  expect(getDriven('off', '--driven', 'every')).toBe('every')
  rmSync(folder, { recursive: true })
})
