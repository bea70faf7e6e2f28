/** A part of a text: from here to before there. */
export type Span = { from: number; to: number }

/** An element that is longer is shown by its first tag alone. */
const longElement = 1000
const mark = '<!--clearway-element-->'
/** How long a source may be read before its element is searched for by its text alone. */
const longestMs = 2000

/**
 * A page's source for a document of its own: nothing of it runs, loads or is shown. What a browser with scripts takes for text
 * inside of `noscript` is text without them, too, in `noframes`, a word of the same length.
 */
const inert = (source: string): string => source.replaceAll(/(<\/?)noscript\b/gi, '$1noframes')

/** How many elements that format text may be open: a parser opens all of them again in each paragraph, and some take long for one. */
const mostFormats = 500
function hasManyFormats(text: string): boolean {
  let open = 0
  for (const [, slash] of text.matchAll(
    /<(\/?)(?:a|b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)(?=[\s/>])/gi,
  )) {
    open = slash ? Math.max(0, open - 1) : open + 1
    if (open > mostFormats) return true
  }
  return false
}

/**
 * Whether a parser is soon done with a text: a stranger can write one that takes it hours. So a document gets it in pieces first,
 * and is thrown away: some browsers drop the scripts of such a one.
 */
function isSoonParsed(text: string): boolean {
  const page = document.implementation.createHTMLDocument()
  const end = performance.now() + longestMs
  page.open()
  for (let from = 0; from < text.length && performance.now() < end;) {
    const next = text.indexOf('<', from + 1000)
    const to = next < 0 ? text.length : next
    page.write(text.slice(from, to))
    from = to
  }
  page.close()
  return performance.now() < end
}

/** Where the one element that a selector means is, if the document says the same up to there. */
function bySelector(source: string, selector: string): Span | null {
  const text = inert(source)
  if (hasManyFormats(text) || !isSoonParsed(text)) return null
  const parsed = new DOMParser().parseFromString(text, 'text/html')
  let element: Element | null
  try {
    element = parsed.querySelector(selector)
  } catch {
    return null
  }
  if (!element) return null
  const whole = element.outerHTML
  const closing = `</${element.localName}>`
  const empty = (element.cloneNode(false) as Element).outerHTML
  const tag = empty.endsWith(closing) ? empty.slice(0, -closing.length) : empty
  const html = parsed.documentElement
  const from = text.search(/<html[\s>]/i)
  if (from < 0) return null
  if (element === html) return text.startsWith(tag, from) ? { from, to: from + tag.length } : null
  element.before(parsed.createComment(mark.slice(4, -3)))
  const before = html.outerHTML.split(mark, 1)[0]!
  if (!text.startsWith(before, from) || !text.startsWith(tag, from + before.length)) return null
  const start = from + before.length
  const isShort = whole.length <= longElement && text.startsWith(whole, start)
  return { from: start, to: start + (isShort ? whole : tag).length }
}

/** Where a piece of a text is that is there once. */
function byText(source: string, piece: string): Span | null {
  const from = piece === '' ? -1 : source.indexOf(piece)
  if (from < 0 || source.includes(piece, from + 1)) return null
  return { from, to: from + piece.length }
}

/**
 * Where an element is in the source of its page.
 * @param element its path, which has one step where it is in the document itself, and its code, which may be cut
 * @returns null where that cannot be said for sure
 */
export function placeInSource(
  source: string,
  element: { target: readonly (string | readonly string[])[]; html: string },
): Span | null {
  const [step] = element.target
  if (element.target.length !== 1 || typeof step !== 'string') return null
  return bySelector(source, step) ?? byText(source, element.html)
}

/** The part of a long source that is shown: around a place, or its beginning; whole lines where these are short. */
export function excerptOf(source: string, place: Span | null, most = 50_000): Span {
  if (source.length <= most) return { from: 0, to: source.length }
  const middle = place ? Math.floor((place.from + Math.min(place.to, place.from + most)) / 2) : 0
  const from = Math.min(Math.max(0, middle - most / 2), source.length - most)
  const line = source.indexOf('\n', from) + 1
  const isNear = from > 0 && line > 0 && line - from < 1000 && line <= (place?.from ?? source.length)
  return { from: isNear ? line : from, to: Math.max(from + most, place?.to ?? 0) }
}
