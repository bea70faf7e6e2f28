import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Node, type YAMLMap } from 'yaml'
import { defaultLimits } from '../../kit/limit.ts'
import { parseAction } from './action/model.ts'
import type { Script, ScriptError, ScriptFormat, ScriptPage, ScriptStep, ScriptType } from './schema.ts'

export type ParsedScript = { ok: true; script: Script } | { ok: false; errors: ScriptError[] }

const maxErrors = 20
const maxPages = 500

/** State of a parser: positions, and errors so far. */
type ScriptReader = { text: string; lines: LineCounter; errors: ScriptError[] }

type ScriptFault = Pick<ScriptError, 'code' | 'expected'> & { read?: string; hint?: string | null; at: number }

function addFault(reader: ScriptReader, { at, code, expected, read, hint = null }: ScriptFault): void {
  if (reader.errors.length >= maxErrors) return
  const { line, col } = reader.lines.linePos(at)
  const readText = read ?? reader.text.slice(at).split('\n', 1)[0]!.trim()
  reader.errors.push({ code, line, column: col, read: readText.slice(0, 120) || 'nothing', expected, hint })
}

const getStart = (node: unknown): number => (node as Node | null)?.range?.[0] ?? 0

const yamlQuotingHint =
  'In YAML, “: ” and “ #” have a meaning of their own: put the whole action in single quotes, and write a single quote inside it twice.'

function readText(reader: ScriptReader, node: unknown, expected: string, startOffset = getStart(node)): string | null {
  if (isScalar(node) && typeof node.value === 'string') {
    if (node.value.trim() !== '') return node.value
    addFault(reader, { at: startOffset, code: 'empty', expected })
    return null
  }
  if (isScalar(node) && typeof node.value === 'number') return String(node.value)
  addFault(reader, { at: startOffset, code: 'wrong-type', expected })
  return null
}

type MapFields = Record<string, { node: unknown; at: number }>

/** Reads the fields of a map. Unknown fields, and missing required ones, are faults. */
function readFields(
  reader: ScriptReader,
  map: YAMLMap,
  allowedNames: readonly string[],
  requiredNames: readonly string[],
): MapFields {
  const mapFields: MapFields = {}
  for (const { key, value } of map.items) {
    const fieldName = isScalar(key) ? String(key.value) : ''
    const keyOffset = getStart(key)
    if (mapFields[fieldName]) addFault(reader, { at: keyOffset, code: 'syntax', read: fieldName, expected: 'each field once' })
    else if (allowedNames.includes(fieldName)) mapFields[fieldName] = { node: value, at: value ? getStart(value) : keyOffset }
    else
      addFault(reader, {
        at: keyOffset,
        code: 'unknown-field',
        read: fieldName,
        expected: `one of: ${allowedNames.join(', ')}`,
      })
  }
  for (const requiredName of requiredNames)
    if (!mapFields[requiredName])
      addFault(reader, { at: getStart(map), code: 'missing-field', expected: `the field ${requiredName}` })
  return mapFields
}

function readItems(reader: ScriptReader, field: MapFields[string] | undefined, expected: string, minItems: number): unknown[] {
  if (!field) return []
  if (!isSeq(field.node)) {
    addFault(reader, { at: field.at, code: 'wrong-type', expected })
    return []
  }
  if (field.node.items.length < minItems) addFault(reader, { at: field.at, code: 'empty', expected })
  return field.node.items
}

function readStep(reader: ScriptReader, item: unknown, number: number): ScriptStep | null {
  const itemOffset = getStart(item)
  if (isMap(item)) {
    addFault(reader, { at: itemOffset, code: 'bad-action', expected: 'an action as text', hint: yamlQuotingHint })
    return null
  }
  const stepText = readText(reader, item, 'an action as text')
  if (stepText === null) return null
  const parsedAction = parseAction(stepText)
  const { line } = reader.lines.linePos(itemOffset)
  if (parsedAction.ok) return { number, line, text: stepText, action: parsedAction.action }
  const isQuoted = isScalar(item) && item.type !== 'PLAIN'
  const hasComment = !isQuoted && / #/.test(reader.text.slice(itemOffset).split('\n', 1)[0]!)
  addFault(reader, {
    at: itemOffset + (isQuoted ? parsedAction.at + 1 : parsedAction.at),
    code: parsedAction.code,
    read: parsedAction.read,
    expected: parsedAction.expected,
    hint: hasComment ? yamlQuotingHint : null,
  })
  return null
}

function readSteps(reader: ScriptReader, field: MapFields[string] | undefined): ScriptStep[] {
  const scriptSteps: ScriptStep[] = []
  let actionsInState = 0
  for (const [index, item] of readItems(reader, field, 'a list of actions', 0).entries()) {
    const scriptStep = readStep(reader, item, index + 1)
    if (scriptStep) scriptSteps.push(scriptStep)
    actionsInState = scriptStep?.action.do === 'analyze' ? 0 : actionsInState + 1
    if (actionsInState !== defaultLimits.scriptActions + 1) continue
    const limitText = `at most ${defaultLimits.scriptActions} actions before an analyze`
    addFault(reader, { at: getStart(item), code: 'too-many', expected: limitText })
  }
  return scriptSteps
}

function readPage(reader: ScriptReader, item: unknown): ScriptPage | null {
  if (!isMap(item)) {
    addFault(reader, { at: getStart(item), code: 'wrong-type', expected: 'a page with name and url' })
    return null
  }
  const pageFields = readFields(reader, item, ['name', 'url', 'actions'], ['name', 'url'])
  const pageName = pageFields.name ? readText(reader, pageFields.name.node, 'a name', pageFields.name.at) : null
  const expectedUrl = 'a URL that begins with http:// or https://'
  const pageUrl = pageFields.url ? readText(reader, pageFields.url.node, expectedUrl, pageFields.url.at) : null
  // A URL may start with a variable; only literal URLs are checked.
  if (pageUrl !== null && !/^<[A-Za-z_]\w*>/.test(pageUrl) && !isHttpUrl(pageUrl))
    addFault(reader, { at: pageFields.url!.at, code: 'bad-url', read: pageUrl, expected: expectedUrl })
  const pageSteps = readSteps(reader, pageFields.actions)
  const { line } = reader.lines.linePos(getStart(item))
  return pageName === null || pageUrl === null ? null : { name: pageName, url: pageUrl, line, steps: pageSteps }
}

const isHttpUrl = (text: string): boolean => {
  const parsedUrl = URL.parse(text.trim().replaceAll(/<[A-Za-z_]\w*>/g, 'x'))
  return parsedUrl !== null && (parsedUrl.protocol === 'http:' || parsedUrl.protocol === 'https:')
}

/** Aliases would let a small file expand to a huge one, and nest endlessly. */
function rejectAliases(reader: ScriptReader, node: unknown): void {
  if (isAlias(node)) addFault(reader, { at: getStart(node), code: 'syntax', expected: 'a value instead of an alias' })
  else if (isMap(node)) for (const { value } of node.items) rejectAliases(reader, value)
  else if (isSeq(node)) for (const item of node.items) rejectAliases(reader, item)
}

const maxBracketDepth = 100
const maxIndent = 200
const maxIndicators = 50

/** Returns true for nesting that no script needs; bracket parsers are recursive. Checks each character once. */
function isTooDeep(text: string): boolean {
  let bracketDepth = 0
  let indentWidth = 0
  let indicatorCount = 0
  let isInIndent = true
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!
    if (character === '[' || character === '{') bracketDepth += 1
    else if (character === ']' || character === '}') bracketDepth = Math.max(0, bracketDepth - 1)
    if (bracketDepth > maxBracketDepth) return true
    if (character === '\n') [indentWidth, indicatorCount, isInIndent] = [0, 0, true]
    else if (!isInIndent) continue
    else if (character === ' ') indentWidth += 1
    else if ('-?:'.includes(character) && text[i + 1] === ' ') indicatorCount += 1
    else if (!/\s/.test(character)) isInIndent = false
    if (indicatorCount >= maxIndicators || (!isInIndent && indentWidth >= maxIndent)) return true
  }
  return false
}

const expectedByCode: ReadonlyMap<string, string> = new Map(
  Object.entries({
    BAD_INDENT: 'a line that is indented like its neighbours',
    MISSING_CHAR: 'a comma, a closing bracket or a closing quote',
    TAB_AS_INDENT: 'spaces, not a tab, at the start of the line',
    MULTIPLE_DOCS: 'one document',
    UNEXPECTED_TOKEN: 'a value',
    BAD_ALIAS: 'a value instead of an alias',
    BLOCK_AS_IMPLICIT_KEY: 'one field a line',
    BLOCK_IN_FLOW: 'JSON inside brackets, not YAML',
    MULTILINE_IMPLICIT_KEY: 'a field name on one line',
  }),
)

/** A text with a hundred thousand faults creates as many errors. Their unused stacks would take most of the time. */
function runWithoutStacks<T>(runParser: () => T): T {
  const errorClass = Error as { stackTraceLimit?: number }
  const previousLimit = errorClass.stackTraceLimit
  try {
    errorClass.stackTraceLimit = 0
    return runParser()
  } finally {
    if (previousLimit === undefined) delete errorClass.stackTraceLimit
    else errorClass.stackTraceLimit = previousLimit
  }
}

function parseYamlDocument(reader: ScriptReader, format: ScriptFormat): YAMLMap | null {
  const { text, lines } = reader
  // JSON strings contain no tabs, so each tab may be replaced by a space, which preserves the columns.
  const sourceText = format === 'json' ? text.replaceAll('\t', ' ') : text
  // The parser's own check for duplicate keys is quadratic: `readFields` checks the relevant ones.
  const yamlDocument = runWithoutStacks(() =>
    parseDocument(sourceText, { lineCounter: lines, uniqueKeys: false, prettyErrors: false }),
  )
  // A missing bracket also makes JSON appear wrongly indented; one error is sufficient.
  const reportedErrors = yamlDocument.errors.filter(({ code }) => format === 'yaml' || code !== 'BAD_INDENT')
  for (const { code, pos: errorRange } of reportedErrors.length > 0 ? reportedErrors : yamlDocument.errors)
    addFault(reader, {
      at: Math.min(errorRange[0], Math.max(0, text.length - 1)),
      code: 'syntax',
      expected: expectedByCode.get(code) ?? (format === 'json' ? 'JSON' : 'YAML'),
      hint: format === 'yaml' ? yamlQuotingHint : null,
    })
  if (reader.errors.length > 0) return null
  rejectAliases(reader, yamlDocument.contents)
  if (isMap(yamlDocument.contents) && (format === 'yaml' || yamlDocument.contents.flow)) return yamlDocument.contents
  addFault(reader, { at: 0, code: 'wrong-type', expected: 'an object with the field projects' })
  return null
}

const listVariables = (text: string): string[] => [
  ...new Set([...text.matchAll(/<([A-Z_][A-Z0-9_]*)>/g)].map(([, name]) => name!)),
]

function parseProject(reader: ScriptReader, rootMap: YAMLMap): Script | null {
  const projectItems = readItems(
    reader,
    readFields(reader, rootMap, ['projects'], ['projects']).projects,
    'a list with one project',
    1,
  )
  if (projectItems.length > 1)
    addFault(reader, { at: getStart(projectItems[1]), code: 'one-project', expected: 'exactly one project' })
  const projectNode = projectItems[0]
  if (!isMap(projectNode)) {
    if (projectNode !== undefined) addFault(reader, { at: getStart(projectNode), code: 'wrong-type', expected: 'a project' })
    return null
  }
  const projectFields = ['name', 'id', 'metadata', 'globalActions', 'pageList']
  const parsedFields = readFields(reader, projectNode, projectFields, ['name', 'id', 'pageList'])
  const projectName = parsedFields.name ? readText(reader, parsedFields.name.node, 'a name', parsedFields.name.at) : null
  const projectId = parsedFields.id ? readText(reader, parsedFields.id.node, 'an id', parsedFields.id.at) : null
  const globalSteps = readSteps(reader, parsedFields.globalActions)
  const pageItems = readItems(reader, parsedFields.pageList, 'a list of pages', 1)
  if (pageItems.length > maxPages)
    addFault(reader, {
      at: getStart(pageItems[maxPages]),
      code: 'too-many',
      expected: `at most ${maxPages} pages`,
    })
  const projectPages = pageItems.slice(0, maxPages).map((item) => readPage(reader, item))
  if (projectName === null || projectId === null) return null
  return {
    name: projectName,
    id: projectId,
    globalSteps,
    pages: projectPages.filter((page) => page !== null),
    variables: listVariables(reader.text),
  }
}

/** A page without steps is analyzed as loaded. */
function checkAnalyzes(reader: ScriptReader, script: Script, allowed: ScriptType): void {
  const allSteps = [...script.globalSteps, ...script.pages.flatMap((page) => page.steps)]
  const analyzeStep = allSteps.find(({ action }) => action.do === 'analyze')
  const hasImplicitAnalyze = script.pages.some((page) => page.steps.length + script.globalSteps.length === 0)
  if (allowed === 'TASK' && !analyzeStep && !hasImplicitAnalyze)
    addFault(reader, { at: 0, code: 'no-analyze', read: 'no analyze', expected: 'at least one analyze action' })
  if (allowed !== 'SESSION' || !analyzeStep) return
  const lineStart = reader.lines.lineStarts[analyzeStep.line - 1] ?? 0
  const noAnalyzeText = 'no analyze in a script that signs in'
  addFault(reader, { at: lineStart, code: 'analyze-in-session', read: analyzeStep.text, expected: noAnalyzeText })
}

/** JSON starts with a brace; other text is YAML. */
const detectFormat = (text: string): ScriptFormat => (/^\s*\{/.test(text) ? 'json' : 'yaml')

/** Parses a script as JSON or YAML (detected unless `format` is given). Returns it, or at most twenty faults. Never throws. */
export function parseScript(text: string, allowed: ScriptType, format = detectFormat(text)): ParsedScript {
  const scriptReader: ScriptReader = { text, lines: new LineCounter(), errors: [] }
  scriptReader.lines.addNewLine(0)
  const failEarly = (code: 'too-long' | 'too-deep', expected: string): ParsedScript => {
    addFault(scriptReader, { at: 0, code, read: `${text.length} characters`, expected })
    return { ok: false, errors: scriptReader.errors }
  }
  if (text.length > defaultLimits.scriptLength) return failEarly('too-long', `at most ${defaultLimits.scriptLength} characters`)
  if (isTooDeep(text)) return failEarly('too-deep', 'less nesting')
  scriptReader.lines.lineStarts.length = 0
  const rootMap = parseYamlDocument(scriptReader, format)
  const parsedScript = rootMap && parseProject(scriptReader, rootMap)
  if (parsedScript) checkAnalyzes(scriptReader, parsedScript, allowed)
  return parsedScript && scriptReader.errors.length === 0
    ? { ok: true, script: parsedScript }
    : {
        ok: false,
        errors: scriptReader.errors.sort(
          (firstError, secondError) => firstError.line - secondError.line || firstError.column - secondError.column,
        ),
      }
}
