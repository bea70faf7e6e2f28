import type { FieldError } from '@clearway/contract/kit/problem.ts'
import { openDomains, readDomain } from '@clearway/contract/monitor/scan/model.ts'
import type { HeaderSetting } from '@clearway/contract/monitor/scan/crawl/schema.ts'
import type { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import { parseScript } from '@clearway/contract/monitor/script/model.ts'
import type { ScriptType } from '@clearway/contract/monitor/script/schema.ts'
import type { SessionConnection } from '@clearway/contract/monitor/session/schema.ts'

/** A field of settings with a secret: its name in the store, its path, what was sent (null keeps the stored one). */
export type SecretField = { name: string; path: string; value: string | null }

type Variable = { name: string; value: string | null }
const variablePrefix = 'variable '

export const variableSecrets = (path: string, variables: readonly Variable[]): SecretField[] =>
  variables.map(({ name, value }, index) => ({
    name: variablePrefix + name,
    path: `${path}.${index}.value`,
    value,
  }))

const headerPrefix = 'header '

/** The same header may be sent twice, so each has a number as well. */
function headerNames(headers: readonly HeaderSetting[]): string[] {
  const met = new Map<string, number>()
  return headers.map(({ name }) => {
    const key = name.toLowerCase()
    const number = (met.get(key) ?? 0) + 1
    met.set(key, number)
    return `${headerPrefix}${number} ${key}`
  })
}

export function headerSecrets(path: string, headers: readonly HeaderSetting[]): SecretField[] {
  const names = headerNames(headers)
  return headers.map(({ value }, index) => ({
    name: names[index]!,
    path: `${path}.${index}.value`,
    value,
  }))
}

export const isHeaderSecret = (name: string): boolean => name.startsWith(headerPrefix)

/** Headers with their values replaced. */
export function headersWith<H extends HeaderSetting>(
  headers: readonly H[],
  secret: (name: string) => string | null,
): H[] {
  const names = headerNames(headers)
  return headers.map((header, index) => ({ ...header, value: secret(names[index]!) }))
}

/** The secrets of one connection. Those of another kind of sign-in have other names, so that none is taken for another. */
export function connectionSecrets(path: string, connection: SessionConnection | null): SecretField[] {
  if (!connection) return []
  if (connection.authType === 'client_cer')
    return (['keystore', 'keystorePassword'] as const).map((key) => ({
      name: key,
      path: `${path}.${key}`,
      value: connection[key],
    }))
  return [{ name: `password ${connection.authType}`, path: `${path}.password`, value: connection.password }]
}

/** Every secret in the settings of a scan. */
export const scanSecrets = (settings: ScanSettings): SecretField[] => [
  ...connectionSecrets('session.connection', settings.session.connection),
  ...variableSecrets('scripts.variables', settings.scripts.variables),
  ...headerSecrets('advanced.extraHeaders', settings.advanced.extraHeaders),
]

/** Whether a stored secret may be used again, by its name. */
export type MayKeep = (name: string) => boolean

/** Those that are neither sent, nor stored for where they would go now. */
export const missingSecrets = (
  fields: readonly SecretField[],
  stored: ReadonlySet<string>,
  mayKeep: MayKeep = () => true,
): FieldError[] =>
  fields
    .filter(({ name, value }) => value === null && !(stored.has(name) && mayKeep(name)))
    .map(({ name, path }) => ({
      path,
      code: 'required',
      params: stored.has(name) ? { reason: 'used-elsewhere' } : {},
    }))

type Reach = Pick<ScanSettings, 'urls' | 'domains' | 'sources'>
const webUrls = ({ urls, sources }: Reach): URL[] =>
  [...urls, ...sources.urls].map((url) => URL.parse(url)).filter((url) => url !== null)

/** Whether settings send what signs in nowhere but where others sent it: no other host, port or scheme. */
function staysWithin(now: Reach, before: Reach): boolean {
  const beforeUrls = webUrls(before)
  const origins = new Set(beforeUrls.map(({ origin }) => origin))
  const schemes = new Set(beforeUrls.map(({ protocol }) => protocol))
  const domains = before.domains.length > 0 ? before.domains : beforeUrls.map(({ host }) => host)
  const lines = new Set(domains.map((line) => line.toLowerCase()))
  const known = openDomains(domains)
  const domainStays = (line: string): boolean => {
    if (lines.has(line.toLowerCase())) return true
    const domain = readDomain(line)
    if (!domain || domain.below) return false
    const port = domain.port === '' ? '' : `:${domain.port}`
    return [...schemes].every((scheme) => known(new URL(`${scheme}//${domain.host}${port}`)))
  }
  return (
    webUrls(now).every((url) => origins.has(url.origin) || (schemes.has(url.protocol) && known(url))) &&
    now.domains.every(domainStays)
  )
}

type Scripts = { own: readonly { text: string; type: ScriptType }[]; variables: readonly Variable[] }

/** Where a script goes. A variable that decides it decides where what follows is typed. */
const urlsIn = ({ text, type }: Scripts['own'][number]): string[] => {
  const read = parseScript(text, type)
  return read.ok ? read.script.pages.map(({ url }) => url) : []
}

/** Whether variables would be typed by nothing but the scripts that they were saved with, in the same places. */
export function scriptsStay(now: Scripts, before: Pick<Scripts, 'own'>): boolean {
  if (!now.own.every(({ text }) => before.own.some((script) => script.text === text))) return false
  const sent = now.variables.filter(({ value }) => value !== null)
  if (sent.length === 0) return true
  // Each script is read once, however many variables there are.
  const urls = now.own.flatMap(urlsIn)
  return !sent.some(({ name }) => urls.some((url) => url.includes(`<${name}>`)))
}

/**
 * Which stored secrets of a scan go on being used by other settings of it. One that signs in is bound to where it was
 * saved for, a variable to the text of the scripts; what is sent elsewhere has to be entered anew, by somebody who knows it.
 */
export function mayKeepOf(now: ScanSettings, before: ScanSettings): MayKeep {
  const reach = staysWithin(now, before)
  const scripts = scriptsStay(now.scripts, before.scripts)
  return (name) => (name.startsWith(variablePrefix) ? scripts : reach)
}

/** Variables whose name is used twice. */
export const variableErrors = (path: string, variables: readonly Variable[]): FieldError[] =>
  variables.flatMap(({ name }, index): FieldError[] =>
    variables.findIndex((other) => other.name === name) < index
      ? [{ path: `${path}.${index}.name`, code: 'duplicate', params: { value: name } }]
      : [],
  )

function connectionWith(
  connection: SessionConnection,
  secret: (name: string) => string | null,
): SessionConnection {
  if (connection.authType === 'client_cer')
    return { ...connection, keystore: secret('keystore'), keystorePassword: secret('keystorePassword') }
  return { ...connection, password: secret(`password ${connection.authType}`) }
}

/** The settings with every secret replaced: by nothing before they are stored, by its value before a run. */
export function withSecrets(settings: ScanSettings, secret: (name: string) => string | null): ScanSettings {
  const { session, scripts, advanced } = settings
  return {
    ...settings,
    advanced: { ...advanced, extraHeaders: headersWith(advanced.extraHeaders, secret) },
    session: { ...session, connection: session.connection && connectionWith(session.connection, secret) },
    scripts: {
      ...scripts,
      variables: scripts.variables.map(({ name }) => ({ name, value: secret(`variable ${name}`) })),
    },
  }
}
