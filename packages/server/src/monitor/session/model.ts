import { hasPermission, type Role } from '@clearway/contract/kit/permission.ts'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import { createDomainMatcher, parseDomain } from '@clearway/contract/monitor/scan/model.ts'
import type { HeaderSetting } from '@clearway/contract/monitor/scan/crawl/schema.ts'
import type { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import { parseScript } from '@clearway/contract/monitor/script/model.ts'
import type { ScriptType } from '@clearway/contract/monitor/script/schema.ts'
import type { SessionConnection, SignInWay } from '@clearway/contract/monitor/session/schema.ts'

/** A secret field of settings: its name in the store, its path, and the value in the request (null keeps the stored one). */
export type SecretField = { name: string; path: string; value: string | null }

type ScriptVariable = { name: string; value: string | null }
const variablePrefix = 'variable '

export const listVariableSecrets = (path: string, variables: readonly ScriptVariable[]): SecretField[] =>
  variables.map(({ name, value }, index) => ({
    name: variablePrefix + name,
    path: `${path}.${index}.value`,
    value,
  }))

const headerPrefix = 'header '

/** Names with a number, because the same header may occur twice. */
function getHeaderSecretNames(headers: readonly HeaderSetting[]): string[] {
  const countsByKey = new Map<string, number>()
  return headers.map(({ name }) => {
    const headerKey = name.toLowerCase()
    const occurrence = (countsByKey.get(headerKey) ?? 0) + 1
    countsByKey.set(headerKey, occurrence)
    return `${headerPrefix}${occurrence} ${headerKey}`
  })
}

export function listHeaderSecrets(path: string, headers: readonly HeaderSetting[]): SecretField[] {
  const secretNames = getHeaderSecretNames(headers)
  return headers.map(({ value }, index) => ({
    name: secretNames[index]!,
    path: `${path}.${index}.value`,
    value,
  }))
}

export const isHeaderSecret = (name: string): boolean => name.startsWith(headerPrefix)

export function replaceHeaderValues<HeaderType extends HeaderSetting>(
  headers: readonly HeaderType[],
  getSecret: (name: string) => string | null,
): HeaderType[] {
  const secretNames = getHeaderSecretNames(headers)
  return headers.map((header, index) => ({ ...header, value: getSecret(secretNames[index]!) }))
}

const codeSecretName = 'code secret'

/** Secrets of a connection. Their names depend on the kind of sign-in, so that they are never confused. */
export function listConnectionSecrets(path: string, connection: SessionConnection | null): SecretField[] {
  if (!connection) return []
  if (connection.authType === 'client_cer')
    return (['keystore', 'keystorePassword'] as const).map((secretKey) => ({
      name: secretKey,
      path: `${path}.${secretKey}`,
      value: connection[secretKey],
    }))
  return [
    { name: `password ${connection.authType}`, path: `${path}.password`, value: connection.password },
    ...(connection.authType === 'form' && connection.hasCode
      ? [{ name: codeSecretName, path: `${path}.codeSecret`, value: connection.codeSecret }]
      : []),
  ]
}

export const listScanSecrets = (settings: ScanSettings): SecretField[] => [
  ...listConnectionSecrets('session.connection', settings.session.connection),
  ...listVariableSecrets('scripts.variables', settings.scripts.variables),
  ...listHeaderSecrets('advanced.extraHeaders', settings.advanced.extraHeaders),
]

/** Checks by name whether a stored secret may be reused. */
export type CanKeepSecret = (name: string) => boolean

/** Errors of secrets that are neither sent nor stored for their current destination. */
export const findMissingSecrets = (
  fields: readonly SecretField[],
  storedNames: ReadonlySet<string>,
  canKeepSecret: CanKeepSecret = () => true,
): FieldError[] =>
  fields
    .filter(({ name, value }) => value === null && !(storedNames.has(name) && canKeepSecret(name)))
    .map(({ name, path }) => ({ path, code: 'required', params: storedNames.has(name) ? { reason: 'used-elsewhere' } : {} }))

type ScanReach = Pick<ScanSettings, 'urls' | 'domains' | 'sources'>
const listUrls = ({ urls, sources }: ScanReach): URL[] =>
  [...urls, ...sources.urls].map((url) => URL.parse(url)).filter((url) => url !== null)

/** Checks that settings send credentials only to previous destinations: no other host, port or scheme. */
function isWithinReach(newReach: ScanReach, previousReach: ScanReach): boolean {
  const previousUrls = listUrls(previousReach)
  const previousOrigins = new Set(previousUrls.map(({ origin }) => origin))
  const previousSchemes = new Set(previousUrls.map(({ protocol }) => protocol))
  const previousDomains = previousReach.domains.length > 0 ? previousReach.domains : previousUrls.map(({ host }) => host)
  const previousDomainLines = new Set(previousDomains.map((line) => line.toLowerCase()))
  const isKnownUrl = createDomainMatcher(previousDomains)
  const isKnownDomain = (line: string): boolean => {
    if (previousDomainLines.has(line.toLowerCase())) return true
    const parsedDomain = parseDomain(line)
    if (!parsedDomain || parsedDomain.below) return false
    const portSuffix = parsedDomain.port === '' ? '' : `:${parsedDomain.port}`
    return [...previousSchemes].every((scheme) => isKnownUrl(new URL(`${scheme}//${parsedDomain.host}${portSuffix}`)))
  }
  return (
    listUrls(newReach).every(
      (url) => previousOrigins.has(url.origin) || (previousSchemes.has(url.protocol) && isKnownUrl(url)),
    ) && newReach.domains.every(isKnownDomain)
  )
}

type ScriptSet = { own: readonly { text: string; type: ScriptType }[]; variables: readonly ScriptVariable[] }

/** URLs that a script visits. A variable in a URL determines where the following values are typed. */
const listScriptUrls = ({ text, type }: ScriptSet['own'][number]): string[] => {
  const parsedScript = parseScript(text, type)
  return parsedScript.ok ? parsedScript.script.pages.map(({ url }) => url) : []
}

/** Checks that variables would be typed only by the scripts that they were saved with, in the same places. */
export function hasSameScripts(newScripts: ScriptSet, previousScripts: Pick<ScriptSet, 'own'>): boolean {
  if (!newScripts.own.every(({ text }) => previousScripts.own.some((script) => script.text === text))) return false
  const sentVariables = newScripts.variables.filter(({ value }) => value !== null)
  if (sentVariables.length === 0) return true
  // Parses each script once for all variables.
  const scriptUrls = newScripts.own.flatMap(listScriptUrls)
  return !sentVariables.some(({ name }) => scriptUrls.some((url) => url.includes(`<${name}>`)))
}

/** Checks that a form's secrets would be typed on the page that they were saved for; a query can name another destination. */
function isSameFormPage(newConnection: SessionConnection | null, previousConnection: SessionConnection | null): boolean {
  if (newConnection?.authType !== 'form') return true
  return previousConnection?.authType === 'form' && URL.parse(newConnection.url)?.href === URL.parse(previousConnection.url)?.href
}

/** Determines which stored secrets new settings reuse: credentials for the same destinations, variables for the same scripts. */
export function createSecretCheck(newSettings: ScanSettings, previousSettings: ScanSettings): CanKeepSecret {
  const isSameReach =
    isWithinReach(newSettings, previousSettings) &&
    isSameFormPage(newSettings.session.connection, previousSettings.session.connection)
  const areSameScripts = hasSameScripts(newSettings.scripts, previousSettings.scripts)
  return (name) => (name.startsWith(variablePrefix) ? areSameScripts : isSameReach)
}

export const findVariableErrors = (path: string, variables: readonly ScriptVariable[]): FieldError[] =>
  variables.flatMap(({ name }, index): FieldError[] =>
    variables.findIndex((other) => other.name === name) < index
      ? [{ path: `${path}.${index}.name`, code: 'duplicate', params: { value: name } }]
      : [],
  )

function replaceConnectionSecrets(connection: SessionConnection, getSecret: (name: string) => string | null): SessionConnection {
  if (connection.authType === 'client_cer')
    return { ...connection, keystore: getSecret('keystore'), keystorePassword: getSecret('keystorePassword') }
  const password = getSecret(`password ${connection.authType}`)
  if (connection.authType !== 'form') return { ...connection, password }
  return { ...connection, password, codeSecret: connection.hasCode ? getSecret(codeSecretName) : null }
}

/** Replaces every secret in the settings: by null before they are stored, by its value before a run. */
export function replaceSecretValues(settings: ScanSettings, getSecret: (name: string) => string | null): ScanSettings {
  const { session: sessionSettings, scripts: scriptSettings, advanced: advancedSettings } = settings
  return {
    ...settings,
    advanced: { ...advancedSettings, extraHeaders: replaceHeaderValues(advancedSettings.extraHeaders, getSecret) },
    session: {
      ...sessionSettings,
      connection: sessionSettings.connection && replaceConnectionSecrets(sessionSettings.connection, getSecret),
    },
    scripts: {
      ...scriptSettings,
      variables: scriptSettings.variables.map(({ name }) => ({ name, value: getSecret(`variable ${name}`) })),
    },
  }
}

/** How a scan signs in, with the names of its accounts only for users who may edit it. */
export const presentSignIn = (ways: readonly SignInWay[], role: Role): SignInWay[] =>
  ways.map(({ kind, name }) => ({ kind, name: hasPermission(role, 'scan.manage') ? name : null }))
