import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Node, type YAMLMap } from 'yaml'
import { defaultLimits } from '../../kit/limit.ts'
import { readAction } from './action/model.ts'
import type { Script, ScriptError, ScriptFormat, ScriptPage, ScriptStep, ScriptType } from './schema.ts'

export type ParsedScript = { ok: true; script: Script } | { ok: false; errors: ScriptError[] }

const mostErrors = 20
const mostPages = 500

/** What a reader carries: where things are, and what was wrong so far. */
type Reader = { text: string; lines: LineCounter; errors: ScriptError[] }

type Fault = Pick<ScriptError, 'code' | 'expected'> & { read?: string; hint?: string | null; at: number }

function fault(reader: Reader, { at, code, expected, read, hint = null }: Fault): void {
  if (reader.errors.length >= mostErrors) return
  const { line, col } = reader.lines.linePos(at)
  const seen = read ?? reader.text.slice(at).split('\n', 1)[0]!.trim()
  reader.errors.push({
    code,
    line,
    column: col,
    read: seen.slice(0, 120) || 'nothing',
    expected,
    hint,
  })
}

const startOf = (node: unknown): number => (node as Node | null)?.range?.[0] ?? 0

const yamlTrap =
  'In YAML, “: ” and “ #” have a meaning of their own: put the whole action in single quotes, and write a single quote inside it twice.'

function textOf(reader: Reader, node: unknown, expected: string, at = startOf(node)): string | null {
  if (isScalar(node) && typeof node.value === 'string') {
    if (node.value.trim() !== '') return node.value
    fault(reader, { at, code: 'empty', expected })
    return null
  }
  if (isScalar(node) && typeof node.value === 'number') return String(node.value)
  fault(reader, { at, code: 'wrong-type', expected })
  return null
}

type Fields = Record<string, { node: unknown; at: number }>

/** The fields of a map; what is not in `known` is a fault, and what is in `required` and missing. */
function fieldsOf(
  reader: Reader,
  map: YAMLMap,
  known: readonly string[],
  required: readonly string[],
): Fields {
  const fields: Fields = {}
  for (const { key, value } of map.items) {
    const name = isScalar(key) ? String(key.value) : ''
    const at = startOf(key)
    if (fields[name]) fault(reader, { at, code: 'syntax', read: name, expected: 'each field once' })
    else if (known.includes(name)) fields[name] = { node: value, at: value ? startOf(value) : at }
    else fault(reader, { at, code: 'unknown-field', read: name, expected: `one of: ${known.join(', ')}` })
  }
  for (const name of required)
    if (!fields[name])
      fault(reader, { at: startOf(map), code: 'missing-field', expected: `the field ${name}` })
  return fields
}

function itemsOf(
  reader: Reader,
  field: Fields[string] | undefined,
  expected: string,
  least: number,
): unknown[] {
  if (!field) return []
  if (!isSeq(field.node)) {
    fault(reader, { at: field.at, code: 'wrong-type', expected })
    return []
  }
  if (field.node.items.length < least) fault(reader, { at: field.at, code: 'empty', expected })
  return field.node.items
}

function stepOf(reader: Reader, item: unknown, number: number): ScriptStep | null {
  const at = startOf(item)
  if (isMap(item)) {
    fault(reader, { at, code: 'bad-action', expected: 'an action as text', hint: yamlTrap })
    return null
  }
  const text = textOf(reader, item, 'an action as text')
  if (text === null) return null
  const read = readAction(text)
  const { line } = reader.lines.linePos(at)
  if (read.ok) return { number, line, text, action: read.action }
  const quoted = isScalar(item) && item.type !== 'PLAIN'
  const comment = !quoted && / #/.test(reader.text.slice(at).split('\n', 1)[0]!)
  fault(reader, {
    at: at + (quoted ? read.at + 1 : read.at),
    code: read.code,
    read: read.read,
    expected: read.expected,
    hint: comment ? yamlTrap : null,
  })
  return null
}

function stepsOf(reader: Reader, field: Fields[string] | undefined): ScriptStep[] {
  const steps: ScriptStep[] = []
  let inState = 0
  for (const [index, item] of itemsOf(reader, field, 'a list of actions', 0).entries()) {
    const step = stepOf(reader, item, index + 1)
    if (step) steps.push(step)
    inState = step?.action.do === 'analyze' ? 0 : inState + 1
    if (inState !== defaultLimits.scriptActions + 1) continue
    const expected = `at most ${defaultLimits.scriptActions} actions before an analyze`
    fault(reader, { at: startOf(item), code: 'too-many', expected })
  }
  return steps
}

function pageOf(reader: Reader, item: unknown): ScriptPage | null {
  if (!isMap(item)) {
    fault(reader, { at: startOf(item), code: 'wrong-type', expected: 'a page with name and url' })
    return null
  }
  const fields = fieldsOf(reader, item, ['name', 'url', 'actions'], ['name', 'url'])
  const name = fields.name ? textOf(reader, fields.name.node, 'a name', fields.name.at) : null
  const expected = 'a URL that begins with http:// or https://'
  const url = fields.url ? textOf(reader, fields.url.node, expected, fields.url.at) : null
  // A URL may begin with a variable, so only what is written out is judged.
  if (url !== null && !/^<[A-Za-z_]\w*>/.test(url) && !isUrl(url))
    fault(reader, { at: fields.url!.at, code: 'bad-url', read: url, expected })
  const steps = stepsOf(reader, fields.actions)
  const { line } = reader.lines.linePos(startOf(item))
  return name === null || url === null ? null : { name, url, line, steps }
}

const isUrl = (text: string): boolean => {
  const url = URL.parse(text.trim().replaceAll(/<[A-Za-z_]\w*>/g, 'x'))
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:')
}

/** Aliases would let a small file expand to a huge one, and nest without end. */
function refuseAliases(reader: Reader, node: unknown): void {
  if (isAlias(node))
    fault(reader, { at: startOf(node), code: 'syntax', expected: 'a value instead of an alias' })
  else if (isMap(node)) for (const { value } of node.items) refuseAliases(reader, value)
  else if (isSeq(node)) for (const item of node.items) refuseAliases(reader, item)
}

const deepestBrackets = 100
const deepestIndent = 200
const mostIndicators = 50

/** Nesting that no script needs; readers of brackets work by recursion. Each character is looked at once. */
function isDeep(text: string): boolean {
  let depth = 0
  let indent = 0
  let indicators = 0
  let inLead = true
  for (let i = 0; i < text.length; i++) {
    const letter = text[i]!
    if (letter === '[' || letter === '{') depth += 1
    else if (letter === ']' || letter === '}') depth = Math.max(0, depth - 1)
    if (depth > deepestBrackets) return true
    if (letter === '\n') [indent, indicators, inLead] = [0, 0, true]
    else if (!inLead) continue
    else if (letter === ' ') indent += 1
    else if ('-?:'.includes(letter) && text[i + 1] === ' ') indicators += 1
    else if (!/\s/.test(letter)) inLead = false
    if (indicators >= mostIndicators || (!inLead && indent >= deepestIndent)) return true
  }
  return false
}

const expectations: Readonly<Record<string, string>> = {
  BAD_INDENT: 'a line that is indented like its neighbours',
  MISSING_CHAR: 'a comma, a closing bracket or a closing quote',
  TAB_AS_INDENT: 'spaces, not a tab, at the start of the line',
  MULTIPLE_DOCS: 'one document',
  UNEXPECTED_TOKEN: 'a value',
  BAD_ALIAS: 'a value instead of an alias',
  BLOCK_AS_IMPLICIT_KEY: 'one field a line',
  BLOCK_IN_FLOW: 'JSON inside brackets, not YAML',
  MULTILINE_IMPLICIT_KEY: 'a field name on one line',
}

/** A text of a hundred thousand faults makes as many errors: their stacks, which nobody reads, would take most of the time. */
function withoutStacks<T>(work: () => T): T {
  const errors = Error as { stackTraceLimit?: number }
  const before = errors.stackTraceLimit
  try {
    errors.stackTraceLimit = 0
    return work()
  } finally {
    if (before === undefined) delete errors.stackTraceLimit
    else errors.stackTraceLimit = before
  }
}

function readDocument(reader: Reader, format: ScriptFormat): YAMLMap | null {
  const { text, lines } = reader
  // Strings of JSON contain no tabs, so each may be replaced by a space, which keeps the columns.
  const source = format === 'json' ? text.replaceAll('\t', ' ') : text
  // Its own search for repeated keys takes the square of their number: `fieldsOf` looks at those that count.
  const document = withoutStacks(() =>
    parseDocument(source, { lineCounter: lines, uniqueKeys: false, prettyErrors: false }),
  )
  // A missing bracket makes JSON look wrongly indented, too; one word about it is enough.
  const shown = document.errors.filter(({ code }) => format === 'yaml' || code !== 'BAD_INDENT')
  for (const { code, pos } of shown.length > 0 ? shown : document.errors)
    fault(reader, {
      at: Math.min(pos[0], Math.max(0, text.length - 1)),
      code: 'syntax',
      expected: expectations[code] ?? (format === 'json' ? 'JSON' : 'YAML'),
      hint: format === 'yaml' ? yamlTrap : null,
    })
  if (reader.errors.length > 0) return null
  refuseAliases(reader, document.contents)
  if (isMap(document.contents) && (format === 'yaml' || document.contents.flow)) return document.contents
  fault(reader, { at: 0, code: 'wrong-type', expected: 'an object with the field projects' })
  return null
}

const variablesOf = (text: string): string[] => [
  ...new Set([...text.matchAll(/<([A-Z_][A-Z0-9_]*)>/g)].map(([, name]) => name!)),
]

function readProject(reader: Reader, root: YAMLMap): Script | null {
  const projects = itemsOf(
    reader,
    fieldsOf(reader, root, ['projects'], ['projects']).projects,
    'a list with one project',
    1,
  )
  if (projects.length > 1)
    fault(reader, { at: startOf(projects[1]), code: 'one-project', expected: 'exactly one project' })
  const project = projects[0]
  if (!isMap(project)) {
    if (project !== undefined)
      fault(reader, { at: startOf(project), code: 'wrong-type', expected: 'a project' })
    return null
  }
  const known = ['name', 'id', 'metadata', 'globalActions', 'pageList']
  const fields = fieldsOf(reader, project, known, ['name', 'id', 'pageList'])
  const name = fields.name ? textOf(reader, fields.name.node, 'a name', fields.name.at) : null
  const id = fields.id ? textOf(reader, fields.id.node, 'an id', fields.id.at) : null
  const globalSteps = stepsOf(reader, fields.globalActions)
  const items = itemsOf(reader, fields.pageList, 'a list of pages', 1)
  if (items.length > mostPages)
    fault(reader, {
      at: startOf(items[mostPages]),
      code: 'too-many',
      expected: `at most ${mostPages} pages`,
    })
  const pages = items.slice(0, mostPages).map((item) => pageOf(reader, item))
  if (name === null || id === null) return null
  return {
    name,
    id,
    globalSteps,
    pages: pages.filter((page) => page !== null),
    variables: variablesOf(reader.text),
  }
}

/** A page without steps is analysed as it is loaded. */
function checkAnalyzes(reader: Reader, script: Script, allowed: ScriptType): void {
  const steps = [...script.globalSteps, ...script.pages.flatMap((page) => page.steps)]
  const analyze = steps.find(({ action }) => action.do === 'analyze')
  const implicit = script.pages.some((page) => page.steps.length + script.globalSteps.length === 0)
  if (allowed === 'TASK' && !analyze && !implicit)
    fault(reader, { at: 0, code: 'no-analyze', read: 'no analyze', expected: 'at least one analyze action' })
  if (allowed !== 'SESSION' || !analyze) return
  const start = reader.lines.lineStarts[analyze.line - 1] ?? 0
  const expected = 'no analyze in a script that signs in'
  fault(reader, { at: start, code: 'analyze-in-session', read: analyze.text, expected })
}

/** JSON begins with a brace; everything else is YAML. */
const formatOf = (text: string): ScriptFormat => (/^\s*\{/.test(text) ? 'json' : 'yaml')

/**
 * Reads a script (JSON or YAML, recognised by its first character unless `format` says) for use as `allowed`. Answers the script,
 * or everything that is wrong with it, at most twenty faults, each with its line and column. Never throws.
 */
export function parseScript(text: string, allowed: ScriptType, format = formatOf(text)): ParsedScript {
  const reader: Reader = { text, lines: new LineCounter(), errors: [] }
  reader.lines.addNewLine(0)
  const early = (code: 'too-long' | 'too-deep', expected: string): ParsedScript => {
    fault(reader, { at: 0, code, read: `${text.length} characters`, expected })
    return { ok: false, errors: reader.errors }
  }
  if (text.length > defaultLimits.scriptLength)
    return early('too-long', `at most ${defaultLimits.scriptLength} characters`)
  if (isDeep(text)) return early('too-deep', 'less nesting')
  reader.lines.lineStarts.length = 0
  const root = readDocument(reader, format)
  const script = root && readProject(reader, root)
  if (script) checkAnalyzes(reader, script, allowed)
  return script && reader.errors.length === 0
    ? { ok: true, script }
    : { ok: false, errors: reader.errors.sort((a, b) => a.line - b.line || a.column - b.column) }
}
