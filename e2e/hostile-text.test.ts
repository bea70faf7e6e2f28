/** @module-tag slow */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { waitForRunEnd } from './product/results.ts'
import { useSuite } from './product/suite-of-file.ts'

// Markup that strangers and users store: titles, elements, selectors, names, labels, comments. No screen may make it an element.

/** Ends each place in which a text may stand, and begins an element of its own. */
const payload = `"'></textarea></title></script><img src=x data-hacked onerror="window.hacked=1"><svg data-hacked onload="window.hacked=1">`
const escapedPayload = payload.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;')
const site = createServer((request, reply) => {
  reply.setHeader('content-type', 'text/html; charset=utf-8')
  reply.end(`<html lang=en><head><title>${escapedPayload}</title></head><body><h1>${escapedPayload}</h1><main>
    <p>Enough text that the page looks like one that somebody has written, and not like a stand-in.</p>
    <input id="${escapedPayload}" class="${escapedPayload}" title="" data-x="${escapedPayload}">
    <a href="javascript:window.hacked=1" title="${escapedPayload}"></a>
    <a href="/${encodeURIComponent(payload)}">${escapedPayload} ${request.url}</a></main></body></html>`)
})

const suite = useSuite(async () => {
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
})
afterAll(() => void site.close())

type Named = { id: string }
type PageOf<T> = { content: T[] }
const uploaded = (url: string) =>
  JSON.stringify({
    testEngine: { name: 'axe-core', version: '4.11.1' },
    url,
    timestamp: '2026-01-01T00:00:00.000Z',
    violations: [
      {
        id: payload,
        impact: 'critical',
        tags: ['wcag2a', payload],
        help: payload,
        description: payload,
        helpUrl: 'javascript:window.hacked=1',
        nodes: [{ target: [payload], html: payload, any: [{ id: 'x', message: payload }], all: [], none: [] }],
      },
    ],
    incomplete: [],
    passes: [],
    inapplicable: [],
  })

/** Paths of screens that show stored texts. */
const paths: string[] = []
beforeAll(async () => {
  const { client } = suite()
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  const scan = await client<Named>('POST', '/scans', { name: `Scan ${payload}`, urls: [`${origin}/`], type: 'standard' })
  await client('POST', `/scans/${scan.id}/startRun`)
  await waitForRunEnd(client, scan.id, 120_000)
  const form = new FormData()
  form.append('file', new Blob([uploaded(`${origin}/uploaded`)], { type: 'application/json' }), `${payload}.json`)
  await client('POST', `/scans/${scan.id}/runs/1/axeIssues`, form)
  const issues = await client<PageOf<Named & { rule: string }>>('GET', `/issues?scanId=${scan.id}&size=100`)
  expect(issues.content.some(({ rule }) => rule === payload)).toBe(true)
  const shownIssues = [issues.content.find(({ rule }) => rule === payload)!, issues.content.find(({ rule }) => rule !== payload)!]
  for (const { id } of shownIssues) {
    await client('POST', `/issues/${id}/comments`, { text: `Comment ${payload}` })
    await client('POST', `/issues/${id}/labels`, { labels: [payload.slice(0, 60)] })
  }
  const pages = await client<PageOf<Named & { title: string | null }>>('GET', `/pages?scanId=${scan.id}&size=50`)
  expect(pages.content.some(({ title }) => title?.includes('data-hacked'))).toBe(true)
  const text = JSON.stringify({
    projects: [
      {
        name: payload,
        id: 'p',
        pageList: [{ name: payload, url: `${origin}/`, actions: ['analyze with title "<img data-hacked>"'] }],
      },
    ],
  })
  const script = await client<Named>('POST', '/scripts', { name: `Script ${payload}`, type: 'TASK', text })
  await client('POST', '/groups', { scanGroupName: `Group ${payload}` })
  const filter = `scanId=%5B%22${scan.id}%22%5D`
  paths.push(
    '/scans',
    `/scans/${scan.id}`,
    `/scans/${scan.id}/1`,
    `/scans/${scan.id}/edit?step=general`,
    `/issues?${filter}`,
    `/issues?${filter}&by=rule`,
    ...shownIssues.map(({ id }) => `/issues?${filter}&issue=%22${id}%22`),
    `/pages?${filter}`,
    ...pages.content.slice(0, 3).map(({ id }) => `/pages?${filter}&view=%22${id}%22`),
    '/rollup',
    '/admin',
    '/admin/scripts',
    `/admin/scripts/${script.id}/edit`,
    '/admin/audit',
    '/inbox',
  )
}, 180_000)

it('becomes an element or a script on no screen, also as printed', { timeout: 180_000 }, async () => {
  const { page, open, problems } = suite()
  const dialogs: string[] = []
  page.on('dialog', (dialog) => (dialogs.push(dialog.message()), dialog.dismiss()))
  const pathsWithText: string[] = []
  for (const path of paths) {
    await open(path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.waitForLoadState('networkidle')
    const found = await page.evaluate(() => {
      const roots: (Document | ShadowRoot)[] = [document]
      for (const root of roots)
        for (const element of root.querySelectorAll('*')) if (element.shadowRoot) roots.push(element.shadowRoot)
      return {
        hacked: 'hacked' in window,
        elements: roots.flatMap((root) => [...root.querySelectorAll('[data-hacked]')].map(({ outerHTML }) => outerHTML)),
        links: roots.flatMap((root) => [...root.querySelectorAll('a[href^="javascript:" i]')].map(({ outerHTML }) => outerHTML)),
        isShown: document.body.innerText.includes('data-hacked'),
      }
    })
    expect([path, found]).toEqual([path, { hacked: false, elements: [], links: [], isShown: expect.any(Boolean) as boolean }])
    if (found.isShown) pathsWithText.push(path)
  }
  // The texts were there to see.
  expect(pathsWithText.length).toBeGreaterThan(9)
  expect(pathsWithText).toContain('/admin')
  await open('/rollup')
  await page.emulateMedia({ media: 'print' })
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  expect(await page.locator('[data-hacked]').count()).toBe(0)
  await page.emulateMedia({ media: 'screen' })
  expect([dialogs, problems]).toEqual([[], []])
})
