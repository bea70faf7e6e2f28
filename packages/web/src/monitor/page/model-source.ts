import { type SelectorPart, parseSelector } from './model-selector.ts'

/** Range of a text; `from` is inclusive, `to` is exclusive. */
export type SourceSpan = { from: number; to: number }

/** Longer elements are shown by their start tag only. */
const maxElementLength = 1000
/** Time limit of the structural search; after it, only the text search is used. */
const maxSearchMs = 1500
/** Maximum nesting depth, above the limit of HTML parsers. */
const maxDepth = 1000

const voidElements = new Set(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr'.split(' '),
)
/** Elements whose content is text if scripts are enabled. */
const textElements = new Set('iframe noembed noframes noscript plaintext script style xmp'.split(' '))

/** An open element. `is[i]` is 1 if it matches the selector up to part i; `within[i]` also if an ancestor does. */
type OpenElement = { name: string; children: number; isHidden: boolean; matches: Uint8Array; matchesWithin: Uint8Array }
type ParsedTag = { name: string; attributes: Map<string, string>; classes: Set<string>; to: number }

const entityTexts = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0' }
const decodeEntities = (encoded: string): string =>
  encoded.replaceAll(/&(amp|lt|gt|quot|nbsp);/g, (_, name: keyof typeof entityTexts) => entityTexts[name])

/** Parses a start tag in the form that browsers serialize. Returns null for anything else. */
function parseTagAt(source: string, from: number): ParsedTag | null {
  const tagPattern = /<([a-z][^\s/>]*)/iy
  tagPattern.lastIndex = from
  const tagName = tagPattern.exec(source)?.[1]
  if (tagName === undefined) return null
  const attributePattern = / ([^\s/>=]+)="([^"]*)"/y
  const tagAttributes = new Map<string, string>()
  let tagEnd = tagPattern.lastIndex
  for (;;) {
    attributePattern.lastIndex = tagEnd
    const attributeMatch = attributePattern.exec(source)
    if (!attributeMatch) break
    tagAttributes.set(attributeMatch[1]!.toLowerCase(), decodeEntities(attributeMatch[2]!))
    tagEnd = attributePattern.lastIndex
  }
  const classNames = new Set(tagAttributes.get('class')?.split(/\s+/))
  return source[tagEnd] === '>'
    ? { name: tagName.toLowerCase(), attributes: tagAttributes, classes: classNames, to: tagEnd + 1 }
    : null
}

const matchesPart = (part: SelectorPart, { name, classes, attributes }: ParsedTag, childIndex: number): boolean =>
  (part.tag ?? name) === name &&
  (part.nth ?? childIndex) === childIndex &&
  part.classes.every((className) => classes.has(className)) &&
  part.attributes.every((attribute) => {
    const attributeValue = attributes.get(attribute.name)
    return (
      attributeValue !== undefined &&
      (attribute.isEnd ? attributeValue.endsWith(attribute.value) : attributeValue === attribute.value)
    )
  })

/** Opens an element inside its parent and computes which selector parts it matches. */
function openElement(parent: OpenElement, tag: ParsedTag, parts: readonly SelectorPart[]): OpenElement {
  parent.children += 1
  const isInTemplate = parent.isHidden || parent.name === 'template'
  const partMatches = new Uint8Array(parts.length)
  const ancestorMatches = new Uint8Array(parts.length)
  for (const [partIndex, part] of parts.entries()) {
    const isCombinatorMet =
      partIndex === 0 || (part.isChild ? parent.matches[partIndex - 1] : parent.matchesWithin[partIndex - 1])
    if (isCombinatorMet && !isInTemplate && matchesPart(part, tag, parent.children)) partMatches[partIndex] = 1
    ancestorMatches[partIndex] = partMatches[partIndex]! | parent.matchesWithin[partIndex]!
  }
  return { name: tag.name, children: 0, isHidden: isInTemplate, matches: partMatches, matchesWithin: ancestorMatches }
}

/** Returns the end of a comment, doctype or processing instruction; null for text that browsers do not serialize. */
function skipNonElement(source: string, from: number): number | null {
  const isComment = source.startsWith('<!--', from)
  if (!isComment && source[from + 1] !== '!' && source[from + 1] !== '?') return null
  const terminator = isComment ? '-->' : '>'
  const terminatorIndex = source.indexOf(terminator, from + (isComment ? 4 : 2))
  return terminatorIndex < 0 ? null : terminatorIndex + terminator.length
}

/**
 * Finds the first element that matches a selector. The source was serialized by a browser, so every element is closed and every
 * attribute is quoted. No parser is needed, which hostile input could keep busy for hours. The search stops at any other markup.
 */
function findBySelector(source: string, selector: string): SourceSpan | null {
  const selectorParts = parseSelector(selector)
  if (!selectorParts) return null
  const noMatches = new Uint8Array(selectorParts.length)
  const openElements: OpenElement[] = [{ name: '', children: 0, isHidden: false, matches: noMatches, matchesWithin: noMatches }]
  let foundElement: (SourceSpan & { depth: number }) | null = null
  const deadline = performance.now() + maxSearchMs
  for (let position = 0, iteration = 1; ; iteration++) {
    if (iteration % 100 === 0 && performance.now() > deadline) break
    const tagStart = source.indexOf('<', position)
    const currentElement = openElements.at(-1)!
    if (tagStart < 0 || openElements.length > maxDepth || (foundElement && tagStart > foundElement.from + maxElementLength)) break
    if (source[tagStart + 1] === '/') {
      position = tagStart + currentElement.name.length + 3
      if (openElements.length === 1 || source.slice(tagStart + 2, position).toLowerCase() !== `${currentElement.name}>`) break
      openElements.pop()
      if (foundElement?.depth === openElements.length)
        return { from: foundElement.from, to: position - foundElement.from <= maxElementLength ? position : foundElement.to }
      continue
    }
    const parsedTag = parseTagAt(source, tagStart)
    const nodeEnd = parsedTag ? parsedTag.to : skipNonElement(source, tagStart)
    if (nodeEnd === null) break
    position = nodeEnd
    if (!parsedTag) continue
    const openedElement = openElement(currentElement, parsedTag, selectorParts)
    if (!foundElement && openedElement.matches.at(-1)) {
      foundElement = { from: tagStart, to: nodeEnd, depth: openElements.length }
      if (voidElements.has(parsedTag.name) || openElements.length === 1) break
    }
    if (voidElements.has(parsedTag.name)) continue
    openElements.push(openedElement)
    if (textElements.has(parsedTag.name)) position = source.indexOf(`</${parsedTag.name}>`, position)
    if (position < 0) break
  }
  return foundElement && { from: foundElement.from, to: foundElement.to }
}

/** Finds text that occurs exactly once by Knuth–Morris–Pratt: the built-in search takes seconds on crafted input. */
function findUniqueText(source: string, needle: string): SourceSpan | null {
  if (needle === '') return null
  // For each prefix of the needle: the length of its longest proper prefix that is also its suffix.
  const prefixLengths = new Int32Array(needle.length)
  const extendMatch = (matchedLength: number, charCode: number): number => {
    let matchLength = matchedLength
    while (matchLength > 0 && needle.charCodeAt(matchLength) !== charCode) matchLength = prefixLengths[matchLength - 1]!
    return needle.charCodeAt(matchLength) === charCode ? matchLength + 1 : 0
  }
  for (let needleIndex = 1, matchedLength = 0; needleIndex < needle.length; needleIndex++) {
    matchedLength = extendMatch(matchedLength, needle.charCodeAt(needleIndex))
    prefixLengths[needleIndex] = matchedLength
  }
  let uniqueMatch: SourceSpan | null = null
  for (let sourceIndex = 0, matched = 0; sourceIndex < source.length; sourceIndex++) {
    matched = extendMatch(matched, source.charCodeAt(sourceIndex))
    if (matched < needle.length) continue
    if (uniqueMatch) return null
    uniqueMatch = { from: sourceIndex + 1 - matched, to: sourceIndex + 1 }
    matched = prefixLengths[matched - 1]!
  }
  return uniqueMatch
}

/**
 * Locates an element in the source of its page.
 * @param element its path, with a single step if it is in the top document, and its HTML, which may be truncated
 * @returns null if the location is uncertain
 */
export function locateElement(
  source: string,
  element: { target: readonly (string | readonly string[])[]; html: string },
): SourceSpan | null {
  const [selectorStep] = element.target
  if (element.target.length !== 1 || typeof selectorStep !== 'string') return null
  return findBySelector(source, selectorStep) ?? findUniqueText(source, element.html)
}

/** Returns the visible part of a long source: around a span or at the start. Begins at a line break if one is near. */
export function computeExcerpt(source: string, span: SourceSpan | null, maxLength = 50_000): SourceSpan {
  if (source.length <= maxLength) return { from: 0, to: source.length }
  const centerIndex = span ? Math.floor((span.from + Math.min(span.to, span.from + maxLength)) / 2) : 0
  const excerptStart = Math.min(Math.max(0, centerIndex - maxLength / 2), source.length - maxLength)
  const lineStart = source.indexOf('\n', excerptStart) + 1
  const isLineStartNear =
    excerptStart > 0 && lineStart > 0 && lineStart - excerptStart < 1000 && lineStart <= (span?.from ?? source.length)
  return { from: isLineStartNear ? lineStart : excerptStart, to: Math.max(excerptStart + maxLength, span?.to ?? 0) }
}
