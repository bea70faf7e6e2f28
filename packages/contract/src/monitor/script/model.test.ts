import { expect, test } from 'vitest'
import { readAction } from './action/model.ts'
import { importRecording } from './recorder/model.ts'
import { parseScript } from './model.ts'

const yaml = (...actions: string[]) => `projects:
  - name: Shop
    id: shop
    pageList:
      - name: Home
        url: https://example.org/
        actions:
${actions.map((action) => `          - ${action}`).join('\n')}
`
const errorsOf = (text: string, type: 'TASK' | 'SESSION' = 'TASK') => {
  const read = parseScript(text, type)
  return read.ok ? [] : read.errors.map(({ code, line, column }) => `${code} ${line}:${column}`)
}
const actionOf = (text: string) => {
  const read = readAction(text)
  return read.ok ? read.action : read.code
}
const css = (text: string) => ({ frames: [], element: { kind: 'css', text } })

test.each([
  ['analyze', { do: 'analyze', title: null }],
  ['analyze page', { do: 'analyze', title: null }],
  ['analyze with title "Menu open"', { do: 'analyze', title: 'Menu open' }],
  ['Analyze page  with title "A"', { do: 'analyze', title: 'A' }],
  ['analyze page with title "A"', { do: 'analyze', title: 'A' }],
  ['click element "a[href="x"]"', { do: 'click', target: css('a[href="x"]') }],
  [
    'click element "//button[1]"',
    { do: 'click', target: { frames: [], element: { kind: 'xpath', text: '//button[1]' } } },
  ],
  [
    'click element ["iframe", "xpath=//a"]',
    {
      do: 'click',
      target: { frames: [{ kind: 'css', text: 'iframe' }], element: { kind: 'xpath', text: '//a' } },
    },
  ],
  ['type "say \\"hi\\"" into element "#q"', { do: 'type', text: 'say "hi"', target: css('#q') }],
  ['type "" into element "#q"', { do: 'type', text: '', target: css('#q') }],
  ['press "Control+A" on ".a\\:b"', { do: 'press', key: 'Control+A', target: css('.a\\:b') }],
  ['select the "Blue" option in "select"', { do: 'select', option: 'Blue', target: css('select') }],
  ['wait for element ".done" to be found', { do: 'wait-for', target: css('.done') }],
  ['wait for 1.5s', { do: 'wait', ms: 1500 }],
  ['dismiss modal ".m" with close button ".x"', { do: 'dismiss', modal: css('.m'), close: css('.x') }],
  ['eval "document.title = "a""', { do: 'eval', code: 'document.title = "a"' }],
  ['hover over "#x"', 'unknown-action'],
  ['wait for 3 parsecs', 'bad-action'],
  ['wait for 1h', 'bad-action'],
  ['click element ""', 'bad-action'],
  ['analyze everything', 'bad-action'],
])('reads %s', (text, action) => expect(actionOf(text)).toEqual(action))

test('JSON and YAML give one script', () => {
  const json = {
    projects: [
      {
        name: 'Shop',
        id: 'shop',
        pageList: [{ name: 'Home', url: 'https://example.org/', actions: ['analyze'] }],
      },
    ],
  }
  const read = [
    parseScript(JSON.stringify(json, null, '\t'), 'TASK'),
    parseScript(yaml('analyze'), 'TASK'),
  ].map((script) =>
    script.ok
      ? [
          script.script.name,
          script.script.pages.map(({ url, steps }) => [url, steps.map(({ action }) => action)]),
        ]
      : script,
  )
  expect(read[0]).toEqual(read[1])
  expect(read[0]).toEqual(['Shop', [['https://example.org/', [{ do: 'analyze', title: null }]]]])
})

test('says where it is wrong, what it read and what it wanted', () => {
  const read = parseScript(yaml('analyze', 'click elemnt "x"'), 'TASK')
  expect(read.ok ? null : read.errors).toEqual([
    {
      code: 'bad-action',
      line: 9,
      column: 13,
      read: 'click elemnt "x"',
      expected: 'click element (click element "SEL")',
      hint: null,
    },
  ])
})

test('explains what YAML makes of an unquoted colon or number sign', () => {
  for (const action of ['type "a: b" into element "q"', 'click element ".a #b"']) {
    const read = parseScript(yaml(action, 'analyze'), 'TASK')
    expect(read.ok ? null : read.errors[0]!.hint).toContain('single quotes')
    expect(parseScript(yaml(`'${action}'`, 'analyze'), 'TASK').ok).toBe(true)
  }
})

test('a task needs an analyze, a session must have none', () => {
  expect(errorsOf(yaml('click element "a"'))).toEqual(['no-analyze 1:1'])
  expect(errorsOf(yaml('click element "a"'), 'SESSION')).toEqual([])
  expect(errorsOf(yaml('click element "a"', 'analyze'), 'SESSION')).toEqual(['analyze-in-session 9:1'])
  expect(errorsOf(yaml('analyze').split('        actions')[0]!)).toEqual([])
})

test.each([
  ['{}', 'missing-field 1:1'],
  ['{"projects": []}', 'empty 1:14'],
  ['{"projects": [', 'syntax 1:14'],
  ['projects: text', 'wrong-type 1:11'],
  [yaml('analyze') + yaml('analyze').split('\n').slice(1).join('\n'), 'one-project 9:5'],
  [yaml('analyze').replace('https:', 'ftp:'), 'bad-url 6:14'],
  [yaml('analyze').replace('pageList', 'pages'), 'unknown-field 4:5'],
  ['a: &x [1]\nprojects: *x', 'syntax 2:11'],
  ['['.repeat(50_000), 'too-deep 1:1'],
  [yaml(...Array<string>(501).fill('wait for 1s'), 'analyze'), 'too-many 508:13'],
  ['x'.repeat(1024 * 1024 + 1), 'too-long 1:1'],
])('refuses %.40s', (text, error) => expect(errorsOf(text)).toContain(error))

test('a recording of the browser becomes a script, and what has no counterpart is named', () => {
  const imported = importRecording(
    JSON.stringify({
      title: 'Order',
      steps: [
        { type: 'setViewport', width: 100, height: 100 },
        { type: 'navigate', url: 'https://example.org/' },
        { type: 'click', selectors: [['aria/Menu'], ['x-menu', 'button[name="m"]'], ['xpath///button']] },
        { type: 'change', selectors: [['#q']], value: 'say "hi"', frame: [0] },
        { type: 'keyDown', key: 'Enter' },
        { type: 'scroll', x: 0, y: 100 },
        { type: 'waitForElement', selectors: [['xpath///h1']] },
      ],
    }),
    'TASK',
  )
  if (!imported.ok) throw new Error(imported.expected)
  expect(imported.skipped).toEqual([{ step: 6, type: 'scroll' }])
  const read = parseScript(imported.text, 'TASK')
  if (!read.ok) throw new Error(JSON.stringify(read.errors))
  expect(read.script.pages[0]!.steps.map(({ text }) => text)).toEqual([
    'click element "x-menu button[name=\\"m\\"]"',
    'type "say \\"hi\\"" into element ["xpath=(//iframe | //frame)[1]","#q"]',
    'press "Enter" on ":focus"',
    'wait for element "xpath=//h1" to be found',
    'analyze page',
  ])
  expect(importRecording('{"steps": 1}', 'TASK').ok).toBe(false)
})

/** What fills a text of some length; each once took the square of it, or most of a minute. */
const fillings: Record<string, (length: number) => string> = {
  newlines: (length) => '\n'.repeat(length),
  'opening brackets': (length) => '['.repeat(length),
  'empty lists': (length) => '[]'.repeat(length / 2),
  quotes: (length) => '"'.repeat(length),
  'list marks': (length) => '- \n'.repeat(length / 3),
  fields: (length) => Array.from({ length: length / 10 }, (_, i) => `k${i}: 1`).join('\n'),
  'fields of JSON': (length) => `{${Array.from({ length: length / 12 }, (_, i) => `"k${i}":1`).join(',')}}`,
  'equal fields': (length) => 'a: 1\n'.repeat(length / 5),
  aliases: (length) => `a: &a [1]\nb:\n${' - *a\n'.repeat(length / 6)}`,
}

test.each(Object.keys(fillings))(
  'a text of nothing but %s takes time in proportion to its length',
  (name) => {
    const took = (length: number): number => {
      const text = fillings[name]!(length)
      const began = performance.now()
      expect(parseScript(text, 'TASK').ok).toBe(false)
      return performance.now() - began
    }
    took(10_000)
    const small = Math.max(20, took(20_000))
    // Ten times the length: a hundredfold time would be the square.
    expect(took(200_000)).toBeLessThan(small * 50)
  },
)
