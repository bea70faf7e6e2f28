import { parseAction } from '@clearway/contract/monitor/script/action/model.ts'
import { parseScript } from '@clearway/contract/monitor/script/model.ts'
import { findSecretName } from '@clearway/contract/monitor/script/secret/model.ts'
import * as z from 'zod/mini'
import type { ImportedConfig } from './imported-config.ts'

/** Maximum number of URLs of an imported configuration. */
export const maxUrls = 100_000
const Settings = z.record(z.string(), z.unknown())
const Page = z.looseObject({ url: z.string() })
const Pa11yConfig = z.object({
  defaults: z._default(z.optional(Settings), {}),
  urls: z.array(z.union([z.string(), Page])).check(z.maxLength(maxUrls)),
})

const standards: ReadonlyMap<unknown, string> = new Map([
  ['WCAG2A', 'wcag21a'],
  ['WCAG2AA', 'wcag21aa'],
  ['WCAG2AAA', 'wcag21aaa'],
])

/** Options and scan settings of a setting of pa11y. */
type Counterpart = { options?: Record<string, unknown>; advanced?: Record<string, unknown> }
const Headers = z.record(z.string(), z.string())
const Size = z.int().check(z.minimum(200), z.maximum(4320))
const Viewport = z.object({ width: Size, height: Size })
const clamp = (value: number, minValue: number, maxValue: number) => Math.min(maxValue, Math.max(minValue, value))

/** Counterparts of the settings of pa11y; null if a value has none. */
const counterparts = new Map<string, (value: unknown) => Counterpart | null>([
  [
    'timeout',
    (value) => (typeof value === 'number' ? { options: { 'page-timeout': clamp(Math.ceil(value / 1000), 1, 300) } } : null),
  ],
  ['concurrency', (value) => (typeof value === 'number' ? { options: { concurrency: clamp(Math.round(value), 1, 64) } } : null)],
  ['userAgent', (value) => (typeof value === 'string' && value.trim() !== '' ? { options: { 'user-agent': value } } : null)],
  ['standard', (value) => (standards.has(value) ? { options: { standard: standards.get(value) } } : null)],
  ['wait', (value) => (typeof value === 'number' ? { advanced: { preScanWaitMs: clamp(Math.round(value), 0, 60_000) } } : null)],
  [
    'headers',
    (value) => {
      const headers = z.safeParse(Headers, value)
      return headers.success
        ? { options: { header: Object.entries(headers.data).map(([name, text]) => `${name}: ${text}`) } }
        : null
    },
  ],
  [
    'viewport',
    (value) => {
      const viewport = z.safeParse(Viewport, value)
      return viewport.success ? { advanced: { windowWidth: viewport.data.width, windowHeight: viewport.data.height } } : null
    },
  ],
])

/** Explanations for settings without a counterpart. */
const explanations: ReadonlyMap<string, string> = new Map([
  ['ignore', 'write the known issues to a baseline instead: clearway baseline'],
  ['threshold', 'clearway gate fails on new issues only, with a baseline of the known ones'],
  ['hideElements', 'write the known issues to a baseline instead: clearway baseline'],
  ['runners', 'pages are tested by axe-core'],
  ['reporters', 'use --output with a name such as report.html or report.xml'],
  ['chromeLaunchConfig', 'the environment variable CLEARWAY_BROWSER names the browser'],
])
const describeMissing = (place: string, name: string): string => {
  const explanation = explanations.get(name)
  return explanation === undefined ? `${place}.${name}` : `${place}.${name}: ${explanation}`
}

const quote = (text: string): string => `"${text.replaceAll('"', String.raw`\"`)}"`
/** A script has no form for a backslash before a quote. */
const hasNoQuotedForm = (text: string): boolean => /\\(?:"|$)/.test(text)
const tokenWords = /token|api[_-]?key/i
/** Collects variables for secrets that a configuration contains as text. */
type Variables = Map<string, string>
function replaceSecret(selector: string, value: string, variables: Variables): string {
  const secretName = findSecretName([selector]) ?? (tokenWords.test(selector) ? 'TOKEN' : null)
  if (secretName === null) return value
  const known = [...variables].find(([, secret]) => secret === value)
  const name = known?.[0] ?? (variables.size === 0 ? secretName : `${secretName}_${variables.size + 1}`)
  variables.set(name, value)
  return `<${name}>`
}

const selectorPattern = String.raw`(?<selector>.+?)`
/** Actions of pa11y and the sentences of a script. */
const actionForms: readonly [form: RegExp, toSentence: (parts: Record<string, string>) => string][] = [
  [new RegExp(`^click(?: element)? ${selectorPattern}$`, 'i'), ({ selector }) => `click element ${quote(selector!)}`],
  [
    new RegExp(`^set(?: field)? ${selectorPattern} to (?<value>.+)$`, 'i'),
    ({ selector, value }) => `type ${quote(value!)} into element ${quote(selector!)}`,
  ],
  [new RegExp(`^check(?: field)? ${selectorPattern}$`, 'i'), ({ selector }) => `click element ${quote(selector!)}`],
  [
    new RegExp(`^wait for element ${selectorPattern} to be (?:added|visible)$`, 'i'),
    ({ selector }) => `wait for element ${quote(selector!)} to be found`,
  ],
]

/** Actions that neither change nor test the page. */
const pictureForm = /^(?:screen[ -]?capture|capture(?:[ -]?screen)?)(?: to)? .+$/i
const isPictureAction = (action: unknown): boolean => typeof action === 'string' && pictureForm.test(action.trim())

/** Text of an action for a message, without the value that it types. */
const describeAction = (action: unknown): string => String(action).replace(/^(\s*set .+? to ).+$/is, '$1…')

/** Returns the sentence of an action; null if it has no counterpart. */
function toSentence(action: unknown, variables: Variables): string | null {
  if (typeof action !== 'string') return null
  for (const [form, build] of actionForms) {
    const groups = form.exec(action.trim())?.groups
    // A name in angle brackets would be read as a variable.
    if (!groups || /<\w+>/.test(action)) continue
    const { selector = '', value } = groups
    const parts = { selector, ...(value !== undefined && { value: replaceSecret(selector, value, variables) }) }
    if (Object.values(parts).some(hasNoQuotedForm)) return null
    const sentence = build(parts)
    return parseAction(sentence).ok ? sentence : null
  }
  return null
}

type ScriptPage = { name: string; url: string; actions: string[] }
/** The actions of a page as a script, without pictures, or the first of them that has no counterpart. */
function importActions(url: string, actions: unknown, variables: Variables): ScriptPage | { action: string } {
  if (!Array.isArray(actions)) return { action: 'not a list' }
  const sentences: string[] = []
  const pageVariables: Variables = new Map(variables)
  for (const action of actions) {
    if (isPictureAction(action)) continue
    const sentence = toSentence(action, pageVariables)
    if (sentence === null) return { action: describeAction(action) }
    sentences.push(sentence)
  }
  for (const [name, value] of pageVariables) variables.set(name, value)
  return { name: url, url, actions: [...sentences, 'analyze'] }
}

function importScripts(pages: readonly { url: string; actions?: unknown }[]) {
  const variables: Variables = new Map()
  const missing: string[] = []
  const scriptPages = pages.flatMap(({ url, actions }) => {
    if (actions === undefined) return []
    const imported = importActions(url, actions, variables)
    const pictures = Array.isArray(actions) ? actions.filter(isPictureAction) : []
    if (!('action' in imported)) {
      if (pictures.length > 0)
        missing.push(`actions of ${url}: “${String(pictures[0])}” is left out: reports have their own pictures`)
      return imported.actions.length > 1 ? [imported] : []
    }
    missing.push(`actions of ${url}: “${imported.action}” has no counterpart, so none of them is taken over`)
    return []
  })
  const text = JSON.stringify({ projects: [{ name: 'pa11y-ci', id: 'pa11y-ci', pageList: scriptPages }] }, null, 2)
  if (scriptPages.length === 0) return { scripts: null, missing }
  const parsed = parseScript(text, 'TASK')
  if (!parsed.ok)
    return { scripts: null, missing: [...missing, `actions: ${parsed.errors[0]?.expected ?? 'they cannot be read as a script'}`] }
  const own = [{ name: 'pa11y-ci', type: 'TASK', text }]
  const names = [...variables.keys()]
  return {
    scripts: { own, ...(names.length > 0 && { variables: names.map((name) => ({ name, value: null })) }) },
    missing: [...missing, ...names.map((name) => `the text of a secret field: set the environment variable ${name}`)],
  }
}

/** Takes over a configuration of pa11y-ci; null for other content. */
export function importPa11y(content: unknown): ImportedConfig | null {
  const parsed = z.safeParse(Pa11yConfig, content)
  if (!parsed.success) return null
  const { defaults, urls } = parsed.data
  const { actions: defaultActions, ...settings } = defaults
  const pages = urls.map((page) => (typeof page === 'string' ? { url: page } : page))
  const imported = Object.entries(settings).map(([name, value]) => ({
    name,
    counterpart: counterparts.get(name)?.(value) ?? null,
  }))
  const { scripts, missing: missingActions } = importScripts(
    pages.map((page) => ({ url: page.url, actions: 'actions' in page ? page.actions : defaultActions })),
  )
  const advanced: Record<string, unknown> = Object.assign({}, ...imported.map(({ counterpart }) => counterpart?.advanced))
  const scanSettings = { ...(scripts && { scripts }), ...(Object.keys(advanced).length > 0 && { advanced }) }
  const pageSettings = new Set(pages.flatMap((page) => Object.keys(page)).filter((name) => name !== 'url' && name !== 'actions'))
  return {
    // pa11y-ci tests the listed URLs only.
    config: {
      urls: pages.map(({ url }) => url),
      depth: 0,
      ...Object.assign({}, ...imported.map(({ counterpart }) => counterpart?.options)),
    },
    ...(Object.keys(scanSettings).length > 0 && { settings: scanSettings }),
    missing: [
      ...imported.filter(({ counterpart }) => counterpart === null).map(({ name }) => describeMissing('defaults', name)),
      ...[...pageSettings].map((name) => describeMissing('urls[]', name)),
      ...missingActions,
    ],
  }
}
