import type { Target } from '@clearway/contract/monitor/issue/schema.ts'
import { chromium, type Browser, type Frame } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { html, tryScan, useTestPool, useTestSite, type Route } from '../../test/harness.ts'

// Every reported selector finds its element and nothing else: on pages whose elements look alike, in shadow roots and frames.

let faultCount = 0
/** Elements with a fault look alike; only a comment, which no selector can use, tells them apart. */
const buildFaults = (count: number, tag = 'button', extraAttributes = '') =>
  Array.from({ length: count }, () => `<${tag} ${extraAttributes}><!--fault ${++faultCount};--></${tag}>`).join('')
const wrap = (depth: number, content: string): string =>
  depth === 0 ? content : `<div class="box"><div class="box">${wrap(depth - 1, content)}</div></div>`
const buildShadow = (shadowHtml: string, attributes = '') =>
  `<div class="host" ${attributes}><template shadowrootmode="open">${shadowHtml}</template></div>`
const buildFrame = (name: string, body: string) =>
  `<iframe title="${name}" class="frame" srcdoc='<html lang="en"><title>${name}</title><main aria-label="${name}"><h2>${name}</h2>${body}</main>'></iframe>`

const pages: Record<string, string> = {
  '/alike': `${wrap(3, buildFaults(125))}${wrap(2, buildFaults(40, 'a', 'href="/"'))}${wrap(1, buildFaults(20, 'a', 'href="/" class="x"'))}
    <ul>${Array.from({ length: 20 }, () => `<li>${buildFaults(2)}</li>`).join('')}</ul>`,
  '/ids': `${Array.from({ length: 15 }, (_, index) => `<p id="same">${buildFaults(1)}</p><p id="1:${index}.«x»">${buildFaults(2)}</p>`).join('')}
    <form><input name="children"><input name="shadowRoot"><input name="id">${buildFaults(6)}</form>`,
  '/names': `<svg><foreignObject>${buildFaults(10)}</foreignObject><linearGradient></linearGradient></svg><o:p>${buildFaults(5)}</o:p>
    <x-élan>${buildFaults(5)}</x-élan><math><mi>${buildFaults(5)}</mi></math>`,
  // The first match of the path in a root without its own ancestors would be the element of the section.
  '/shadow': buildShadow(
    `<section>${buildFaults(10)}${buildShadow(`<section>${buildFaults(10)}</section>${buildFaults(10)}`)}</section>${buildFaults(10)}`,
  ).repeat(2),
  '/frames': `${buildFrame('One', buildFaults(20))}${wrap(1, buildFrame('Two', buildFaults(20)))}
    ${buildShadow(`<section>${buildFrame('Three', wrap(1, buildFaults(20)))}</section>${buildFrame('Four', buildFaults(20))}`)}
    ${buildShadow(buildFrame('Five', buildShadow(`<p>${buildFaults(10)}</p>${buildFaults(10)}`)))}
    ${buildFrame('Six', buildFrame('Seven', buildFaults(20)).replaceAll("'", '&#39;'))}`,
}
const routes: Record<string, Route> = Object.fromEntries(Object.entries(pages).map(([path, body]) => [path, html(path, body)]))
// Each copy of a shadow root has faults of its own.
routes['/shadow'] = html(
  'Shadow',
  pages['/shadow']!.replaceAll(/fault \d+/g, () => `fault ${++faultCount}`),
)

const pool = useTestPool()
const site = useTestSite(() => routes)
let browser: Browser
beforeAll(async () => {
  browser = await chromium.launch({ executablePath: process.env.TEST_BROWSER!, args: ['--no-sandbox'] })
})
afterAll(() => browser.close())

type Step = Target[number]
/** Markup of all elements that each of some selectors matches in a frame, root by root. */
const findMatches = (frame: Frame, steps: readonly Step[]): Promise<string[][]> =>
  frame.evaluate(
    (selectorLists) =>
      selectorLists.map((selectors) => {
        let roots: (Document | ShadowRoot)[] = [document]
        let elements: Element[] = []
        for (const selector of selectors) {
          elements = roots.flatMap((root) => [...root.querySelectorAll(selector)])
          roots = elements.flatMap((element) => element.shadowRoot ?? [])
        }
        return elements.map(({ outerHTML }) => outerHTML)
      }),
    steps.map((step) => [step].flat()),
  )
/** The frame that a selector leads to; null unless it matches exactly one element. */
async function enterFrame(frame: Frame, step: Step): Promise<Frame | null> {
  if ((await findMatches(frame, [step]))[0]!.length !== 1) return null
  const handle = await frame.evaluateHandle((selectors) => {
    let root: Document | ShadowRoot | null = document
    let element: Element | null = null
    for (const selector of selectors) {
      element = root?.querySelector(selector) ?? null
      root = element?.shadowRoot ?? null
    }
    return element
  }, [step].flat())
  return (await handle.asElement()?.contentFrame()) ?? null
}

it('matches exactly the element of each finding', { timeout: 60_000 }, async () => {
  const { pages: outcomes } = await tryScan(pool, site, { urls: Object.keys(pages), plan: { depth: 0 } })
  const page = await browser.newPage()
  const wrongTargets: string[] = []
  const foundFaults = new Set<string>()
  for (const path of Object.keys(pages)) {
    const outcome = outcomes[path]
    if (outcome?.kind !== 'completed') throw new Error(`${path} ${JSON.stringify(outcome)}`)
    await page.goto(site.origin + path, { waitUntil: 'load' })
    const faults = outcome.findings.flatMap(({ target, html: source }) => {
      const marker = /fault \d+;/.exec(source)?.[0]
      return marker === undefined ? [] : [{ target, marker }]
    })
    for (const group of Map.groupBy(faults, ({ target }) => JSON.stringify(target.slice(0, -1))).values()) {
      let frame: Frame | null = page.mainFrame()
      for (const step of group[0]!.target.slice(0, -1)) frame = frame && (await enterFrame(frame, step))
      const matches = frame
        ? await findMatches(
            frame,
            group.map(({ target }) => target.at(-1)!),
          )
        : []
      for (const [index, { marker, target }] of group.entries()) {
        foundFaults.add(marker)
        const [match, ...others] = matches[index] ?? []
        if (!match?.includes(marker) || others.length > 0) wrongTargets.push(`${path} ${marker} ${JSON.stringify(target)}`)
      }
    }
  }
  expect(wrongTargets).toEqual([])
  expect(foundFaults.size).toBeGreaterThanOrEqual(500)
})
