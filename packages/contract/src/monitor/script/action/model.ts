import type { ScriptAction, ScriptTarget, Selector } from '../schema.ts'

/** Error within one sentence: `at` counts characters from 0. */
export type SentenceError = { ok: false; code: 'unknown-action' | 'bad-action'; at: number; read: string; expected: string }
type ParseResult<T> = { ok: true; value: T } | { ok: false; expected: string }
type FormValues = Record<string, string>
type SentenceForm = {
  /** Words, and values in capitals: `"TXT"` is any quoted text, `SEL` a selector, `TIME` a duration. */
  form: string
  read: (values: FormValues) => ParseResult<ScriptAction>
}

const createSuccess = <T>(value: T): ParseResult<T> => ({ ok: true, value })

/** Quotes inside a quoted text may be escaped as `\"`; other backslashes are literal, as CSS requires. */
const unescapeQuotes = (text: string): string => text.replaceAll('\\"', '"')

function parseSelector(text: string): Selector | null {
  const trimmedText = text.trim()
  if (trimmedText === '') return null
  if (trimmedText.startsWith('xpath=')) return trimmedText.length > 6 ? { kind: 'xpath', text: trimmedText.slice(6) } : null
  if (/^\(*\.?\/\//.test(trimmedText) || trimmedText.startsWith('/')) return { kind: 'xpath', text: trimmedText }
  return { kind: 'css', text: trimmedText.startsWith('css=') ? trimmedText.slice(4) : trimmedText }
}

/** Parses CSS, XPath (`//…`, `(//…)[1]`, `xpath=…`) or a frame path (`["iframe", "inner"]`). */
function parseTarget(text: string): ParseResult<ScriptTarget> {
  const expectedTarget = 'a CSS selector, an XPath (//… or xpath=…), or a frame path such as ["iframe", "inner"]'
  let selectorTexts = [text]
  if (/^\s*\[\s*"/.test(text)) {
    try {
      const parsedList: unknown = JSON.parse(text)
      if (!Array.isArray(parsedList) || !parsedList.every((part) => typeof part === 'string') || parsedList.length === 0)
        return { ok: false, expected: expectedTarget }
      selectorTexts = parsedList
    } catch {
      return { ok: false, expected: expectedTarget }
    }
  }
  const parsedSelectors = selectorTexts.map(parseSelector)
  if (parsedSelectors.some((part) => part === null)) return { ok: false, expected: expectedTarget }
  const targetSelector = parsedSelectors.pop()!
  return createSuccess({ frames: parsedSelectors as Selector[], element: targetSelector })
}

const createTargetReader =
  (createAction: (target: ScriptTarget, values: FormValues) => ScriptAction) =>
  (values: FormValues): ParseResult<ScriptAction> => {
    const parsedTarget = parseTarget(values.SEL!)
    return parsedTarget.ok ? createSuccess(createAction(parsedTarget.value, values)) : parsedTarget
  }

const msByUnit: ReadonlyMap<string, number> = new Map(
  Object.entries({ ms: 1, milliseconds: 1, s: 1000, second: 1000, seconds: 1000, m: 60_000, min: 60_000, minutes: 60_000 }),
)
const maxWaitMs = 10 * 60_000

function parseWait({ TIME = '' }: FormValues): ParseResult<ScriptAction> {
  const timeMatch = /^(\d+(?:\.\d+)?)\s*([a-z]+)$/i.exec(TIME.trim())
  const unitMs = timeMatch ? msByUnit.get(timeMatch[2]!.toLowerCase()) : undefined
  const waitMs = unitMs === undefined ? Number.NaN : Math.round(Number(timeMatch![1]) * unitMs)
  if (!(waitMs >= 0 && waitMs <= maxWaitMs)) return { ok: false, expected: 'a time such as 500ms, 3s or 1m, at most 10 minutes' }
  return createSuccess({ do: 'wait', ms: waitMs })
}

function parseDismiss({ SEL, SEL2 }: FormValues): ParseResult<ScriptAction> {
  const modalTarget = parseTarget(SEL!)
  const closeTarget = parseTarget(SEL2!)
  if (!modalTarget.ok) return modalTarget
  return closeTarget.ok ? createSuccess({ do: 'dismiss', modal: modalTarget.value, close: closeTarget.value }) : closeTarget
}

/** Every sentence of the language. The first form whose words match parses it. */
export const sentenceForms: readonly SentenceForm[] = [
  { form: 'analyze', read: () => createSuccess({ do: 'analyze', title: null }) },
  { form: 'analyze page', read: () => createSuccess({ do: 'analyze', title: null }) },
  { form: 'analyze with title "T"', read: ({ T }) => createSuccess({ do: 'analyze', title: T! }) },
  { form: 'analyze page with title "T"', read: ({ T }) => createSuccess({ do: 'analyze', title: T! }) },
  { form: 'click element "SEL"', read: createTargetReader((target) => ({ do: 'click', target })) },
  { form: 'type "TXT" into element "SEL"', read: createTargetReader((target, { TXT }) => ({ do: 'type', text: TXT!, target })) },
  { form: 'press "KEY" on "SEL"', read: createTargetReader((target, { KEY }) => ({ do: 'press', key: KEY!, target })) },
  {
    form: 'select the "OPT" option in "SEL"',
    read: createTargetReader((target, { OPT }) => ({ do: 'select', option: OPT!, target })),
  },
  { form: 'wait for element "SEL" to be found', read: createTargetReader((target) => ({ do: 'wait-for', target })) },
  { form: 'wait for TIME', read: parseWait },
  { form: 'dismiss modal "SEL" with close button "SEL2"', read: parseDismiss },
  { form: 'eval "JS"', read: ({ JS }) => createSuccess({ do: 'eval', code: JS! }) },
]

type FormPiece = { word: string } | { value: string; quoted: boolean }

/** Splits a form such as `type "TXT" into element "SEL"` into words and values. */
function splitForm(form: string): FormPiece[] {
  const formPieces: FormPiece[] = []
  for (const [, quotedName, bareName, wordText] of form.matchAll(/"([A-Z0-9]+)"|([A-Z]{2,})|([^"A-Z]+)/g)) {
    if (quotedName !== undefined) formPieces.push({ value: quotedName, quoted: true })
    else if (bareName !== undefined) formPieces.push({ value: bareName, quoted: false })
    else formPieces.push({ word: wordText!.trim() })
  }
  return formPieces
}

const buildWordPattern = (words: string) =>
  new RegExp(words.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/\s+/g, '\\s+'), 'iy')

/** Returns the end of a quoted value: the last quote of the text, or the first one followed by the next words. */
function findValueEnd(text: string, searchStart: number, nextPiece: FormPiece | undefined): number {
  if (!nextPiece) {
    const lastIndex = text.trimEnd().length - 1
    return text[lastIndex] === '"' && lastIndex >= searchStart ? lastIndex : -1
  }
  if (!('word' in nextPiece)) return -1
  const nextWords = buildWordPattern(nextPiece.word)
  for (let quoteIndex = text.indexOf('"', searchStart); quoteIndex >= 0; quoteIndex = text.indexOf('"', quoteIndex + 1)) {
    if (text[quoteIndex - 1] === '\\') continue
    const gapLength = /^\s+/.exec(text.slice(quoteIndex + 1))?.[0].length ?? 0
    nextWords.lastIndex = quoteIndex + 1 + gapLength
    if (gapLength > 0 && nextWords.test(text)) return quoteIndex
  }
  return -1
}

/** `at`: position of the first value, or where matching stopped. */
type FormMatch = { values: FormValues; at: number } | { at: number; expected: string }

/** Parses a quoted value. A frame path may be written without quotes: `click element ["iframe", "inner"]`. */
function parseQuoted(text: string, at: number, nextPiece: FormPiece | undefined): { value: string; end: number } | null {
  if (text[at] === '[') {
    const bracketIndex = text.indexOf(']', at)
    for (let candidateEnd = bracketIndex; candidateEnd >= 0; candidateEnd = text.indexOf(']', candidateEnd + 1)) {
      const candidatePath = text.slice(at, candidateEnd + 1)
      if (parseTarget(candidatePath).ok) return { value: candidatePath, end: candidateEnd + 1 }
    }
  }
  if (text[at] !== '"') return null
  const valueEnd = findValueEnd(text, at + 1, nextPiece)
  return valueEnd < 0 ? null : { value: unescapeQuotes(text.slice(at + 1, valueEnd)), end: valueEnd + 1 }
}

function matchForm(text: string, form: string): FormMatch {
  const formValues: FormValues = {}
  const formPieces = splitForm(form)
  let position = 0
  let firstValueAt = 0
  for (const [index, piece] of formPieces.entries()) {
    position += /^\s*/.exec(text.slice(position))![0].length
    if ('word' in piece) {
      const piecePattern = buildWordPattern(piece.word)
      piecePattern.lastIndex = position
      if (!piecePattern.test(text)) return { at: position, expected: piece.word }
      position = piecePattern.lastIndex
      if (/^\w/.test(text.slice(position))) return { at: position, expected: piece.word }
      continue
    }
    firstValueAt ||= position
    if (!piece.quoted) {
      formValues[piece.value] = text.slice(position).trim()
      position = text.length
    } else {
      const quotedValue = parseQuoted(text, position, formPieces[index + 1])
      if (!quotedValue) return { at: position, expected: 'a text in quotes' }
      formValues[piece.value] = quotedValue.value
      position = quotedValue.end
    }
  }
  return text.slice(position).trim() === ''
    ? { values: formValues, at: firstValueAt }
    : { at: position, expected: 'the end of the action' }
}

const actionVerbs = [...new Set(sentenceForms.map(({ form }) => form.split(' ')[0]!))]

/** Parses one sentence. The error is that of the form that matched furthest. */
export function parseAction(text: string): { ok: true; action: ScriptAction } | SentenceError {
  const actionVerb = text.trim().split(/\s+/, 1)[0]!.toLowerCase()
  if (!actionVerbs.includes(actionVerb))
    return {
      ok: false,
      code: 'unknown-action',
      at: 0,
      read: text,
      expected: `one of: ${actionVerbs.join(', ')}`,
    }
  let furthestError = { at: -1, expected: '' }
  for (const { form, read } of sentenceForms) {
    if (form.split(' ')[0] !== actionVerb) continue
    const formMatch = matchForm(text, form)
    if ('values' in formMatch) {
      const parsedAction = read(formMatch.values)
      if (parsedAction.ok) return { ok: true, action: parsedAction.value }
      if (formMatch.at > furthestError.at) furthestError = { at: formMatch.at, expected: parsedAction.expected }
    } else if (formMatch.at > furthestError.at) furthestError = { at: formMatch.at, expected: `${formMatch.expected} (${form})` }
  }
  const readText = text.slice(furthestError.at).slice(0, 80) || 'the end of the action'
  return { ok: false, code: 'bad-action', at: furthestError.at, read: readText, expected: furthestError.expected }
}
