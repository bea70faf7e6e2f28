import { chromium } from 'playwright-core'
import { serveFolder } from '../engine/serve-folder.ts'
import { executablePath, findingsOf, folderOf } from './scan.ts'
import { sites } from './sites.ts'

/**
 * Prints the findings of both versions of a site page by page, each with what is around it, for whoever says by hand which
 * is which. It knows nothing of keys and matches.
 *
 *   node ../scripts/node24.mjs bench/identity/list.ts SITE PAGE…
 */
const [name, ...pages] = process.argv.slice(2)
const site = sites.find((one) => one.name === name)!
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
const tab = await browser.newPage()

/** What is around an element: its ancestors, the heading before it, its own text. */
const around = (selector: string): Promise<string> =>
  tab.evaluate((css) => {
    const element = document.querySelector(css)
    if (!element) return 'not there'
    const short = (text: string | null | undefined, most: number) =>
      (text ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, most)
    const path: string[] = []
    for (let at = element.parentElement; at && at !== document.body && path.length < 4; at = at.parentElement)
      path.unshift(
        at.localName + (at.id ? `#${at.id}` : at.classList.length > 0 ? `.${at.classList[0]}` : ''),
      )
    const headings = [...document.querySelectorAll('h1,h2,h3,h4,h5,h6,.card-title,.card-header')]
    const before = headings.findLast(
      (one) => element.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING,
    )
    const parent = short(element.parentElement?.textContent, 50)
    return `under “${short(before?.textContent, 40)}” in ${path.join('>')}: ${short(element.outerHTML, 110)} … “${short(element.textContent, 40)}” of “${parent}”`
  }, selector)

let port = 0
for (const [n, version] of site.versions.entries()) {
  const found = await findingsOf(site, version, { pages, port })
  port = found.port
  const served = await serveFolder(folderOf(site, version))
  for (const page of pages) {
    await tab.goto(`${served.url}/${page}`)
    for (const { rule, target } of found.pages.get(page) ?? []) {
      const selector = JSON.stringify(target)
      const flat = target.length === 1 && typeof target[0] === 'string' ? target[0] : null
      const context = flat ? await around(flat) : 'within a frame or shadow root'
      console.log(JSON.stringify({ version: n, page, rule, selector, context }))
    }
  }
  served.close()
}
await browser.close()
