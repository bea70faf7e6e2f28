/** A token of CSS, with `value` as written and escapes resolved in names. */
type Token = {
  kind: 'name' | 'hash' | 'string' | 'number' | 'space' | 'delimiter' | 'colon' | 'comma'
  text: string
}
/** Brackets or parentheses with their content; `name` of a function, else empty. */
export type Block = { kind: 'block'; open: '(' | '['; name: string; content: Value[] }
export type Value = Token | Block

const escape = String.raw`\\(?:[0-9a-f]{1,6}\s?|[^\n\r\f0-9a-f]|$)`
const nameStart = String.raw`(?:[a-z_\0\u0080-\u{10ffff}]|${escape})`
const nameRest = String.raw`(?:[\w\0\u0080-\u{10ffff}-]|${escape})*`
const name = String.raw`(?:--|-?${nameStart})${nameRest}`
const number = String.raw`[+-]?(?:\d*\.)?\d+(?:e[+-]?\d+)?`

/** In order: the first that matches is the token. */
const tokenPatterns = (
  [
    ['comment', String.raw`/\*[^]*?(?:\*/|$)`],
    ['space', String.raw`[ \t\n\r\f]+`],
    ['string', String.raw`"(?:[^"\\\n\r\f]|\\[^]|\\$)*(?:"|$)|'(?:[^'\\\n\r\f]|\\[^]|\\$)*(?:'|$)`],
    ['hash', `#${name}`],
    ['number', `${number}(?:%|${name})?`],
    // The end of an HTML comment.
    ['delimiter', '-->'],
    ['name', name],
    ['colon', ':'],
    ['comma', ','],
    ['open', String.raw`[(\[{]`],
    ['close', String.raw`[)\]}]`],
    ['delimiter', '[^]'],
  ] as const
).map(([kind, pattern]) => ({ kind, pattern: new RegExp(pattern, 'iuy') }))

const closings = { '(': ')', '[': ']' } as const

/** The name of a token in lower case, without escapes. */
export const readName = (text: string): string =>
  text
    .replaceAll(/\\(?:([0-9a-f]{1,6})\s?|([^]))/gi, (_all, hex?: string, character?: string) =>
      hex === undefined ? (character ?? '') : String.fromCodePoint(toCodePoint(Number.parseInt(hex, 16))),
    )
    .replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

/** Code points that are none are replaced, as in CSS. */
const toCodePoint = (code: number): number =>
  code === 0 || code > 0x10_ffff || (code >= 0xd8_00 && code <= 0xdf_ff) ? 0xff_fd : code

const maxDepth = 100

/**
 * Reads CSS into tokens and blocks. The end of the text closes open blocks and strings, as in browsers.
 * @returns null for a broken string, or deeper blocks than any selector has
 */
export function readValues(text: string): Value[] | null {
  const root: Value[] = []
  const openBlocks: Block[] = []
  for (let at = 0; at < text.length;) {
    const current = openBlocks.at(-1)?.content ?? root
    const { kind, matched } = matchToken(text, at)
    at += matched.length
    if (kind === 'comment') continue
    // No selector contains a block of declarations.
    if (matched === '{') return null
    if (kind === 'open') {
      const previous = current.at(-1)
      const isFunction = matched === '(' && previous?.kind === 'name' && text[at - 2] !== '/'
      const block: Block = {
        kind: 'block',
        open: matched as Block['open'],
        name: isFunction ? readName(previous.text) : '',
        content: [],
      }
      if (isFunction) current.pop()
      current.push(block)
      if (openBlocks.push(block) > maxDepth) return null
    } else if (kind === 'close') {
      const openBlock = openBlocks.at(-1)
      // Another closing bracket is content like any other.
      if (openBlock && closings[openBlock.open] === matched) openBlocks.pop()
      else current.push({ kind: 'delimiter', text: matched })
    } else if (kind === 'delimiter' && (matched === '"' || matched === "'")) return null
    else current.push({ kind, text: matched })
  }
  return root
}

function matchToken(text: string, at: number) {
  for (const { kind, pattern } of tokenPatterns) {
    pattern.lastIndex = at
    const matched = pattern.exec(text)?.[0]
    if (matched !== undefined && matched !== '') return { kind, matched }
  }
  // A lone surrogate.
  return { kind: 'delimiter' as const, matched: text[at]! }
}
