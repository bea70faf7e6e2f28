import { type Part, partsOf } from './model-selector.ts'

/** A part of a text: from here to before there. */
export type Span = { from: number; to: number }

/** An element that is longer is shown by its first tag alone. */
const longElement = 1000
/** How long a source may be read before its element is searched for by its text alone. */
const longestMs = 1500
/** Elements in one another, more than a parser makes. */
const deepest = 1000

const voidElements = new Set(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr'.split(
    ' ',
  ),
)
/** Their content is text, as a browser with scripts has it. */
const textElements = new Set('iframe noembed noframes noscript plaintext script style xmp'.split(' '))

/** An element that is open; of each part of the selector whether it, or it or one around it, is what the parts up to there mean. */
type Open = { name: string; children: number; isHidden: boolean; is: Uint8Array; within: Uint8Array }
type Tag = { name: string; attributes: Map<string, string>; classes: Set<string>; to: number }

const entities = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0' }
const plain = (value: string): string =>
  value.replaceAll(/&(amp|lt|gt|quot|nbsp);/g, (_, name: keyof typeof entities) => entities[name])

/** The first tag of an element, as a browser writes it; null for anything else. */
function tagAt(source: string, from: number): Tag | null {
  const begin = /<([a-z][^\s/>]*)/iy
  begin.lastIndex = from
  const name = begin.exec(source)?.[1]
  if (name === undefined) return null
  const attribute = / ([^\s/>=]+)="([^"]*)"/y
  const attributes = new Map<string, string>()
  let to = begin.lastIndex
  for (;;) {
    attribute.lastIndex = to
    const found = attribute.exec(source)
    if (!found) break
    attributes.set(found[1]!.toLowerCase(), plain(found[2]!))
    to = attribute.lastIndex
  }
  const classes = new Set(attributes.get('class')?.split(/\s+/))
  return source[to] === '>' ? { name: name.toLowerCase(), attributes, classes, to: to + 1 } : null
}

const fits = (part: Part, { name, classes, attributes }: Tag, nth: number): boolean =>
  (part.tag ?? name) === name &&
  (part.nth ?? nth) === nth &&
  part.classes.every((one) => classes.has(one)) &&
  part.attributes.every((one) => {
    const value = attributes.get(one.name)
    return value !== undefined && (one.isEnd ? value.endsWith(one.value) : value === one.value)
  })

/** The element as it is open, once it is in the one around it. */
function openIn(around: Open, tag: Tag, parts: readonly Part[]): Open {
  around.children += 1
  const isHidden = around.isHidden || around.name === 'template'
  const is = new Uint8Array(parts.length)
  const within = new Uint8Array(parts.length)
  for (const [i, part] of parts.entries()) {
    const follows = i === 0 || (part.isChild ? around.is[i - 1] : around.within[i - 1])
    if (follows && !isHidden && fits(part, tag, around.children)) is[i] = 1
    within[i] = is[i]! | around.within[i]!
  }
  return { name: tag.name, children: 0, isHidden, is, within }
}

/** Where what begins here and is no element ends; null where that is nothing that a browser writes. */
function afterOther(source: string, from: number): number | null {
  const isComment = source.startsWith('<!--', from)
  if (!isComment && source[from + 1] !== '!' && source[from + 1] !== '?') return null
  const end = isComment ? '-->' : '>'
  const at = source.indexOf(end, from + (isComment ? 4 : 2))
  return at < 0 ? null : at + end.length
}

/**
 * Where the first element is that a selector means. The source is what a browser wrote of a document: every element has its end,
 * every attribute its quotes, so that no parser is needed, which a stranger could keep busy for hours. What is written otherwise ends
 * the search.
 */
function bySelector(source: string, selector: string): Span | null {
  const parts = partsOf(selector)
  if (!parts) return null
  const none = new Uint8Array(parts.length)
  const open: Open[] = [{ name: '', children: 0, isHidden: false, is: none, within: none }]
  let found: (Span & { depth: number }) | null = null
  const ends = performance.now() + longestMs
  for (let at = 0, count = 1; ; count++) {
    if (count % 100 === 0 && performance.now() > ends) break
    const from = source.indexOf('<', at)
    const last = open.at(-1)!
    if (from < 0 || open.length > deepest || (found && from > found.from + longElement)) break
    if (source[from + 1] === '/') {
      at = from + last.name.length + 3
      if (open.length === 1 || source.slice(from + 2, at).toLowerCase() !== `${last.name}>`) break
      open.pop()
      if (found?.depth === open.length)
        return { from: found.from, to: at - found.from <= longElement ? at : found.to }
      continue
    }
    const tag = tagAt(source, from)
    const to = tag ? tag.to : afterOther(source, from)
    if (to === null) break
    at = to
    if (!tag) continue
    const element = openIn(last, tag, parts)
    if (!found && element.is.at(-1)) {
      found = { from, to, depth: open.length }
      if (voidElements.has(tag.name) || open.length === 1) break
    }
    if (voidElements.has(tag.name)) continue
    open.push(element)
    if (textElements.has(tag.name)) at = source.indexOf(`</${tag.name}>`, at)
    if (at < 0) break
  }
  return found && { from: found.from, to: found.to }
}

/**
 * Where a piece of a text is that is there once. By Knuth, Morris and Pratt, who read each character once: the browser's own search
 * takes seconds for a text that was written for that.
 */
function byText(source: string, piece: string): Span | null {
  if (piece === '') return null
  // How much of the piece its part up to here ends with, beside itself.
  const ends = new Int32Array(piece.length)
  const grown = (matched: number, sign: number): number => {
    let length = matched
    while (length > 0 && piece.charCodeAt(length) !== sign) length = ends[length - 1]!
    return piece.charCodeAt(length) === sign ? length + 1 : 0
  }
  for (let i = 1, matched = 0; i < piece.length; i++) {
    matched = grown(matched, piece.charCodeAt(i))
    ends[i] = matched
  }
  let found: Span | null = null
  for (let i = 0, matched = 0; i < source.length; i++) {
    matched = grown(matched, source.charCodeAt(i))
    if (matched < piece.length) continue
    if (found) return null
    found = { from: i + 1 - matched, to: i + 1 }
    matched = ends[matched - 1]!
  }
  return found
}

/**
 * Where an element is in the source of its page.
 * @param element its path, which has one step where it is in the document itself, and its code, which may be cut
 * @returns null where that cannot be said for sure
 */
export function spanInSource(
  source: string,
  element: { target: readonly (string | readonly string[])[]; html: string },
): Span | null {
  const [step] = element.target
  if (element.target.length !== 1 || typeof step !== 'string') return null
  return bySelector(source, step) ?? byText(source, element.html)
}

/** The part of a long source that is shown: around a span, or its beginning; whole lines where these are short. */
export function excerptOf(source: string, span: Span | null, most = 50_000): Span {
  if (source.length <= most) return { from: 0, to: source.length }
  const middle = span ? Math.floor((span.from + Math.min(span.to, span.from + most)) / 2) : 0
  const from = Math.min(Math.max(0, middle - most / 2), source.length - most)
  const line = source.indexOf('\n', from) + 1
  const isNear = from > 0 && line > 0 && line - from < 1000 && line <= (span?.from ?? source.length)
  return { from: isNear ? line : from, to: Math.max(from + most, span?.to ?? 0) }
}
