import { expect, it } from 'vitest'
import { excerptOf, spanInSource } from './model-source.ts'

const said = (source: string, target: (string | string[])[], html = '') => {
  const span = spanInSource(source, { target, html })
  return span && source.slice(span.from, span.to)
}
/** As a page is kept: what the browser writes of its document. */
const kept = (body: string, head = '') => {
  const page = new DOMParser().parseFromString(`<title>T</title>${head}`, 'text/html')
  page.body.innerHTML = body
  return `<!DOCTYPE html>\n${page.documentElement.outerHTML}`
}

it('finds the very element among equal ones', () => {
  const source = kept('<p>a</p><!-- <p>a</p> --><ul><li>x</li><li>x</li></ul><template><li>x</li></template>')
  const span = spanInSource(source, { target: ['li:nth-child(2)'], html: '<li>x</li>' })!
  expect(source.slice(0, span.from)).toMatch(/<ul><li>x<\/li>$/)
  expect(source.slice(span.from, span.to)).toBe('<li>x</li>')
})

it.each([
  ['an element of one tag', kept('<p>&amp; <img src="a?b&amp;c"></p>'), 'img', '<img src="a?b&amp;c">'],
  ['a drawing', kept('<svg viewBox="0 0 1 1"><path d="M0"></path></svg>'), 'path', '<path d="M0"></path>'],
  ['the document', kept('<p>x</p>'), 'html', '<html>'],
  [
    'by its first tag what is long',
    kept(`<main id="m">${'<p>x</p>'.repeat(200)}</main>`),
    '#m',
    '<main id="m">',
  ],
])('finds %s', (_name, source, selector, expected) => expect(said(source, [selector])).toBe(expected))

it('finds what comes after noscript, which scripts make a text', () => {
  const source =
    '<!DOCTYPE html>\n<html><head><noscript><img src="a?b=1&c=2"/></noscript><title>T</title></head><body><noscript><p>No</p></noscript><p>Yes</p></body></html>'
  expect(said(source, ['p'])).toBe('<p>Yes</p>')
})

it('runs and loads nothing of what a stranger wrote', async () => {
  const source = kept(
    '<img src="x" onerror="window.hacked = 1"><script>window.hacked = 2</script><p id="p">x</p>',
  )
  expect(said(source, ['#p'])).toBe('<p id="p">x</p>')
  await new Promise((done) => setTimeout(done, 100))
  expect('hacked' in window).toBe(false)
})

it('says nothing where it cannot be sure', () => {
  const source = kept('<p>a</p><p>a</p>')
  expect(said(source, ['iframe', 'p'], '<p>a</p>')).toBeNull()
  expect(said(source, [['my-box', 'p']], '<p>a</p>')).toBeNull()
  expect(said(source, ['b'], '<p>a</p>')).toBeNull()
  expect(said(source, ['p:no-such('], '')).toBeNull()
  expect(said('<p>x</p>', ['html'])).toBeNull()
  // What is written otherwise than a browser would is known by its code, when that is there once.
  expect(said('<html><body><p class=a>x</p><p>y</p></body></html>', ['.a'], '<p class=a>')).toBe(
    '<p class=a>',
  )
})

it('is soon done with five megabytes', () => {
  const source = kept(`${'<div class="row"><span>text</span></div>\n'.repeat(120_000)}<p id="last">x</p>`)
  const began = performance.now()
  expect(said(source, ['#last'])).toBe('<p id="last">x</p>')
  expect(performance.now() - began).toBeLessThan(5000)
})

it.each([
  ['a path', 'main > ul > li:nth-child(2)', '<li class="b c" title="a &quot;b&quot;">2</li>'],
  ['anything between', 'body .c', '<li class="b c" title="a &quot;b&quot;">2</li>'],
  ['classes', 'li.c.b', '<li class="b c" title="a &quot;b&quot;">2</li>'],
  ['an attribute', String.raw`[title="a \"b\""]`, '<li class="b c" title="a &quot;b&quot;">2</li>'],
  ['how an attribute ends', 'a[href$="end.html"]', '<a href="/x/end.html">x</a>'],
  ['an id', String.raw`#\31 \:x`, '<i id="1:x">i</i>'],
  ['what is directly in another only', 'main > i', null],
  ['no element in a template', 'b', null],
  ['a selector of another kind', 'li:is(.b)', null],
])('knows %s', (_name, selector, expected) => {
  const source = kept(
    '<main><ul><li>1</li><li class="b c" title="a &quot;b&quot;">2</li></ul><p><a href="/x/end.html">x</a><i id="1:x">i</i></p></main><template><b>x</b></template>',
  )
  const page = new DOMParser().parseFromString(source, 'text/html')
  if (expected) expect(page.querySelector(selector)?.outerHTML).toBe(expected)
  expect(said(source, [selector])).toBe(expected)
})

it('takes no text for a tag', () => {
  const source = kept(
    '<style>p::before { content: "<p>" }</style><script>"<p>"</script><textarea>&lt;p&gt;</textarea><p title="<p>">x</p>',
  )
  expect(said(source, ['p'])).toMatch(/^<p title="[^"]*">x<\/p>$/)
})

const many = (count: number, piece: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => piece(i)).join('')
const rest = `${'<p>x</p>'.repeat(200_000)}<p id="last">x</p>`
const hostile: [name: string, source: string, selector?: string, html?: string][] = [
  ['formats that never end', `<p>${many(2000, (i) => `<b ${i}>`)}</p>${rest}`],
  [
    'formats whose end is in a comment',
    `<p>${many(20_000, (i) => `<b id="b${i}"><!-- </b> -->`)}</p>${rest}`,
  ],
  ['elements that never end', `${'<span>'.repeat(50_000)}${rest}`],
  ['ends of nothing', `${'</b>'.repeat(500_000)}${rest}`],
  ['text that never ends', `${'<title>'.repeat(300_000)}${rest}`],
  ['comments that never end', `${rest}${'<!--'.repeat(500_000)}`, '#no'],
  ['one tag with everything', `<p ${many(400_000, (i) => ` a${i}=""`)}>x</p>${rest}`],
  ['one value with everything', `<p class="${'a '.repeat(2_000_000)}">x</p>${rest}`],
  ['a selector that breaks off in a value', rest, `[a="${String.raw`\a`.repeat(1900)}`],
  ['a selector that breaks off behind spaces', rest, `[a="${String.raw`\1 `.repeat(1300)}`],
  ['a selector that breaks off in a name', rest, `[${String.raw`\aaaaaaa`.repeat(400)}`],
  ['a long selector', `${'<p>'.repeat(4000)}${'</p>'.repeat(4000)}${rest}`, `${'p '.repeat(1990)}#no`],
  [
    'a code that is much like the text',
    'a'.repeat(5_000_000),
    '#no',
    `${'a'.repeat(5000)}b${'a'.repeat(5000)}`,
  ],
  [
    'an element much like many',
    `${'<p class="aaaa">'.repeat(200_000)}${rest}`,
    `[class$="b${'a'.repeat(900)}"]`,
  ],
]
it.each(hostile)(
  'is soon done, whatever was written: %s',
  (_name, body, selector = '#last', html = '<p id="last">') => {
    const source = kept('').replace('</body>', `${body}</body>`)
    const began = performance.now()
    const found = said(source, [selector], html)
    const took = performance.now() - began
    if (selector === '#last') expect(found).toMatch(/^<p id="last">/)
    expect(took).toBeLessThan(2000)
  },
)

it('shows a part of a long source, with the element in it', () => {
  const source = 'x'.repeat(99).concat('\n').repeat(5000)
  expect(excerptOf('short', null)).toEqual({ from: 0, to: 5 })
  expect(excerptOf(source, null)).toEqual({ from: 0, to: 50_000 })
  for (const from of [0, 70, 250_000, 499_990]) {
    const shown = excerptOf(source, { from, to: from + 10 })
    expect([shown.from <= from, shown.to >= from + 10, shown.to - shown.from <= 50_000]).toEqual([
      true,
      true,
      true,
    ])
    expect(shown.from % 100).toBe(0)
  }
})
