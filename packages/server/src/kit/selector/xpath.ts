/** The type of an expression, as far as it decides where the expression may stand. */
type ExpressionType = 'nodes' | 'other'
type TokenKind = 'name' | 'operator' | 'function' | 'axis' | 'node-type' | 'literal' | 'number' | 'variable' | 'symbol' | 'end'
type Token = { kind: TokenKind; text: string }

const nameStart = String.raw`[\p{L}\p{Nl}_]`
const ncName = String.raw`${nameStart}[\p{L}\p{Nl}\p{M}\p{Nd}\w.-]*`
const tokenPattern = new RegExp(
  String.raw`[ \t\r\n]*(?:(?<literal>"[^"]*"|'[^']*')|(?<number>\d+(?:\.\d*)?|\.\d+)|\$(?<variable>${ncName})(?!:)|(?<name>${ncName}(?::(?:${ncName}|\*))?(?!:[^:]))|(?<symbol>::|\.\.|//|!=|<=|>=|[/.@()\[\],|+=<>*-])|(?<end>$))`,
  'uy',
)

const axes = new Set(
  `ancestor ancestor-or-self attribute child descendant descendant-or-self following following-sibling namespace parent
  preceding preceding-sibling self`.split(/\s+/),
)
const nodeTypes = new Set(['comment', 'text', 'processing-instruction', 'node'])
const operatorNames = new Set(['and', 'or', 'div', 'mod'])

/** Minimum and maximum number of arguments of the functions of XPath 1.0. */
const functionArguments: ReadonlyMap<string, readonly [number, number]> = new Map(
  (
    [
      [0, 0, 'last position true false'],
      [0, 1, 'local-name namespace-uri name string string-length normalize-space number'],
      [1, 1, 'count id boolean not lang sum floor ceiling round'],
      [2, 2, 'starts-with contains substring-before substring-after'],
      [2, 3, 'substring'],
      [2, Infinity, 'concat'],
      [3, 3, 'translate'],
    ] as const
  ).flatMap(([minCount, maxCount, names]) => names.split(' ').map((name) => [name, [minCount, maxCount]] as const)),
)

class XPathError extends Error {}

/** Reads tokens; a name before `(` or `::`, or where an operator must be, is no name of an element. */
function readTokens(expression: string): Token[] {
  const tokens: Token[] = []
  for (let at = 0; ;) {
    tokenPattern.lastIndex = at
    const groups = tokenPattern.exec(expression)?.groups
    if (!groups) throw new XPathError()
    at = tokenPattern.lastIndex
    const [kind, text] = Object.entries(groups).find(([, matched]) => matched !== undefined)! as [TokenKind, string]
    if (kind === 'end') return [...tokens, { kind, text }]
    tokens.push({ kind: refineKind(kind, text, tokens.at(-1), expression.slice(at)), text })
  }
}

const expectsOperand = (previous: Token | undefined): boolean =>
  previous === undefined ||
  previous.kind === 'operator' ||
  (previous.kind === 'symbol' && /^(?:@|::|[([,/|+=<>-]|\/\/|!=|[<>]=)$/.test(previous.text))

function refineKind(kind: TokenKind, text: string, previous: Token | undefined, rest: string): TokenKind {
  if (kind === 'symbol' && text === '*' && !expectsOperand(previous)) return 'operator'
  if (kind !== 'name') return kind
  if (!expectsOperand(previous)) return 'operator'
  if (/^[ \t\r\n]*\(/.test(rest)) return nodeTypes.has(text) ? 'node-type' : 'function'
  return /^[ \t\r\n]*::/.test(rest) ? 'axis' : 'name'
}

const maxDepth = 100

/** A reader of expressions, by the grammar of XPath 1.0. */
class ExpressionReader {
  readonly #tokens: readonly Token[]
  #at = 0
  #depth = 0
  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  #peek(ahead = 0): Token {
    return this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)]!
  }
  #isNext(text: string, kind: TokenKind = 'symbol'): boolean {
    return this.#peek().kind === kind && this.#peek().text === text
  }
  #take(text: string, kind: TokenKind = 'symbol'): boolean {
    if (!this.#isNext(text, kind)) return false
    this.#at++
    return true
  }
  #expect(text: string): void {
    if (!this.#take(text)) throw new XPathError()
  }

  readAll(): ExpressionType {
    const type = this.#readExpression()
    if (this.#peek().kind !== 'end') throw new XPathError()
    return type
  }

  /** Operators other than `|`: their order changes no type. */
  #readExpression(): ExpressionType {
    if (++this.#depth > maxDepth) throw new XPathError()
    let type = this.#readUnary()
    while (this.#takeBinary()) {
      this.#readUnary()
      type = 'other'
    }
    this.#depth--
    return type
  }

  #takeBinary(): boolean {
    const { kind, text } = this.#peek()
    const isBinary =
      kind === 'operator'
        ? text === '*' || operatorNames.has(text)
        : kind === 'symbol' && ['+', '-', '=', '!=', '<', '<=', '>', '>='].includes(text)
    if (isBinary) this.#at++
    return isBinary
  }

  #readUnary(): ExpressionType {
    let isNegated = false
    while (this.#take('-')) isNegated = true
    const type = this.#readUnion()
    return isNegated ? 'other' : type
  }

  #readUnion(): ExpressionType {
    let type = this.#readPath()
    while (this.#take('|')) {
      if (type !== 'nodes' || this.#readPath() !== 'nodes') throw new XPathError()
      type = 'nodes'
    }
    return type
  }

  #readPath(): ExpressionType {
    const filter = this.#readFilter()
    if (filter === null) {
      this.#readLocation()
      return 'nodes'
    }
    if (!this.#isNext('/') && !this.#isNext('//')) return filter
    if (filter !== 'nodes') throw new XPathError()
    this.#at++
    this.#readSteps()
    return 'nodes'
  }

  /** `(…)`, a literal, number, variable or function, with predicates; null for a location. */
  #readFilter(): ExpressionType | null {
    const type = this.#readPrimary()
    if (type === null) return null
    const hasPredicates = this.#readPredicates()
    if (hasPredicates && type !== 'nodes') throw new XPathError()
    return type
  }

  #readPrimary(): ExpressionType | null {
    const { kind, text } = this.#peek()
    // None is ever bound, and Chromium 153 crashes on one in a predicate.
    if (kind === 'variable') throw new XPathError()
    if (kind === 'literal' || kind === 'number') {
      this.#at++
      return 'other'
    }
    if (kind === 'function') {
      this.#at++
      this.#readArguments(text)
      return text === 'id' ? 'nodes' : 'other'
    }
    if (!this.#take('(')) return null
    const type = this.#readExpression()
    this.#expect(')')
    return type
  }

  #readArguments(functionName: string): void {
    this.#expect('(')
    const argumentTypes: ExpressionType[] = []
    if (!this.#isNext(')'))
      do argumentTypes.push(this.#readExpression())
      while (this.#take(','))
    this.#expect(')')
    const [minCount, maxCount] = functionArguments.get(functionName) ?? [Infinity, -1]
    if (argumentTypes.length < minCount || argumentTypes.length > maxCount) throw new XPathError()
    if (functionName === 'count' && argumentTypes[0] !== 'nodes') throw new XPathError()
  }

  #readLocation(): void {
    if (this.#take('//')) return this.#readSteps()
    if (!this.#take('/')) return this.#readSteps()
    if (this.#startsStep()) this.#readSteps()
  }

  #startsStep(): boolean {
    const { kind, text } = this.#peek()
    return (
      kind === 'name' || kind === 'axis' || kind === 'node-type' || (kind === 'symbol' && ['.', '..', '@', '*'].includes(text))
    )
  }

  #readSteps(): void {
    do this.#readStep()
    while (this.#take('/') || this.#take('//'))
  }

  #readStep(): void {
    if (this.#take('.') || this.#take('..')) return
    if (this.#peek().kind === 'axis') {
      if (!axes.has(this.#peek().text)) throw new XPathError()
      this.#at++
      this.#expect('::')
    } else this.#take('@')
    this.#readNodeTest()
    this.#readPredicates()
  }

  #readNodeTest(): void {
    const { kind, text } = this.#peek()
    this.#at++
    if (kind === 'symbol' && text === '*') return
    // No prefix is declared.
    if (kind === 'name' && !text.includes(':')) return
    if (kind !== 'node-type') throw new XPathError()
    this.#expect('(')
    if (text === 'processing-instruction' && this.#peek().kind === 'literal') this.#at++
    this.#expect(')')
  }

  /** @returns true if there was at least one */
  #readPredicates(): boolean {
    const startAt = this.#at
    while (this.#take('[')) {
      this.#readExpression()
      this.#expect(']')
    }
    return this.#at > startAt
  }
}

/** True if Chromium accepts an XPath expression for elements. */
export function isXPathOfNodes(expression: string): boolean {
  try {
    return new ExpressionReader(readTokens(expression)).readAll() === 'nodes'
  } catch (error) {
    if (error instanceof XPathError) return false
    throw error
  }
}
