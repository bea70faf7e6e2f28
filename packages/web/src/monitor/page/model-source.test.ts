import { expect, it } from 'vitest'
import { computeExcerpt, locateElement } from './model-source.ts'

const findMarkedText = (source: string, target: (string | string[])[], html = '') => {
  const span = locateElement(source, { target, html })
  return span && source.slice(span.from, span.to)
}
/** Wraps a body in a document as the browser serializes it. */
const serializeDocument = (body: string, head = '') => {
  const page = new DOMParser().parseFromString(`<title>T</title>${head}`, 'text/html')
  page.body.innerHTML = body
  return `<!DOCTYPE html>\n${page.documentElement.outerHTML}`
}

it('finds the exact element among equal ones', () => {
  const source = serializeDocument('<p>a</p><!-- <p>a</p> --><ul><li>x</li><li>x</li></ul><template><li>x</li></template>')
  const span = locateElement(source, { target: ['li:nth-child(2)'], html: '<li>x</li>' })!
  expect(source.slice(0, span.from)).toMatch(/<ul><li>x<\/li>$/)
  expect(source.slice(span.from, span.to)).toBe('<li>x</li>')
})

it.each([
  ['an element of one tag', serializeDocument('<p>&amp; <img src="a?b&amp;c"></p>'), 'img', '<img src="a?b&amp;c">'],
  ['a drawing', serializeDocument('<svg viewBox="0 0 1 1"><path d="M0"></path></svg>'), 'path', '<path d="M0"></path>'],
  ['the document', serializeDocument('<p>x</p>'), 'html', '<html>'],
  ['by its first tag what is long', serializeDocument(`<main id="m">${'<p>x</p>'.repeat(200)}</main>`), '#m', '<main id="m">'],
])('finds %s', (_name, source, selector, expected) => expect(findMarkedText(source, [selector])).toBe(expected))

it('finds elements after noscript, whose content is text when scripts run', () => {
  const source =
    '<!DOCTYPE html>\n<html><head><noscript><img src="a?b=1&c=2"/></noscript><title>T</title></head><body><noscript><p>No</p></noscript><p>Yes</p></body></html>'
  expect(findMarkedText(source, ['p'])).toBe('<p>Yes</p>')
})

it('runs and loads nothing from untrusted sources', async () => {
  const source = serializeDocument('<img src="x" onerror="window.hacked = 1"><script>window.hacked = 2</script><p id="p">x</p>')
  expect(findMarkedText(source, ['#p'])).toBe('<p id="p">x</p>')
  await new Promise((done) => setTimeout(done, 100))
  expect('hacked' in window).toBe(false)
})

it('returns nothing if the result is uncertain', () => {
  const source = serializeDocument('<p>a</p><p>a</p>')
  expect(findMarkedText(source, ['iframe', 'p'], '<p>a</p>')).toBeNull()
  expect(findMarkedText(source, [['my-box', 'p']], '<p>a</p>')).toBeNull()
  expect(findMarkedText(source, ['b'], '<p>a</p>')).toBeNull()
  expect(findMarkedText(source, ['p:no-such('], '')).toBeNull()
  expect(findMarkedText('<p>x</p>', ['html'])).toBeNull()
  // Markup that the browser would serialize differently is found by its code if that is unique.
  expect(findMarkedText('<html><body><p class=a>x</p><p>y</p></body></html>', ['.a'], '<p class=a>')).toBe('<p class=a>')
})

it('handles five megabytes quickly', () => {
  const source = serializeDocument(`${'<div class="row"><span>text</span></div>\n'.repeat(120_000)}<p id="last">x</p>`)
  const began = performance.now()
  expect(findMarkedText(source, ['#last'])).toBe('<p id="last">x</p>')
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
  const source = serializeDocument(
    '<main><ul><li>1</li><li class="b c" title="a &quot;b&quot;">2</li></ul><p><a href="/x/end.html">x</a><i id="1:x">i</i></p></main><template><b>x</b></template>',
  )
  const page = new DOMParser().parseFromString(source, 'text/html')
  if (expected) expect(page.querySelector(selector)?.outerHTML).toBe(expected)
  expect(findMarkedText(source, [selector])).toBe(expected)
})

it('does not mistake text for a tag', () => {
  const source = serializeDocument(
    '<style>p::before { content: "<p>" }</style><script>"<p>"</script><textarea>&lt;p&gt;</textarea><p title="<p>">x</p>',
  )
  expect(findMarkedText(source, ['p'])).toMatch(/^<p title="[^"]*">x<\/p>$/)
})

const many = (count: number, piece: (i: number) => string) => Array.from({ length: count }, (_, i) => piece(i)).join('')
const remainingSource = `${'<p>x</p>'.repeat(200_000)}<p id="last">x</p>`
const hostile: [name: string, source: string, selector?: string, html?: string][] = [
  ['formats that never end', `<p>${many(2000, (i) => `<b ${i}>`)}</p>${remainingSource}`],
  ['formats whose end is in a comment', `<p>${many(20_000, (i) => `<b id="b${i}"><!-- </b> -->`)}</p>${remainingSource}`],
  ['elements that never end', `${'<span>'.repeat(50_000)}${remainingSource}`],
  ['ends of nothing', `${'</b>'.repeat(500_000)}${remainingSource}`],
  ['text that never ends', `${'<title>'.repeat(300_000)}${remainingSource}`],
  ['comments that never end', `${remainingSource}${'<!--'.repeat(500_000)}`, '#no'],
  ['one tag with everything', `<p ${many(400_000, (i) => ` a${i}=""`)}>x</p>${remainingSource}`],
  ['one value with everything', `<p class="${'a '.repeat(2_000_000)}">x</p>${remainingSource}`],
  ['a selector that breaks off in a value', remainingSource, `[a="${String.raw`\a`.repeat(1900)}`],
  ['a selector that breaks off behind spaces', remainingSource, `[a="${String.raw`\1 `.repeat(1300)}`],
  ['a selector that breaks off in a name', remainingSource, `[${String.raw`\aaaaaaa`.repeat(400)}`],
  ['a long selector', `${'<p>'.repeat(4000)}${'</p>'.repeat(4000)}${remainingSource}`, `${'p '.repeat(1990)}#no`],
  ['a code that is much like the text', 'a'.repeat(5_000_000), '#no', `${'a'.repeat(5000)}b${'a'.repeat(5000)}`],
  ['an element much like many', `${'<p class="aaaa">'.repeat(200_000)}${remainingSource}`, `[class$="b${'a'.repeat(900)}"]`],
]
it.each(hostile)('finishes quickly for hostile input: %s', (_name, body, selector = '#last', html = '<p id="last">') => {
  const source = serializeDocument('').replace('</body>', `${body}</body>`)
  const began = performance.now()
  const markedText = findMarkedText(source, [selector], html)
  const took = performance.now() - began
  if (selector === '#last') expect(markedText).toMatch(/^<p id="last">/)
  expect(took).toBeLessThan(2000)
})

it('shows an excerpt of a long source that contains the element', () => {
  const source = 'x'.repeat(99).concat('\n').repeat(5000)
  expect(computeExcerpt('short', null)).toEqual({ from: 0, to: 5 })
  expect(computeExcerpt(source, null)).toEqual({ from: 0, to: 50_000 })
  for (const from of [0, 70, 250_000, 499_990]) {
    const excerpt = computeExcerpt(source, { from, to: from + 10 })
    expect([excerpt.from <= from, excerpt.to >= from + 10, excerpt.to - excerpt.from <= 50_000]).toEqual([true, true, true])
    expect(excerpt.from % 100).toBe(0)
  }
})
