import axe from 'axe-core'
import { expect, it } from 'vitest'
import { correctedRules, findCorrection } from './model.ts'

const body = (html: string) =>
  `<!doctype html><html lang="en"><head><title>T</title></head><body><main>${html}</main></body></html>`
const html = (attributes: string) =>
  `<!doctype html><html ${attributes}><head><title>T</title></head><body><main>x</main></body></html>`
const viewport = (content: string) =>
  `<!doctype html><html lang="en"><head><title>T</title><meta name="viewport" content="${content}"></head><body><main>x</main></body></html>`

/** Pages with a violation of each rule, with the correction of the first affected element. */
const cases: Readonly<Record<string, readonly (readonly [page: string, correction: string])[]>> = {
  accesskeys: [[body('<button accesskey="s">A</button><button accesskey="s" class="x">B</button>'), '<button>']],
  'aria-allowed-attr': [
    [
      body('<button role="link" aria-pressed="true" aria-label="a &amp; b">x</button>'),
      '<button role="link" aria-label="a &amp; b">',
    ],
    [
      body('<div role="checkbox" aria-checked="TRUE" aria-label="x" tabindex="0"></div>'),
      '<div role="checkbox" aria-checked="true" aria-label="x" tabindex="0">',
    ],
  ],
  'aria-allowed-role': [[body('<h2 role="checkbox" aria-checked="true">x</h2>'), '<h2 aria-checked="true">']],
  'aria-conditional-attr': [
    [body('<input type="checkbox" aria-checked="true" aria-label="x">'), '<input type="checkbox" aria-label="x">'],
  ],
  'aria-hidden-body': [
    ['<!doctype html><html lang="en"><head><title>T</title></head><body aria-hidden="true">x</body></html>', '<body>'],
  ],
  'aria-prohibited-attr': [[body('<span class="a" aria-label="x"></span>'), '<span class="a">']],
  'aria-valid-attr': [[body('<button aria-lable="x">y</button>'), '<button>']],
  'autocomplete-valid': [
    [body('<input aria-label="x" autocomplete="Firstname">'), '<input aria-label="x" autocomplete="given-name">'],
  ],
  'avoid-inline-spacing': [
    [
      body('<p style="letter-spacing: 0.01em !important; color: black">text</p>'),
      '<p style="letter-spacing: 0.01em; color: black">',
    ],
  ],
  'color-contrast': [
    [body('<p style="color: #888; background: #fff">text</p>'), 'color: #767676;'],
    [body('<p style="color: #333; background: #000">text</p>'), 'color: #757575;'],
    [body('<p style="color: #c66; background: #fff">text</p>'), 'color: #b65b5b;'],
  ],
  'color-contrast-enhanced': [[body('<p style="color: #767676; background: #fff">text</p>'), 'color: #595959;']],
  'html-has-lang': [[html('xml:lang="fr"'), '<html xml:lang="fr" lang="fr">']],
  'html-lang-valid': [[html('lang="en_US"'), '<html lang="en-US">']],
  'html-xml-lang-mismatch': [[html('lang="en" xml:lang="fr"'), '<html lang="en" xml:lang="en">']],
  'image-redundant-alt': [[body('<a href="#"><img src="data:," alt="Home">Home</a>'), '<img src="data:," alt="">']],
  'link-in-text-block': [
    [
      body(
        '<p style="color: #000">A text <a href="#" style="color: #222; text-decoration: none">with a link</a> inside of it</p>',
      ),
      'text-decoration: underline;',
    ],
  ],
  'meta-viewport': [
    [
      viewport('width=device-width, initial-scale=1, maximum-scale=1, user-scalable=no'),
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
    ],
  ],
  'meta-viewport-large': [
    [viewport('width=device-width, maximum-scale=3'), '<meta name="viewport" content="width=device-width">'],
  ],
  'scope-attr-valid': [[body('<table><tr><th scope="column">x</th></tr><tr><td>y</td></tr></table>'), '<th scope="col">']],
  'scrollable-region-focusable': [
    [
      body('<div style="height: 20px; width: 99px; overflow: scroll"><p style="height: 500px">x</p></div>'),
      '<div style="height: 20px; width: 99px; overflow: scroll" tabindex="0">',
    ],
  ],
  tabindex: [[body('<a href="#" tabindex="5">x</a>'), '<a href="#" tabindex="0">']],
  'target-size': [
    [
      body(
        '<button style="width: 9px; height: 9px; padding: 0">x</button><button style="width: 9px; height: 9px; padding: 0">y</button>',
      ),
      'min-width: 24px; min-height: 24px;',
    ],
  ],
  'valid-lang': [[body('<p lang=" de_AT">x</p>'), '<p lang="de-AT">']],
}

/** Runs a single axe-core rule on a page of its own and returns its findings. */
async function pageWith(text: string) {
  const frame = document.createElement('iframe')
  frame.style.cssText = 'width: 600px; height: 400px'
  document.body.append(frame)
  const page = frame.contentDocument!
  page.open()
  page.write(text)
  page.close()
  ;(frame.contentWindow as unknown as { eval: (code: string) => void }).eval(axe.source)
  const frameAxe = (frame.contentWindow as unknown as { axe: typeof axe }).axe
  return {
    page,
    find: async (rule: string) => {
      const axeResults = await frameAxe.run(page, { runOnly: [rule], rules: { [rule]: { enabled: true } } })
      return axeResults.violations.flatMap(({ nodes }) => nodes)
    },
    remove: () => frame.remove(),
  }
}

/** Applies the attributes of a start tag, or a CSS declaration, to an element. */
function apply(element: HTMLElement, { language, code }: { language: string; code: string }) {
  if (language === 'css') {
    element.style.cssText += `;${code}`
    return
  }
  const read = new DOMParser().parseFromString(code.replace(/^<[^\s/>]+/, '<i'), 'text/html').querySelector('i')!
  for (const name of element.getAttributeNames()) element.removeAttribute(name)
  for (const name of read.getAttributeNames()) element.setAttribute(name, read.getAttribute(name)!)
}

it.each(Object.entries(cases).flatMap(([rule, pages]) => pages.map((one) => [rule, ...one] as const)))(
  'of %s satisfies axe-core',
  async (rule, text, expected) => {
    const { page, find, remove } = await pageWith(text)
    const findings = await find(rule)
    expect(findings.length).toBeGreaterThan(0)
    const getMessages = (checks: readonly { message: string }[]) => checks.map(({ message }) => message)
    for (const [nodeIndex, node] of findings.entries()) {
      const fix = { any: getMessages(node.any), all: getMessages(node.all), none: getMessages(node.none) }
      const correction = findCorrection({ rule, html: node.html, fix })
      expect(correction).not.toBeNull()
      if (nodeIndex === 0) expect(correction!.code).toBe(expected)
      apply(page.querySelector<HTMLElement>(node.target[0] as string)!, correction!)
    }
    expect(await find(rule)).toEqual([])
    remove()
  },
)

it('covers every rule with a correction', () => {
  // The page plays sound.
  const tried = [...Object.keys(cases), 'no-autoplay-audio']
  expect(tried.toSorted()).toEqual(correctedRules.toSorted())
})

it.each([
  ['image-alt', '<img src="a.png">'],
  ['tabindex', '<a tabindex="5" title="cut o'],
  ['tabindex', ''],
  ['tabindex', '<a tabindex="0">'],
  ['autocomplete-valid', '<input autocomplete="constructor">'],
  ['constructor', '<p>x</p>'],
  ['html-lang-valid', '<html lang="english language">'],
  ['aria-valid-attr', '<p constructor="" aria-hidden="false">'],
])('offers no correction for %s of %s', (rule, html) => {
  expect(findCorrection({ rule, html, fix: { any: [], all: [], none: [] } })).toBeNull()
})

it('returns quickly for input crafted to exhaust the browser', () => {
  const often = 'foreground color: #aaaaaa, background color: #ffffff,'.repeat(20_000)
  const spaces = ' '.repeat(1_000_000)
  const fix = { any: [often, `should be at least ${'1'.repeat(1_000_000)}`], all: [], none: [] }
  for (const rule of correctedRules)
    for (const html of [`<p${spaces}=`, `<p ${'a '.repeat(500_000)}`, `<p style="${spaces}!important">`])
      findCorrection({ rule, html, fix })
})
