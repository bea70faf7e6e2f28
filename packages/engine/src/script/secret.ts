import type { EnvironmentVariable, ScriptAction } from '@clearway/contract/monitor/script/schema.ts'

/** The values of a script's variables: put in where they are named, and taken out of whatever leaves the engine. */
export type Secrets = {
  /** None where nothing is secret. */
  values: readonly string[]
  /** Fills every text of an action. */
  fill<T extends ScriptAction | string>(what: T): T
  /** Fills a URL: a value at its start is put in as it is, one behind it as a part of a URL is written. */
  fillUrl(url: string): string
  /** Puts the names back where values occur. */
  redact(text: string): string
  /** Names that a script uses and nobody has given a value. */
  missing(names: readonly string[]): string[]
}

/** Values shorter than this occur in any text by chance. */
const shortest = 4

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapTexts(item, change)]))
}

/** A value as it may occur in HTML, JSON and URLs, too. */
const spellings = (value: string): string[] => [
  ...new Set([
    value,
    value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    JSON.stringify(value).slice(1, -1),
    // As a URL is written that the value was put into as it is, and as a form sends it.
    encodeURI(value.toWellFormed()),
    encodeURIComponent(value.toWellFormed()),
    encodeURIComponent(value.toWellFormed()).replaceAll('%20', '+'),
  ]),
]

export function openSecrets(variables: readonly EnvironmentVariable[]): Secrets {
  const values = new Map(variables.map(({ name, value }) => [name, value]))
  const marks = variables
    .filter(({ value }) => value.length >= shortest)
    .flatMap(({ name, value }) => spellings(value).map((text) => ({ text, mark: `<${name}>` })))
    .sort((a, b) => b.text.length - a.text.length)
  const names = /<([A-Za-z_][A-Za-z0-9_]*)>/g
  const fillText = (text: string) =>
    text.replaceAll(names, (whole, name: string) => values.get(name) ?? whole)
  return {
    values: [...values.values()],
    fill: (what) => mapTexts(what, fillText) as typeof what,
    fillUrl: (url) =>
      url.replaceAll(names, (whole, name: string, at: number) => {
        const value = values.get(name) ?? whole
        return at === 0 ? value : encodeURIComponent(value.toWellFormed())
      }),
    redact: (text) => marks.reduce((left, { text: value, mark }) => left.replaceAll(value, mark), text),
    missing: (names) => names.filter((name) => !values.has(name)),
  }
}

/** Shorter values of headers are mostly words of the protocol, `https` or `no-cache`, which are no secrets. */
const shortestHeader = 10

/** The values of headers that a scan sends, for what a page says again of them: each whole, and without its scheme. */
export const headerSecrets = (headers: readonly EnvironmentVariable[]): Secrets =>
  openSecrets(
    headers
      .flatMap(({ name, value }) =>
        [value.trim(), value.trim().replace(/^\S+\s+/, '')].map((part) => ({ name, value: part })),
      )
      .filter(({ value }) => value.length >= shortestHeader),
  )

/** Puts names back into every text of a value. */
export function redactAll<T>(secrets: Secrets, value: T): T {
  const walk = (item: unknown): unknown => {
    if (item instanceof Uint8Array) return item
    if (typeof item === 'string') return secrets.redact(item)
    if (Array.isArray(item)) return item.map(walk)
    if (typeof item !== 'object' || item === null) return item
    return Object.fromEntries(Object.entries(item).map(([name, inner]) => [name, walk(inner)]))
  }
  return walk(value) as T
}
