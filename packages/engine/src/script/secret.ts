import { listTypedSecrets } from '@clearway/contract/monitor/script/secret/model.ts'
import type { EnvironmentVariable, Script, ScriptAction } from '@clearway/contract/monitor/script/schema.ts'
import { openCodeGenerator, type CodeGenerator } from '../session/one-time-code.ts'

/** Values of a script's variables: inserted where they are named, and redacted from everything that leaves the engine. */
export type Secrets = {
  /** Empty if nothing is secret. */
  values: readonly string[]
  /** Fills all texts of an action. The variable TOTP, a secret of one-time codes, becomes a code that was not typed before. */
  fill<T extends ScriptAction | string>(template: T): Promise<T>
  /** Fills a URL: a value at the start is inserted verbatim, later values are percent-encoded. */
  fillUrl(url: string): string
  /** Replaces values by their variable names. */
  redact(text: string): string
  /** Names used by a script that have no value. */
  missing(names: readonly string[]): string[]
  /** Returns why a value cannot be used; null if all can. */
  findFault(names: readonly string[]): string | null
}

/** Variable with the secret of an authenticator app; scripts type its current code. */
export const codeVariable = 'TOTP'

/** Shorter values occur in any text by chance. */
const minSecretLength = 4

/** Replaces all strings of a value recursively; bytes stay as they are. */
function mapStrings(value: unknown, transform: (text: string) => string): unknown {
  if (value instanceof Uint8Array) return value
  if (typeof value === 'string') return transform(value)
  if (Array.isArray(value)) return value.map((element) => mapStrings(element, transform))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, fieldValue]) => [name, mapStrings(fieldValue, transform)]))
}

/** Lists the forms in which a value may occur in HTML, JSON and URLs. */
const listSpellings = (value: string): string[] => [
  ...new Set([
    value,
    value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    JSON.stringify(value).slice(1, -1),
    // As serialized in a URL that contains the raw value, and as a form submits it.
    encodeURI(value.toWellFormed()),
    encodeURIComponent(value.toWellFormed()),
    encodeURIComponent(value.toWellFormed()).replaceAll('%20', '+'),
  ]),
]

/** Codes of variables: a run that signs in again within one period must not type the same code. */
const generatorsByVariable = new WeakMap<EnvironmentVariable, CodeGenerator>()

function getCodeGenerator(variable: EnvironmentVariable): CodeGenerator | null {
  const generator = generatorsByVariable.get(variable) ?? openCodeGenerator(variable.value)
  if (generator) generatorsByVariable.set(variable, generator)
  return generator
}

/** Replaces the forms in which values may occur by the names of their variables. */
function openRedaction(variables: readonly EnvironmentVariable[]): (text: string) => string {
  const valueMarks = variables
    .filter(({ value }) => value.length >= minSecretLength)
    .flatMap(({ name, value }) => listSpellings(value).map((text) => ({ text, mark: `<${name}>` })))
    .sort((first, second) => second.text.length - first.text.length)
  return (text) => valueMarks.reduce((remainingText, { text: value, mark }) => remainingText.replaceAll(value, mark), text)
}

/** @param typedTexts further secrets without a variable: passwords that are texts of an older script */
export function openSecrets(variables: readonly EnvironmentVariable[], typedTexts: readonly string[] = []): Secrets {
  const valuesByName = new Map(variables.map(({ name, value }) => [name, value]))
  const redactValues = openRedaction([...variables, ...typedTexts.map((value) => ({ name: 'SECRET', value }))])
  const codeSecret = variables.find(({ name }) => name === codeVariable)
  const codes = codeSecret ? getCodeGenerator(codeSecret) : null
  const listCodes = (): readonly string[] => codes?.listIssued() ?? []
  const variablePattern = /<([A-Za-z_][A-Za-z0-9_]*)>/g
  const getValue = (name: string): string | undefined => (name === codeVariable ? undefined : valuesByName.get(name))
  return {
    get values() {
      return [...valuesByName.values(), ...typedTexts, ...listCodes()]
    },
    async fill(template) {
      const code = codes && JSON.stringify(template).includes(`<${codeVariable}>`) ? await codes.next() : undefined
      const fillVariables = (text: string) =>
        text.replaceAll(variablePattern, (placeholder, name: string) =>
          name === codeVariable ? (code ?? placeholder) : (getValue(name) ?? placeholder),
        )
      return mapStrings(template, fillVariables) as typeof template
    },
    fillUrl: (url) =>
      url.replaceAll(variablePattern, (placeholder, name: string, position: number) => {
        const variableValue = getValue(name) ?? placeholder
        return position === 0 ? variableValue : encodeURIComponent(variableValue.toWellFormed())
      }),
    redact: (text) => openRedaction(listCodes().map((value) => ({ name: codeVariable, value })))(redactValues(text)),
    missing: (variableNames) => variableNames.filter((name) => !valuesByName.has(name)),
    findFault: (variableNames) =>
      variableNames.includes(codeVariable) && codeSecret !== undefined && !codes
        ? `The value of <${codeVariable}> is no secret of one-time codes: Base32, or an address that begins with otpauth://totp/`
        : null,
  }
}

/** Secrets of a script: the values of its variables, and passwords that it types as texts. */
export const openScriptSecrets = (script: Script, variables: readonly EnvironmentVariable[]): Secrets =>
  openSecrets(
    variables,
    listTypedSecrets(script).map(({ value }) => value),
  )

/** Shorter header values are mostly protocol words such as `https` or `no-cache`, which are not secret. */
const minHeaderLength = 10

/** Headers that hold no secret: their values, such as languages, are also words of pages. */
const publicHeader = /^(?:accept(?:-.*)?|cache-control|dnt|pragma|priority|save-data|user-agent|viewport-width|via)$/i

/** Redacts a scan's header values where a page repeats them: whole, and without their scheme. */
export const openHeaderSecrets = (headers: readonly EnvironmentVariable[]): Secrets =>
  openSecrets(
    headers
      .filter(({ name }) => !publicHeader.test(name))
      .flatMap(({ name, value }) =>
        [value.trim(), value.trim().replace(/^\S+\s+/, '')].map((headerPart) => ({ name, value: headerPart })),
      )
      .filter(({ value }) => value.length >= minHeaderLength),
  )

/** Redacts all strings of a value recursively. */
export const redactDeep = <T>(secrets: Secrets, value: T): T => mapStrings(value, (text) => secrets.redact(text)) as T
