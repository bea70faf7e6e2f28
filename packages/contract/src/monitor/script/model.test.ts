import { expect, test } from 'vitest'
import { parseAction } from './action/model.ts'
import { importRecording } from './recorder/model.ts'
import { parseScript } from './model.ts'

const buildYaml = (...actions: string[]) => `projects:
  - name: Shop
    id: shop
    pageList:
      - name: Home
        url: https://example.org/
        actions:
${actions.map((action) => `          - ${action}`).join('\n')}
`
const listErrors = (text: string, type: 'TASK' | 'SESSION' = 'TASK') => {
  const parsedScript = parseScript(text, type)
  return parsedScript.ok ? [] : parsedScript.errors.map(({ code, line, column }) => `${code} ${line}:${column}`)
}
const parseActionOrCode = (text: string) => {
  const parsedAction = parseAction(text)
  return parsedAction.ok ? parsedAction.action : parsedAction.code
}
const cssTarget = (text: string) => ({ frames: [], element: { kind: 'css', text } })

test.each([
  ['analyze', { do: 'analyze', title: null }],
  ['analyze page', { do: 'analyze', title: null }],
  ['analyze with title "Menu open"', { do: 'analyze', title: 'Menu open' }],
  ['Analyze page  with title "A"', { do: 'analyze', title: 'A' }],
  ['analyze page with title "A"', { do: 'analyze', title: 'A' }],
  ['click element "a[href="x"]"', { do: 'click', target: cssTarget('a[href="x"]') }],
  ['click element "//button[1]"', { do: 'click', target: { frames: [], element: { kind: 'xpath', text: '//button[1]' } } }],
  [
    'click element ["iframe", "xpath=//a"]',
    {
      do: 'click',
      target: { frames: [{ kind: 'css', text: 'iframe' }], element: { kind: 'xpath', text: '//a' } },
    },
  ],
  ['type "say \\"hi\\"" into element "#q"', { do: 'type', text: 'say "hi"', target: cssTarget('#q') }],
  ['type "" into element "#q"', { do: 'type', text: '', target: cssTarget('#q') }],
  ['press "Control+A" on ".a\\:b"', { do: 'press', key: 'Control+A', target: cssTarget('.a\\:b') }],
  ['select the "Blue" option in "select"', { do: 'select', option: 'Blue', target: cssTarget('select') }],
  ['wait for element ".done" to be found', { do: 'wait-for', target: cssTarget('.done') }],
  ['wait for 1.5s', { do: 'wait', ms: 1500 }],
  ['dismiss modal ".m" with close button ".x"', { do: 'dismiss', modal: cssTarget('.m'), close: cssTarget('.x') }],
  ['eval "document.title = "a""', { do: 'eval', code: 'document.title = "a"' }],
  ['hover over "#x"', 'unknown-action'],
  ['wait for 3 parsecs', 'bad-action'],
  ['wait for 1h', 'bad-action'],
  ['click element ""', 'bad-action'],
  ['analyze everything', 'bad-action'],
])('reads %s', (text, action) => expect(parseActionOrCode(text)).toEqual(action))

test('JSON and YAML produce the same script', () => {
  const jsonScript = {
    projects: [
      {
        name: 'Shop',
        id: 'shop',
        pageList: [{ name: 'Home', url: 'https://example.org/', actions: ['analyze'] }],
      },
    ],
  }
  const parsedScripts = [
    parseScript(JSON.stringify(jsonScript, null, '\t'), 'TASK'),
    parseScript(buildYaml('analyze'), 'TASK'),
  ].map((script) =>
    script.ok
      ? [script.script.name, script.script.pages.map(({ url, steps }) => [url, steps.map(({ action }) => action)])]
      : script,
  )
  expect(parsedScripts[0]).toEqual(parsedScripts[1])
  expect(parsedScripts[0]).toEqual(['Shop', [['https://example.org/', [{ do: 'analyze', title: null }]]]])
})

test('reports the position, the text read and the expectation', () => {
  const parsedScript = parseScript(buildYaml('analyze', 'click elemnt "x"'), 'TASK')
  expect(parsedScript.ok ? null : parsedScript.errors).toEqual([
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

test('explains unquoted colons and number signs in YAML', () => {
  for (const action of ['type "a: b" into element "q"', 'click element ".a #b"']) {
    const parsedScript = parseScript(buildYaml(action, 'analyze'), 'TASK')
    expect(parsedScript.ok ? null : parsedScript.errors[0]!.hint).toContain('single quotes')
    expect(parseScript(buildYaml(`'${action}'`, 'analyze'), 'TASK').ok).toBe(true)
  }
})

test('a task requires an analyze action, a session forbids it', () => {
  expect(listErrors(buildYaml('click element "a"'))).toEqual(['no-analyze 1:1'])
  expect(listErrors(buildYaml('click element "a"'), 'SESSION')).toEqual([])
  expect(listErrors(buildYaml('click element "a"', 'analyze'), 'SESSION')).toEqual(['analyze-in-session 9:1'])
  expect(listErrors(buildYaml('analyze').split('        actions')[0]!)).toEqual([])
})

test.each([
  ['{}', 'missing-field 1:1'],
  ['{"projects": []}', 'empty 1:14'],
  ['{"projects": [', 'syntax 1:14'],
  ['projects: text', 'wrong-type 1:11'],
  [buildYaml('analyze') + buildYaml('analyze').split('\n').slice(1).join('\n'), 'one-project 9:5'],
  [buildYaml('analyze').replace('https:', 'ftp:'), 'bad-url 6:14'],
  [buildYaml('analyze').replace('pageList', 'pages'), 'unknown-field 4:5'],
  ['a: &x [1]\nprojects: *x', 'syntax 2:11'],
  ['['.repeat(50_000), 'too-deep 1:1'],
  [buildYaml(...Array<string>(501).fill('wait for 1s'), 'analyze'), 'too-many 508:13'],
  ['x'.repeat(1024 * 1024 + 1), 'too-long 1:1'],
])('refuses %.40s', (text, error) => expect(listErrors(text)).toContain(error))

test('converts a browser recording to a script, and lists steps without a counterpart', () => {
  const importedRecording = importRecording(
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
  if (!importedRecording.ok) throw new Error(importedRecording.expected)
  expect(importedRecording.skipped).toEqual([{ step: 6, type: 'scroll' }])
  const parsedScript = parseScript(importedRecording.text, 'TASK')
  if (!parsedScript.ok) throw new Error(JSON.stringify(parsedScript.errors))
  expect(parsedScript.script.pages[0]!.steps.map(({ text }) => text)).toEqual([
    'click element "x-menu button[name=\\"m\\"]"',
    'type "say \\"hi\\"" into element ["xpath=(//iframe | //frame)[1]","#q"]',
    'press "Enter" on ":focus"',
    'wait for element "xpath=//h1" to be found',
    'analyze page',
  ])
  expect(importRecording('{"steps": 1}', 'TASK').ok).toBe(false)
})

test('a recording keeps no password: what was typed into fields for passwords and codes becomes variables', () => {
  const change = (value: string, ...selectors: string[]) => ({ type: 'change', value, selectors: selectors.map((one) => [one]) })
  const importedRecording = importRecording(
    JSON.stringify({
      steps: [
        { type: 'navigate', url: 'https://example.org/login' },
        change('ali', 'aria/Username', '#user'),
        change('open sesame', 'aria/Password', '#field2'),
        change('offene Tür', 'aria/Kennwort', '#f3'),
        change('open sesame', '#confirm'),
        change('123456', 'aria/Verification code', '#c'),
        change('x', 'input[type=password]'),
        change('zwei', '#suche'),
      ],
    }),
    'SESSION',
  )
  if (!importedRecording.ok) throw new Error(importedRecording.expected)
  expect(importedRecording.variables).toEqual(['PASSWORD', 'PASSWORD_2', 'CODE', 'PASSWORD_3'])
  for (const secret of ['open sesame', 'offene', '123456']) expect(importedRecording.text).not.toContain(secret)
  const parsedScript = parseScript(importedRecording.text, 'SESSION')
  expect(parsedScript.ok && parsedScript.script.pages[0]!.steps.map(({ text }) => text)).toEqual([
    'type "ali" into element "#user"',
    'type "<PASSWORD>" into element "#field2"',
    'type "<PASSWORD_2>" into element "#f3"',
    'type "<PASSWORD>" into element "#confirm"',
    'type "<CODE>" into element "#c"',
    'type "<PASSWORD_3>" into element "input[type=password]"',
    'type "zwei" into element "#suche"',
  ])
})

/** Fill texts by length; each once took quadratic time, or most of a minute. */
const fillTexts: Record<string, (length: number) => string> = {
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

test.each(Object.keys(fillTexts))('parses a text of only %s in linear time', (name) => {
  const measureParse = (length: number): number => {
    const filledText = fillTexts[name]!(length)
    const startedAt = performance.now()
    expect(parseScript(filledText, 'TASK').ok).toBe(false)
    return performance.now() - startedAt
  }
  measureParse(10_000)
  const smallMs = Math.max(20, measureParse(20_000))
  // For ten times the length, quadratic code would take a hundred times as long.
  expect(measureParse(200_000)).toBeLessThan(smallMs * 50)
})
