import { type Block, readName, readValues, type Value } from './token.ts'
import { type ArgumentKind, elementArguments, elementsByFollowers, isElementName, pseudoClassArguments } from './pseudo.ts'

/** Restrictions of a selector by its surroundings. */
type Surroundings = {
  /** Begins with a combinator, as in `:has(> a)`. */
  isRelative?: boolean
  /** Without combinators, as in `:host(a)`. */
  isCompound?: boolean
  /** Within the arguments of a pseudo-class: no pseudo-elements. */
  isNested?: boolean
  /** Within `:has`: no further one. */
  isWithinHas?: boolean
  /** Within the arguments of a pseudo-class behind this pseudo-element. */
  element?: string | null
}

const isSpace = (value: Value | undefined): boolean => value?.kind === 'space'
const isDelimiter = (value: Value | undefined, text: string): boolean => value?.kind === 'delimiter' && value.text === text
const trim = (values: readonly Value[]): Value[] => {
  const start = values.findIndex((value) => !isSpace(value))
  return start === -1 ? [] : values.slice(start, values.findLastIndex((value) => !isSpace(value)) + 1)
}

/** Splits at the commas of this level. */
function splitList(values: readonly Value[]): Value[][] {
  const parts: Value[][] = [[]]
  for (const value of values)
    if (value.kind === 'comma') parts.push([])
    else parts.at(-1)!.push(value)
  return parts.map(trim)
}

const isSelectorList = (values: readonly Value[], surroundings: Surroundings): boolean =>
  splitList(values).every((part) => isComplex(part, surroundings))

/** A position in a list of values that moves on. */
type Cursor = { values: readonly Value[]; at: number }
const peek = ({ values, at }: Cursor, ahead = 0): Value | undefined => values[at + ahead]

/** Reads a combinator with the spaces around it; null if the selector ends or is broken here. */
function readCombinator(cursor: Cursor): string | null {
  const startAt = cursor.at
  while (isSpace(peek(cursor))) cursor.at++
  const value = peek(cursor)
  if (value?.kind === 'delimiter' && '>+~'.includes(value.text)) {
    cursor.at++
    while (isSpace(peek(cursor))) cursor.at++
    return value.text
  }
  return cursor.at > startAt ? ' ' : null
}

function isComplex(values: readonly Value[], surroundings: Surroundings): boolean {
  const cursor: Cursor = { values, at: 0 }
  if (surroundings.isRelative) readCombinator(cursor)
  for (;;) {
    const compound = readCompound(cursor, surroundings)
    if (compound === null) return false
    if (cursor.at === values.length) return true
    // A pseudo-element is the last of a selector.
    if (surroundings.isCompound || compound.element !== null || readCombinator(cursor) === null) return false
  }
}

/** Reads `a`, `*` and their namespaces; false if there is none. Namespaces are never declared. */
function readType(cursor: Cursor): boolean | null {
  const isTypeName = (value: Value | undefined) => value?.kind === 'name' || isDelimiter(value, '*')
  const [first, second, third] = [peek(cursor), peek(cursor, 1), peek(cursor, 2)]
  if (isDelimiter(first, '|')) {
    if (!isTypeName(second)) return null
    cursor.at += 2
    return true
  }
  if (!isTypeName(first)) return false
  if (!isDelimiter(second, '|') || !isTypeName(third)) {
    cursor.at += 1
    return true
  }
  // An escaped asterisk means the same.
  if (first!.kind === 'name' && readName(first!.text) !== '*') return null
  cursor.at += 3
  return true
}

/** Reads a compound selector such as `a.b[c]:hover::before`; null if there is none or it is broken. */
function readCompound(cursor: Cursor, surroundings: Surroundings): { element: string | null } | null {
  const startAt = cursor.at
  const hasType = readType(cursor)
  // There are only pseudo-classes behind a pseudo-element.
  if (hasType === null || (hasType && surroundings.element)) return null
  let element = surroundings.element ?? null
  for (;;) {
    const value = peek(cursor)
    if (value === undefined || isSpace(value)) break
    if (value.kind === 'colon') {
      const pseudo = readPseudo(cursor, { ...surroundings, element })
      if (pseudo === null) return null
      element = pseudo.element ?? element
      continue
    }
    const simpleLength = readSimple(cursor)
    if (simpleLength === null || (simpleLength > 0 && element !== null)) return null
    if (simpleLength === 0) break
    cursor.at += simpleLength
  }
  return cursor.at > startAt ? { element: element === (surroundings.element ?? null) ? null : element } : null
}

/** Number of values of an id, class, attribute or nesting selector; 0 if there is none, null if it is broken. */
function readSimple(cursor: Cursor): number | null {
  const value = peek(cursor)!
  if (value.kind === 'hash') return 1
  if (isDelimiter(value, '&')) return 1
  if (isDelimiter(value, '.')) return peek(cursor, 1)?.kind === 'name' ? 2 : null
  if (value.kind === 'block' && value.open === '[') return isAttribute(value.content) ? 1 : null
  return 0
}

/** `name`, `name=value`, `name~="value" i`; with a namespace only `*|name` or `|name`. */
function isAttribute(content: readonly Value[]): boolean {
  const cursor: Cursor = { values: trim(content), at: 0 }
  if (isDelimiter(peek(cursor), '*') && isDelimiter(peek(cursor, 1), '|')) cursor.at++
  if (isDelimiter(peek(cursor), '|')) cursor.at++
  if (peek(cursor)?.kind !== 'name') return false
  cursor.at++
  while (isSpace(peek(cursor))) cursor.at++
  if (peek(cursor) === undefined) return true
  const matcher = peek(cursor)!
  if (matcher.kind === 'delimiter' && '~|^$*'.includes(matcher.text)) cursor.at++
  if (!isDelimiter(peek(cursor), '=')) return false
  cursor.at++
  const [expected, flag, ...furtherValues] = cursor.values.slice(cursor.at).filter((value) => !isSpace(value))
  if (expected?.kind !== 'name' && expected?.kind !== 'string') return false
  return furtherValues.length === 0 && (flag === undefined || (flag.kind === 'name' && attributeFlags.has(readName(flag.text))))
}
const attributeFlags = new Set(['i'])

/** Reads a pseudo-class or pseudo-element; null if it is unknown or not allowed here. */
function readPseudo(cursor: Cursor, surroundings: Surroundings): { element: string | null } | null {
  const isDouble = peek(cursor, 1)?.kind === 'colon'
  cursor.at += isDouble ? 2 : 1
  const value = peek(cursor)
  cursor.at++
  if (value?.kind !== 'name' && value?.kind !== 'block') return null
  const name = value.kind === 'block' ? value.name : readName(value.text)
  // Brackets, or parentheses without a name.
  if (name === '') return null
  const isElement = isElementName(name, isDouble)
  const argumentKinds = isElement ? elementArguments(name) : isDouble ? undefined : pseudoClassArguments.get(name)
  if (argumentKinds === undefined || (isElement && surroundings.isNested)) return null
  const elementName = name === 'cue' && value.kind === 'block' ? 'cue()' : name
  if (surroundings.element && !mayFollow(surroundings.element, isElement, elementName)) return null
  const isValid = value.kind === 'block' ? hasArguments(value, argumentKinds, surroundings) : argumentKinds.includes('none')
  return isValid ? { element: isElement ? elementName : null } : null
}

function mayFollow(element: string, isElement: boolean, name: string): boolean {
  // Its arguments decide.
  if (!isElement && name === 'not') return true
  const followers = elementsByFollowers.find(({ elements }) => elements.has(element)) ?? elementsByFollowers[0]!
  const followerNames = followers[isElement ? 'elementNames' : 'classNames']
  // Parts of controls may have any name.
  return followerNames.has(name) || (name.startsWith('-webkit-') && isElement && followerNames.has('-webkit-'))
}

const isNamed = (values: readonly Value[], ...names: string[]): boolean =>
  values.length === 1 && values[0]!.kind === 'name' && (names.length === 0 || names.includes(readName(values[0]!.text)))

/** `*`, `a`, `*.b`, `a.b.c`, `.b`: the name and classes of a view transition. */
function isTransitionName(values: readonly Value[]): boolean {
  const cursor: Cursor = { values, at: 0 }
  if (peek(cursor)?.kind === 'name' || isDelimiter(peek(cursor), '*')) cursor.at++
  // Chromium takes spaces before classes, but not behind the asterisk.
  if (isDelimiter(values[0], '*') && isSpace(values[1])) return false
  for (;;) {
    while (isSpace(peek(cursor))) cursor.at++
    if (!isDelimiter(peek(cursor), '.') || peek(cursor, 1)?.kind !== 'name')
      return values.length > 0 && cursor.at === values.length
    cursor.at += 2
  }
}

const toText = (values: readonly Value[]): string =>
  values.map((value) => (value.kind === 'block' ? '(' : value.kind === 'space' ? ' ' : readName(value.text))).join('')
/** `2n + 1`, `even`, `-n`, `3`. */
const nthPattern = /^(?:even|odd|[+-]?\d+|[+-]?\d*n(?:\s*[+-]\s*\d+)?)$/

function isNth(values: readonly Value[], takesSelectors: boolean, surroundings: Surroundings): boolean {
  const ofAt = values.findIndex((value) => value.kind === 'name' && readName(value.text) === 'of')
  if (ofAt === -1) return nthPattern.test(toText(trim(values)))
  const isSeparated = isSpace(values[ofAt - 1]) || values[ofAt - 1]?.kind === 'number'
  return (
    takesSelectors &&
    isSeparated &&
    nthPattern.test(toText(trim(values.slice(0, ofAt)))) &&
    isSelectorList(trim(values.slice(ofAt + 1)), surroundings)
  )
}

const checksByKind: Readonly<Record<Exclude<ArgumentKind, 'none'>, (values: Value[], surroundings: Surroundings) => boolean>> = {
  // Browsers ignore what they do not know there.
  forgiving: () => true,
  selectors: (values, { isWithinHas = false, isCompound = false, element = null }) =>
    isSelectorList(values, { isNested: true, isWithinHas, isCompound, element }),
  relative: (values, { isWithinHas, element }) =>
    !isWithinHas && !element && isSelectorList(values, { isNested: true, isWithinHas: true, isRelative: true }),
  compound: (values) => isComplex(values, { isNested: true, isCompound: true, isWithinHas: true }),
  compounds: (values) => isSelectorList(values, { isNested: true, isCompound: true, isWithinHas: true }),
  nth: (values) => isNth(values, false, {}),
  nthOf: (values, { isNested = false, isWithinHas = false, isCompound = false }) =>
    isNth(values, true, { isNested, isWithinHas, isCompound }),
  name: (values) => isNamed(values),
  names: (values) => splitList(values).every((part) => isNamed(part)),
  words: (values) => values.length > 0 && values.every(({ kind }) => kind === 'name' || kind === 'space'),
  transition: isTransitionName,
  select: (values) => isNamed(values, 'select'),
  side: (values) =>
    (values.length === 1 && isDelimiter(values[0], '*')) ||
    isNamed(values, 'left', 'right', 'up', 'down', 'block-start', 'block-end', 'inline-start', 'inline-end'),
}

const hasArguments = ({ content }: Block, kinds: readonly ArgumentKind[], surroundings: Surroundings): boolean =>
  kinds.some((kind) => kind !== 'none' && checksByKind[kind](trim(content), surroundings))

/** True if Chromium accepts a list of selectors. */
export function isCssSelector(selectorText: string): boolean {
  const values = readValues(selectorText)
  return values !== null && isSelectorList(values, {})
}
