import { expect, it } from 'vitest'
import { isCutSource } from './cut-source.ts'

const page = `<!doctype html><html lang="en"><head><title>Boats</title><style>p > a { color: red }</style></head>
<body class="a"><!-- Ads --><main><h1>Boats</h1><p>One<p>Two <a href="/?a=1&b=2">three</a><ul><li>a<li>b</ul>
<script>if (1 < 2) document.write('<div>')</script><textarea><div></textarea></main></body></html>\n`

it.each([
  ['a page', page],
  ['a page without a line at its end', page.trim()],
  ['a page with more behind it', `${page}<div>Ad`],
  ['one without an end of its body', page.replace(/<\/body>.*/s, '')],
  ['optional end tags', '<!doctype html><title>A</title><h1>A</h1><p>a<ul><li>b<li>c</ul><p>d'],
  ['a fragment', '<div>Part</div>'],
  ['text', '1 < 2 and 3 > 2'],
  ['capital letters', '<DIV><SCRIPT>"<div>"</SCRIPT></DIV>'],
  ['more ends than beginnings', '</div></div><div>a</div>'],
  ['nothing', ''],
])('%s is whole', (_, source) => expect(isCutSource(source)).toBe(false))

it.each([
  ['an element', page.slice(0, page.indexOf('<ul>'))],
  ['a tag', '<title>A</title><p>Text <a href="/pa'],
  ['an end tag', '<div>a</di'],
  ['a comment', '<p>a</p><!-- <p>b</p>'],
  ['a script', '<p>a</p><script>let a = "</body>'],
  ['the title', '<title>Boa'],
  ['a text field', '<p>a</p><textarea>b</p>'],
])('the middle of %s is a cut', (_, source) => expect(isCutSource(source)).toBe(true))

it.each(['<!--', '<', '<a ', '<script>', '<title></title', '<div>'])('takes milliseconds for a million letters of %s', (part) => {
  const startedAt = process.cpuUsage().user
  isCutSource(part.repeat(1_000_000 / part.length))
  expect(process.cpuUsage().user - startedAt).toBeLessThan(3_000_000)
})
