import { chromium } from 'playwright-core'
import { serveFolder } from '../engine/serve-folder.ts'
import { executablePath, scanVersion, fetchVersion } from './scan.ts'
import { sites } from './sites.ts'

/**
 * Prints the findings of both versions of a site page by page, each with its context, for manual labeling of pairs. It uses
 * neither keys nor matches.
 *
 *   node ../scripts/node24.mjs bench/identity/list.ts SITE PAGE…
 */
const [name, ...pages] = process.argv.slice(2)
const site = sites.find((siteEntry) => siteEntry.name === name)!
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
const tab = await browser.newPage()

/** Describes the context of an element: its ancestors, the preceding heading, its own text. */
const describeContext = (selector: string): Promise<string> =>
  tab.evaluate((css) => {
    const element = document.querySelector(css)
    if (!element) return 'not there'
    const truncate = (content: string | null | undefined, maxLength: number) =>
      (content ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, maxLength)
    const path: string[] = []
    for (
      let ancestor = element.parentElement;
      ancestor && ancestor !== document.body && path.length < 4;
      ancestor = ancestor.parentElement
    )
      path.unshift(
        ancestor.localName + (ancestor.id ? `#${ancestor.id}` : ancestor.classList.length > 0 ? `.${ancestor.classList[0]}` : ''),
      )
    const headings = [...document.querySelectorAll('h1,h2,h3,h4,h5,h6,.card-title,.card-header')]
    const precedingHeading = headings.findLast(
      (heading) => element.compareDocumentPosition(heading) & Node.DOCUMENT_POSITION_PRECEDING,
    )
    const parent = truncate(element.parentElement?.textContent, 50)
    return `under “${truncate(precedingHeading?.textContent, 40)}” in ${path.join('>')}: ${truncate(element.outerHTML, 110)} … “${truncate(element.textContent, 40)}” of “${parent}”`
  }, selector)

let port = 0
for (const [n, version] of site.versions.entries()) {
  const findings = await scanVersion(site, version, { pages, port })
  port = findings.port
  const served = await serveFolder(fetchVersion(site, version))
  for (const page of pages) {
    await tab.goto(`${served.url}/${page}`)
    for (const { rule, target } of findings.pages.get(page) ?? []) {
      const selector = JSON.stringify(target)
      const flat = target.length === 1 && typeof target[0] === 'string' ? target[0] : null
      const context = flat ? await describeContext(flat) : 'within a frame or shadow root'
      console.log(JSON.stringify({ version: n, page, rule, selector, context }))
    }
  }
  served.close()
}
await browser.close()
