/** @module-tag slow */
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { html, serve, tryScan, type TestSite, useTestPool } from '../../test/harness.ts'
import type { PageOutcome } from '../outcome.ts'

// Screenshot positions, and whether element boxes match the screenshots.

const buildFaintText = (color: string): string =>
  `<p style="margin:0;width:300px;height:100px;background:${color};color:${color};opacity:0.99">Hard to read</p>`
const tallSpacer = '<div style="height:3000px"></div>'
const coverScript =
  '<div id="c" style="position:fixed;inset:0;background:#222" hidden></div><script>onscroll = () => { c.hidden = scrollY === 0 }</script>'

const pool = useTestPool()
let site: TestSite
beforeAll(async () => {
  site = await serve({
    '/far': html('Far', `${tallSpacer}${buildFaintText('#e00000')}${tallSpacer}${buildFaintText('#0000e0')}`),
    '/covered': html('Covered', `${buildFaintText('#00a000')}${tallSpacer}${buildFaintText('#e00000')}${coverScript}`),
    '/typed': html(
      'Typed',
      // Fields that are named like properties do not stop the hiding.
      '<form><input type="hidden" name="matches"><input type="hidden" name="childNodes"></form><input id="q" style="border:0;margin:0;padding:0;width:300px;height:100px;background:#fff;color:#000;font:100px/100px monospace;-webkit-text-stroke:150px #000">',
    ),
    '/smooth': html('Smooth', `<style>html { scroll-behavior: smooth }</style>${tallSpacer}${buildFaintText('#e00000')}`),
  })
})
afterAll(async () => {
  await site.close()
})

async function scanPage(path: string): Promise<PageOutcome> {
  const { pages } = await tryScan(pool, site, { urls: [path], plan: { depth: 0 }, advanced: { savePictures: true } })
  return pages[path]!
}

/** Colors at the center of each pictured element, as red, green, blue. */
async function readColors(outcome: PageOutcome): Promise<number[][]> {
  if (outcome.kind !== 'completed') throw new Error(outcome.kind)
  const elementPictures = outcome.findings.flatMap(({ picture }) => (picture ? [picture] : []))
  const browser = await chromium.launch({ executablePath: process.env.TEST_BROWSER!, args: ['--no-sandbox'] })
  const page = await browser.newPage()
  const colors = await Promise.all(
    elementPictures.map(({ image, box }) =>
      page.evaluate(
        async ([base64Text, x, y]) => {
          const bitmap = await createImageBitmap(await (await fetch(`data:image/jpeg;base64,${base64Text}`)).blob())
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

const classifyColor = (color: number[]): string =>
  color.map((channel) => (channel > 200 ? 'high' : channel > 100 ? 'middle' : 'low')).join(' ')

it('shows elements far down on a long page', async () => {
  expect((await readColors(await scanPage('/far'))).map(classifyColor).sort()).toEqual(['high low low', 'low low high'])
})
it('shows no element that is covered after scrolling', async () => {
  expect((await readColors(await scanPage('/covered'))).map(classifyColor)).toEqual(['low middle low'])
})
it('does not wait for a smooth scroll', async () => {
  expect((await readColors(await scanPage('/smooth'))).map(classifyColor)).toEqual(['high low low'])
})
/** Returns the state of a script that types into a page, and the screenshot of its failing last step. */
async function scanTypedPage(variables: { name: string; value: string }[]) {
  // The stroke is so thick that any letter fills the field: fonts may lack a full block.
  const scriptActions = [`type "${'M'.repeat(20)}" into element "#q"`, 'analyze', 'click element "#never"']
  const pageList = [{ name: 'Typed', url: `${site.origin}/typed`, actions: scriptActions }]
  const scriptText = JSON.stringify({ projects: [{ name: 'Shop', id: 's', pageList }] })
  const { pages } = await tryScan(pool, site, {
    urls: ['/smooth'],
    plan: { depth: 0, scripts: [{ name: 'Shop', text: scriptText, variables }] },
    advanced: { savePictures: true, scriptTimeoutMs: 15_000 },
  })
  const stateOutcome = Object.values(pages).find((page) => page.kind === 'completed' && page.stateLabel)
  const failedOutcome = pages['script:Shop']
  if (stateOutcome?.kind !== 'completed' || failedOutcome?.kind !== 'failed')
    throw new Error(`${stateOutcome?.kind}, ${failedOutcome?.kind}`)
  const box = { x: 8, y: 8, width: 300, height: 100 }
  const failurePicture = { image: failedOutcome.screenshot!, mimeType: 'image/jpeg' as const, box }
  const lastOutcome = { ...stateOutcome, findings: [{ ...stateOutcome.findings[0]!, picture: failurePicture }] }
  return { state: stateOutcome, last: (await readColors(lastOutcome)).map(classifyColor) }
}

it('shows text that a script has typed', async () => {
  const { state: stateOutcome, last } = await scanTypedPage([])
  expect((await readColors(stateOutcome)).map(classifyColor)).toContain('low low low')
  expect(last).toEqual(['low low low'])
})
it('shows no typed text if the script has secrets', async () => {
  const { state: stateOutcome, last } = await scanTypedPage([{ name: 'WORD', value: 'nobody' }])
  expect([stateOutcome.views, stateOutcome.findings.filter(({ picture }) => picture)]).toEqual([[], []])
  expect(last).toEqual(['high high high'])
})
