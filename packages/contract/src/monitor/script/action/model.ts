import type { ScriptAction, ScriptTarget, Selector } from '../schema.ts'

/** What is wrong within one sentence: `at` counts characters from 0. */
export type SentenceError = {
  ok: false
  code: 'unknown-action' | 'bad-action'
  at: number
  read: string
  expected: string
}
type Parsed<T> = { ok: true; value: T } | { ok: false; expected: string }
type Values = Record<string, string>
type Form = {
  /** Words, and values in capitals: `"TXT"` is any text in quotes, `SEL` a selector, `TIME` a length of time. */
  form: string
  read: (values: Values) => Parsed<ScriptAction>
}

const ok = <T>(value: T): Parsed<T> => ({ ok: true, value })

/** Quotes inside a quoted text may be written `\"`; every other backslash means itself, as CSS needs it. */
const unquote = (text: string): string => text.replaceAll('\\"', '"')

function selector(text: string): Selector | null {
  const plain = text.trim()
  if (plain === '') return null
  if (plain.startsWith('xpath=')) return plain.length > 6 ? { kind: 'xpath', text: plain.slice(6) } : null
  if (/^\(*\.?\/\//.test(plain) || plain.startsWith('/')) return { kind: 'xpath', text: plain }
  return { kind: 'css', text: plain.startsWith('css=') ? plain.slice(4) : plain }
}

/** Reads CSS, XPath (`//…`, `(//…)[1]`, `xpath=…`) or a frame path (`["iframe", "inner"]`). */
function readTarget(text: string): Parsed<ScriptTarget> {
  const wrong = 'a CSS selector, an XPath (//… or xpath=…), or a frame path such as ["iframe", "inner"]'
  let parts = [text]
  if (/^\s*\[\s*"/.test(text)) {
    try {
      const list: unknown = JSON.parse(text)
      if (!Array.isArray(list) || !list.every((part) => typeof part === 'string') || list.length === 0)
        return { ok: false, expected: wrong }
      parts = list
    } catch {
      return { ok: false, expected: wrong }
    }
  }
  const selectors = parts.map(selector)
  if (selectors.some((part) => part === null)) return { ok: false, expected: wrong }
  const element = selectors.pop()!
  return ok({ frames: selectors as Selector[], element })
}

const withTarget =
  (make: (target: ScriptTarget, values: Values) => ScriptAction) =>
  (values: Values): Parsed<ScriptAction> => {
    const target = readTarget(values.SEL!)
    return target.ok ? ok(make(target.value, values)) : target
  }

const units: Readonly<Record<string, number>> = {
  ms: 1,
  milliseconds: 1,
  s: 1000,
  second: 1000,
  seconds: 1000,
  m: 60_000,
  min: 60_000,
  minutes: 60_000,
}
const longestWaitMs = 10 * 60_000

function readTime({ TIME = '' }: Values): Parsed<ScriptAction> {
  const read = /^(\d+(?:\.\d+)?)\s*([a-z]+)$/i.exec(TIME.trim())
  const unit = read ? units[read[2]!.toLowerCase()] : undefined
  const ms = unit === undefined ? Number.NaN : Math.round(Number(read![1]) * unit)
  if (!(ms >= 0 && ms <= longestWaitMs))
    return { ok: false, expected: 'a time such as 500ms, 3s or 1m, at most 10 minutes' }
  return ok({ do: 'wait', ms })
}

function readDismiss({ SEL, SEL2 }: Values): Parsed<ScriptAction> {
  const modal = readTarget(SEL!)
  const close = readTarget(SEL2!)
  if (!modal.ok) return modal
  return close.ok ? ok({ do: 'dismiss', modal: modal.value, close: close.value }) : close
}

/** Every sentence of the language. The first whose words fit reads it. */
export const forms: readonly Form[] = [
  { form: 'analyze', read: () => ok({ do: 'analyze', title: null }) },
  { form: 'analyze page', read: () => ok({ do: 'analyze', title: null }) },
  { form: 'analyze with title "T"', read: ({ T }) => ok({ do: 'analyze', title: T! }) },
  { form: 'analyze page with title "T"', read: ({ T }) => ok({ do: 'analyze', title: T! }) },
  { form: 'click element "SEL"', read: withTarget((target) => ({ do: 'click', target })) },
  {
    form: 'type "TXT" into element "SEL"',
    read: withTarget((target, { TXT }) => ({ do: 'type', text: TXT!, target })),
  },
  {
    form: 'press "KEY" on "SEL"',
    read: withTarget((target, { KEY }) => ({ do: 'press', key: KEY!, target })),
  },
  {
    form: 'select the "OPT" option in "SEL"',
    read: withTarget((target, { OPT }) => ({ do: 'select', option: OPT!, target })),
  },
  {
    form: 'wait for element "SEL" to be found',
    read: withTarget((target) => ({ do: 'wait-for', target })),
  },
  { form: 'wait for TIME', read: readTime },
  { form: 'dismiss modal "SEL" with close button "SEL2"', read: readDismiss },
  { form: 'eval "JS"', read: ({ JS }) => ok({ do: 'eval', code: JS! }) },
]

type Piece = { word: string } | { value: string; quoted: boolean }

/** `type "TXT" into element "SEL"` as pieces: words up to a value, then the value. */
function piecesOf(form: string): Piece[] {
  const pieces: Piece[] = []
  for (const [, quoted, bare, words] of form.matchAll(/"([A-Z0-9]+)"|([A-Z]{2,})|([^"A-Z]+)/g)) {
    if (quoted !== undefined) pieces.push({ value: quoted, quoted: true })
    else if (bare !== undefined) pieces.push({ value: bare, quoted: false })
    else pieces.push({ word: words!.trim() })
  }
  return pieces
}

const pattern = (words: string) =>
  new RegExp(words.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/\s+/g, '\\s+'), 'iy')

/** The end of a quoted value: the last quote of the text, or the first that the next words follow. */
function endOfValue(text: string, from: number, next: Piece | undefined): number {
  if (!next) {
    const last = text.trimEnd().length - 1
    return text[last] === '"' && last >= from ? last : -1
  }
  if (!('word' in next)) return -1
  const words = pattern(next.word)
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    if (text[at - 1] === '\\') continue
    const after = /^\s+/.exec(text.slice(at + 1))?.[0].length ?? 0
    words.lastIndex = at + 1 + after
    if (after > 0 && words.test(text)) return at
  }
  return -1
}

/** `at`: where the first value is, or where the text stopped to fit. */
type Match = { values: Values; at: number } | { at: number; expected: string }

/** A frame path may be written without quotes around it: `click element ["iframe", "inner"]`. */
function readQuoted(
  text: string,
  at: number,
  next: Piece | undefined,
): { value: string; end: number } | null {
  if (text[at] === '[') {
    const end = text.indexOf(']', at)
    for (let stop = end; stop >= 0; stop = text.indexOf(']', stop + 1)) {
      const part = text.slice(at, stop + 1)
      if (readTarget(part).ok) return { value: part, end: stop + 1 }
    }
  }
  if (text[at] !== '"') return null
  const end = endOfValue(text, at + 1, next)
  return end < 0 ? null : { value: unquote(text.slice(at + 1, end)), end: end + 1 }
}

function matchForm(text: string, form: string): Match {
  const values: Values = {}
  const pieces = piecesOf(form)
  let at = 0
  let firstValue = 0
  for (const [index, piece] of pieces.entries()) {
    at += /^\s*/.exec(text.slice(at))![0].length
    if ('word' in piece) {
      const words = pattern(piece.word)
      words.lastIndex = at
      if (!words.test(text)) return { at, expected: piece.word }
      at = words.lastIndex
      if (/^\w/.test(text.slice(at))) return { at, expected: piece.word }
      continue
    }
    firstValue ||= at
    if (!piece.quoted) {
      values[piece.value] = text.slice(at).trim()
      at = text.length
    } else {
      const read = readQuoted(text, at, pieces[index + 1])
      if (!read) return { at, expected: 'a text in quotes' }
      values[piece.value] = read.value
      at = read.end
    }
  }
  return text.slice(at).trim() === '' ? { values, at: firstValue } : { at, expected: 'the end of the action' }
}

const verbs = [...new Set(forms.map(({ form }) => form.split(' ')[0]!))]

/** Reads one sentence. The error is that of the form which got furthest. */
export function readAction(text: string): { ok: true; action: ScriptAction } | SentenceError {
  const verb = text.trim().split(/\s+/, 1)[0]!.toLowerCase()
  if (!verbs.includes(verb))
    return { ok: false, code: 'unknown-action', at: 0, read: text, expected: `one of: ${verbs.join(', ')}` }
  let furthest = { at: -1, expected: '' }
  for (const { form, read } of forms) {
    if (form.split(' ')[0] !== verb) continue
    const match = matchForm(text, form)
    if ('values' in match) {
      const action = read(match.values)
      if (action.ok) return { ok: true, action: action.value }
      if (match.at > furthest.at) furthest = { at: match.at, expected: action.expected }
    } else if (match.at > furthest.at) furthest = { at: match.at, expected: `${match.expected} (${form})` }
  }
  const read = text.slice(furthest.at).slice(0, 80) || 'the end of the action'
  return { ok: false, code: 'bad-action', at: furthest.at, read, expected: furthest.expected }
}
