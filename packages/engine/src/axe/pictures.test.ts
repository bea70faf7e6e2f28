import { chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { html, serve, tryScan, type TestSite, poolOfFile } from '../../test/harness.ts'
import type { PageOutcome } from '../outcome.ts'

// Where pages are photographed, and that the photographs show the elements where they say so.

const faint = (color: string): string =>
  `<p style="margin:0;width:300px;height:100px;background:${color};color:${color};opacity:0.99">Hard to read</p>`
const space = '<div style="height:3000px"></div>'
const cover =
  '<div id="c" style="position:fixed;inset:0;background:#222" hidden></div><script>onscroll = () => { c.hidden = scrollY === 0 }</script>'

const pool = poolOfFile()
let site: TestSite
beforeAll(async () => {
  site = await serve({
    '/far': html('Far', `${space}${faint('#e00000')}${space}${faint('#0000e0')}`),
    '/covered': html('Covered', `${faint('#00a000')}${space}${faint('#e00000')}${cover}`),
    '/typed': html(
      'Typed',
      '<input id="q" style="border:0;margin:0;padding:0;width:300px;height:100px;background:#fff;color:#000;font:100px/100px monospace;-webkit-text-stroke:150px #000">',
    ),
    '/smooth': html('Smooth', `<style>html { scroll-behavior: smooth }</style>${space}${faint('#e00000')}`),
  })
})
afterAll(async () => {
  await site.close()
})

async function outcomeOf(path: string): Promise<PageOutcome> {
  const { pages } = await tryScan(pool, site, {
    urls: [path],
    plan: { depth: 0 },
    advanced: { savePictures: true },
  })
  return pages[path]!
}

/** The colors at the middle of each pictured element, as red, green, blue. */
async function colorsOf(outcome: PageOutcome): Promise<number[][]> {
  if (outcome.kind !== 'completed') throw new Error(outcome.kind)
  const pictures = outcome.findings.flatMap(({ picture }) => (picture ? [picture] : []))
  const browser = await chromium.launch({ executablePath: process.env.TEST_BROWSER!, args: ['--no-sandbox'] })
  const page = await browser.newPage()
  const colors = await Promise.all(
    pictures.map(({ image, box }) =>
      page.evaluate(
        async ([text, x, y]) => {
          const bitmap = await createImageBitmap(await (await fetch(`data:image/jpeg;base64,${text}`)).blob())
          const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!
          context.drawImage(bitmap, 0, 0)
          return [...context.getImageData(x, y, 1, 1).data].slice(0, 3)
        },
        [Buffer.from(image).toString('base64'), box.x + 280, box.y + 80] as const,
      ),
    ),
  )
  await browser.close()
  return colors
}

const near = (color: number[]): string =>
  color.map((part) => (part > 200 ? 'high' : part > 100 ? 'middle' : 'low')).join(' ')

it('shows elements far down a long page', async () => {
  expect((await colorsOf(await outcomeOf('/far'))).map(near).sort()).toEqual(['high low low', 'low low high'])
})
it('shows no element that something hides once the page is scrolled', async () => {
  expect((await colorsOf(await outcomeOf('/covered'))).map(near)).toEqual(['low middle low'])
})
it('does not wait for a smooth scroll', async () => {
  expect((await colorsOf(await outcomeOf('/smooth'))).map(near)).toEqual(['high low low'])
})
/** What a script's walk over the page with a field comes to, and the picture of its last step, which fails. */
async function typed(variables: { name: string; value: string }[]) {
  // Drawn with a stroke so thick that any letter fills the field: no font is counted on to have a full block.
  const actions = [`type "${'M'.repeat(20)}" into element "#q"`, 'analyze', 'click element "#never"']
  const pageList = [{ name: 'Typed', url: `${site.origin}/typed`, actions }]
  const text = JSON.stringify({ projects: [{ name: 'Shop', id: 's', pageList }] })
  const { pages } = await tryScan(pool, site, {
    urls: ['/smooth'],
    plan: { depth: 0, scripts: [{ name: 'Shop', text, variables }] },
    advanced: { savePictures: true, scriptTimeoutMs: 15_000 },
  })
  const state = Object.values(pages).find((page) => page.kind === 'completed' && page.stateLabel)
  const failed = pages['script:Shop']
  if (state?.kind !== 'completed' || failed?.kind !== 'failed')
    throw new Error(`${state?.kind}, ${failed?.kind}`)
  const box = { x: 8, y: 8, width: 300, height: 100 }
  const shown = { image: failed.screenshot!, mimeType: 'image/jpeg' as const, box }
  const last = { ...state, findings: [{ ...state.findings[0]!, picture: shown }] }
  return { state, last: (await colorsOf(last)).map(near) }
}

it('shows what a script has typed', async () => {
  const { state, last } = await typed([])
  expect((await colorsOf(state)).map(near)).toContain('low low low')
  expect(last).toEqual(['low low low'])
})
it('shows nothing of it where the script has secrets', async () => {
  const { state, last } = await typed([{ name: 'WORD', value: 'nobody' }])
  expect([state.views, state.findings.filter(({ picture }) => picture)]).toEqual([[], []])
  expect(last).toEqual(['high high high'])
})
