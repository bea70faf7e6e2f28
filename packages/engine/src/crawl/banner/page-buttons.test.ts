/** @module-tag slow */
import { expect, test } from 'vitest'
import { buildTestPlan, html, type Route, tryScan, useTestPool, useTestSite } from '../../../test/harness.ts'
import { listPageButtons } from './page-buttons.ts'

// The button that a person chooses on the picture is the one that a scan clicks.

const pool = useTestPool()

const close = `onclick="document.querySelector('#wall').remove()"`
const other = `onclick="this.remove()"`
const buildLayer = (content: string, attributes = 'id="wall"') =>
  `<div ${attributes} style="position:fixed;inset:0;background:#fff">${content}</div>`
const buildShadow = (mode: string) =>
  `<div id="host" style="position:fixed;inset:0;background:#fff"></div><script>{ const root = host.attachShadow({ mode: '${mode}' })
    root.innerHTML = '<div><button name="other">Yes</button><button name="closed">No thanks</button></div>'
    for (const button of root.querySelectorAll('button')) if (button.name === 'closed') button.onclick = () => host.remove() }</script>`

const layers: Record<string, string> = {
  'an id': buildLayer(`<button id="yes" ${other}>Yes</button><button id="no" ${close}>No thanks</button>`),
  'generated names': buildLayer(
    `<button id="b-48213" class="css-1x2ab34" ${other}>Yes</button><button id="b-48214" class="css-1x2ab34" ${close}>No thanks</button>`,
  ),
  'the same name twice': buildLayer(
    `<p><button class="choice" ${other}>Yes</button></p><p><button class="choice" ${close}>No thanks</button></p>`,
  ),
  'a link without a target': buildLayer(`<a href="/yes">Yes</a> <a href="#" ${close}>No thanks</a>`),
  'an open shadow root': buildShadow('open'),
  'a closed shadow root': buildShadow('closed'),
  'a frame': buildLayer(
    `<iframe title="Choice" style="width:100%;height:100%" srcdoc="<button onclick=&quot;parent.document.querySelector('#wall').remove()&quot;>No thanks</button>"></iframe>`,
  ),
  'names like properties': buildLayer(
    `<form id="wall2" onsubmit="return false"><input name="parentNode"><input name="children"><input name="childNodes"><input name="localName"><button type="button" ${close}>No thanks</button></form>`,
  ),
  'a name with quotes': buildLayer(`<button data-testid='say "no"' ${close}>No thanks</button><button ${other}>Yes</button>`),
}

const layerNames = Object.keys(layers)
/** Another page has buttons of the same kind, and no layer: none of them may be clicked there. */
const sold = '<button class="choice">Sell</button><p><button>Sell all</button></p>'
const buildPage = (layer: string) =>
  html('Page', `<h1>Boats</h1><button class="choice">Behind</button><p>All boats</p><a href="/offer">Offer</a>${layer}`)
const site = useTestSite(() => ({
  '/offer': html('Offer', `<h1>Offer</h1>${sold}`),
  ...Object.fromEntries(layerNames.map((name, index): [string, Route] => [`/${index}`, buildPage(layers[name]!)])),
}))

test.each(layerNames.map((name, index) => [name, index] as const))('a scan clicks what was chosen: %s', async (name, index) => {
  const url = `${site.origin}/${index}`
  const seen = await listPageButtons({ pool }, buildTestPlan(site, { plan: { urls: [url] } }))
  if (seen.kind !== 'seen') throw new Error(seen.detail)
  expect(seen.page).toMatchObject({ url, title: 'Page', status: 200 })
  expect(seen.page.screenshot!.length).toBeGreaterThan(1000)
  const chosen = seen.buttons.filter(({ text }) => text === 'No thanks')
  expect(chosen).toHaveLength(1)
  // The layer covers it.
  expect(seen.buttons.map(({ text }) => text)).not.toContain('Behind')
  if (name !== 'a frame') {
    const box = chosen[0]!.box!
    for (const share of Object.values(box)) expect(share).toBeGreaterThanOrEqual(0)
    expect(Math.max(box.left + box.width, box.top + box.height)).toBeLessThanOrEqual(1)
  } else expect(chosen[0]!.box).toBeNull()
  const advanced = { closeBanners: false, bannerSelectors: [chosen[0]!.selector] }
  const { pages } = await tryScan(pool, site, { plan: { urls: [url] }, advanced })
  const page = pages[`/${index}`] as { kind: string; notices: string[]; detail: string | null }
  expect(pages['/offer']).toMatchObject({ kind: 'completed', detail: expect.not.stringContaining('clicked') })
  expect(page.kind).toBe('completed')
  expect(page.notices).not.toContain('banner-button-not-found')
  expect(page.detail).toBe('Banner: clicked “No thanks” (named by the scan)')
})

test('says why a start page cannot be shown', async () => {
  expect(await listPageButtons({ pool }, buildTestPlan(site, { plan: { urls: [`${site.origin}/none`] } }))).toMatchObject({
    kind: 'seen',
    page: { status: 404 },
  })
  expect(await listPageButtons({ pool }, buildTestPlan(site, { plan: { urls: ['http://127.0.0.1:9/'] } }))).toMatchObject({
    kind: 'problem',
  })
})
