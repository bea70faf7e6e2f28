/** @module-tag slow */
import { chromium } from 'playwright-core'
import { expect, it } from 'vitest'
import { driveScript } from './in-page.ts'
import { isInFullShare, openDriveLog } from './log.ts'
import type { PageTemplate } from './template-in-page.ts'

// Which pages of a site are driven as the first of their template: those with a layout or a kind of control of their own.

const styles = `
  body { margin: 0 } header, .bar { display: flex } .columns { display: grid; grid-template-columns: 200px 1fr }
  .cards { display: grid } .hero { display: flex } .card { display: flex; flex-direction: column }
  .menu { float: left; width: 200px } .fixed { position: fixed; bottom: 0 } .note { border: 1px solid }`
const menu = '<nav><ul><li><a href="/">Boats</a></li><li><a href="/piers">Piers</a></li></ul></nav>'
const search = '<form role="search"><input type="search" aria-label="Search"><button>Find</button></form>'
const header = `<header class="bar"><a href="/">Harbor</a>${menu}${search}</header>`
const footer = '<footer class="bar"><a href="/terms">Terms</a></footer>'
const writePage = (main: string) =>
  `<!doctype html><html lang="en"><head><title>Harbor</title><style>${styles}</style></head><body>${header}
  <div class="columns"><aside>${menu}</aside><main>${main}</main></div>${footer}</body></html>`
const repeat = (text: string, count: number) => Array.from({ length: count }, () => text).join('')
const paragraph = '<p>The ferry leaves <a href="/piers">pier 3</a> every morning.</p>'

/** Pages that a generator of documentation writes: their text differs in length and kind. */
const manualPages = [
  '<h1>Ferries</h1>' + paragraph,
  '<h1>Ferries</h1>' + repeat(paragraph, 200),
  `<h1>Ferries</h1>${repeat(`<section class="chapter"><h2>Piers</h2>${repeat(paragraph, 4)}</section>`, 30)}`,
  `<h1>Ferries</h1><dl><dt><code>pier</code><dd>${paragraph}</dl><pre>ferry --pier 3</pre><ol><li>${paragraph}</ol>`,
  `<h1>Ferries</h1><div class="note"><p>Late</p></div><table><tr><th>Pier<td>3</table><figure><img alt="Pier" src="data:,"></figure>`,
  `<h1>Ferries</h1><blockquote>${paragraph}</blockquote><div class="section chapter-12"><div class="section">${paragraph}</div></div>`,
]
/** Pages that each have something of their own to drive. */
const differentPages = {
  plain: manualPages[0]!,
  form: '<h1>Book</h1><form><label>Name <input></label><label>Mail <input type="email"></label><button>Book</button></form>',
  'form like the search': '<h1>Find</h1><form><input type="search" aria-label="Pier"><button>Find</button></form>',
  'sorted table': '<h1>Piers</h1><table><tr><th aria-sort="none"><button>Pier</button></th></tr><tr><td>3</td></tr></table>',
  'table that scripts sort':
    '<h1>Piers</h1><table><tr><th tabindex="0" onclick="sort()">Pier</th></tr><tr><td>3</td></tr></table>',
  dialog: '<h1>Map</h1><dialog><p>Pier 3</p></dialog>',
  'dialog by role': '<h1>Map</h1><div role="dialog" aria-modal="true" hidden><p>Pier 3</p></div>',
  player: '<h1>Sound</h1><video controls src="data:,"></video>',
  disclosure: '<h1>Questions</h1><details><summary>When?</summary><p>Now</p></details>',
  tabs: '<h1>Piers</h1><div role="tablist"><div role="tab" tabindex="0">One</div></div>',
  frame: '<h1>Map</h1><iframe title="Map" srcdoc="Map"></iframe>',
  editor: '<h1>Note</h1><div contenteditable="true">Note</div>',
  'stop of its own': '<h1>Book</h1><div tabindex="0">Book</div>',
  cards: `<div class="hero"><h1>Harbor</h1></div><div class="cards">${repeat(`<div class="card">${paragraph}</div>`, 6)}</div>`,
  bar: `<h1>Harbor</h1>${paragraph}<div class="fixed">News</div><div class="menu">${menu}</div><article>${paragraph}</article>`,
}

const cards = `<div class="cards">${repeat(paragraph, 6)}</div>`
/** Pages with a layout of their own, where it is hard to see. */
const hiddenLayouts = {
  plain: manualPages[0]!,
  'the third box of its kind': `<div id="top">Top</div><div id="side">Side</div><div id="content">${cards}</div>`,
  'a column of another width': `<div class="col-3">A</div><div class="col-6">B</div><div class="col-9"><div class="hero">${paragraph}</div></div>`,
  'in the slot of a shell': `<app-shell><article class="fixed">${paragraph}</article></app-shell>
    <script>document.querySelector('app-shell').attachShadow({ mode: 'open' }).innerHTML = '<slot></slot>'</script>`,
}
/** Pages whose box has a name of its own. */
const namedPages = ['harbor', 'meadow', 'quarry', 'island', 'tower', 'garden'].map(
  (name) => `<div class="hero post-${name}"><h1>${name}</h1>${paragraph}</div>`,
)

async function readTemplates(bodies: readonly string[]): Promise<PageTemplate[]> {
  const browser = await chromium.launch({ executablePath: process.env.TEST_BROWSER!, args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    const templates: PageTemplate[] = []
    for (const body of bodies) {
      await page.setContent(writePage(body))
      templates.push(await page.evaluate<PageTemplate>(`${driveScript} clearwayDrive.template.read()`))
    }
    return templates
  } finally {
    await browser.close()
  }
}
/** Numbers of the pages that are driven in full. */
function listFull(templates: readonly PageTemplate[]): number[] {
  const log = openDriveLog('templates')
  const keys = Array.from({ length: 2000 }, (_, index) => `key ${index}`).filter((key) => !isInFullShare(key))
  return templates.flatMap((template, number) => (log.chooseLevel(keys[number]!, template) === 'full' ? [number] : []))
}

it('drives the first page of a layout, and each that has a kind of control of its own', async () => {
  const names = Object.keys(differentPages)
  const templates = await readTemplates([...Object.values(differentPages), ...manualPages])
  const [different, manual] = [templates.slice(0, names.length), templates.slice(names.length)]
  expect(listFull(manual), 'text of any length is one template').toEqual([0])
  expect(listFull(different).map((number) => names[number])).toEqual(names)
  expect(listFull([...different, ...different, ...manual]), 'each once').toEqual(different.map((_, number) => number))
  const hiddenNames = Object.keys(hiddenLayouts)
  const hidden = await readTemplates(Object.values(hiddenLayouts))
  expect(listFull(hidden).map((number) => hiddenNames[number])).toEqual(hiddenNames)
  expect(listFull(await readTemplates(namedPages)), 'a name makes no template').toEqual([0])
  // The controls of a page may be those of several others.
  expect(listFull([...manual, different[1]!, different[3]!, { ...different[0]!, controls: different[1]!.controls }])).toEqual([
    0,
    manual.length,
    manual.length + 1,
  ])
})
