import { decodeFileText } from '@clearway/contract/kit/decode-text.ts'
import { defaultLimits } from '@clearway/contract/kit/limit.ts'
import type { AdvancedSettings } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import { ScanSettings, type ScanType, scanTypeLimits } from '@clearway/contract/monitor/scan/schema.ts'
import { findSettingsErrors } from '@clearway/contract/monitor/scan/settings/model.ts'
import { planSignIn } from '@clearway/contract/monitor/session/model.ts'
import type { PlannedScript, PlannedSession } from '@clearway/engine/settings.ts'
import * as z from 'zod/mini'
import { en } from 'zod/locales'
import { readOptionFile, WrongArgument } from './wrong-argument.ts'

/** Scan settings of a file, resolved for one run without a server. */
export type FileSettings = Pick<
  ScanSettings,
  'urls' | 'domains' | 'ruleSet' | 'sources' | 'includeRules' | 'excludeRules' | 'commonComponents'
> & {
  /** Limits of the scan's type; undefined if the file does not name them. */
  pageLimit?: number
  depth?: number | null
  /** Only the settings that the file contains. */
  advanced: z.input<typeof AdvancedSettings>
  scripts: PlannedScript[]
  session: PlannedSession | null
}

/** The settings of a server's scan, all of them optional. */
const SettingsFile = z.extend(z.partial(ScanSettings), { $schema: z.optional(z.string()) })

const describePath = (path: readonly PropertyKey[]) => (path.length > 0 ? `${path.map(String).join('.')}: ` : '')

/** Reads a JSON object. @throws WrongArgument */
function readJsonObject(file: string): Record<string, unknown> {
  const fileText = decodeFileText(readOptionFile('settings', file))
  try {
    const content: unknown = JSON.parse(fileText)
    if (typeof content === 'object' && content !== null && !Array.isArray(content)) return content as Record<string, unknown>
  } catch {
    // Reported below.
  }
  throw new WrongArgument(`${file} is not a JSON object of scan settings.`)
}

/** Limits of a scan's type, or those of the file without one. */
function resolveLimits(
  content: Record<string, unknown>,
  settings: ScanSettings,
): Pick<FileSettings, 'pageLimit' | 'depth'> & { isInFolder: boolean } {
  const type = content.type as ScanType | undefined
  if (type !== undefined && type !== 'custom') {
    const { depth, pageLimit, folder } = scanTypeLimits[type]
    return { depth, pageLimit, isInFolder: folder }
  }
  return {
    ...(content.pageLimit === undefined ? {} : { pageLimit: settings.pageLimit }),
    ...(content.depth === undefined ? {} : { depth: settings.depth }),
    isInFolder: false,
  }
}

/** Values of variables are in the file or in the environment, so that a file can be shared. @throws WrongArgument */
function planScripts({ scripts }: ScanSettings, environment: NodeJS.ProcessEnv): (PlannedScript & { type: string })[] {
  if (scripts.shared.length > 0)
    throw new WrongArgument('scripts.shared: shared scripts are on a server; copy their text to scripts.own.')
  const variables = scripts.variables.map(({ name, value }) => {
    const variableValue = value ?? environment[name]
    if (variableValue === undefined)
      throw new WrongArgument(`scripts.variables: ${name} has no value, neither in the file nor in the environment.`)
    return { name, value: variableValue }
  })
  return scripts.own.map(({ name, text, type }) => ({ name, text, type, variables }))
}

/** @throws WrongArgument for secrets that the server did not export */
function planSession({ session }: ScanSettings, signInScript: PlannedScript | undefined): PlannedSession | null {
  const plannedSignIn = planSignIn(session.connection)
  if (!plannedSignIn) throw new WrongArgument('session.connection: the file does not contain the secrets of the sign-in.')
  return session.connection || signInScript ? { ...plannedSignIn, script: signInScript ?? null, mark: session.mark } : null
}

/**
 * Reads scan settings in the form of the server's scans. Settings for other things than one run (schedule, mail, access)
 * have no effect.
 * @param namedUrls start URLs of the command line, which replace those of the file
 * @throws WrongArgument with the first wrong settings
 */
export function readSettingsFile(file: string, environment: NodeJS.ProcessEnv, namedUrls: readonly string[]): FileSettings {
  const content = readJsonObject(file)
  const parsed = z.safeParse(SettingsFile, content, { error: en().localeError })
  if (!parsed.success) {
    const faults = parsed.error.issues.slice(0, 5).map(({ path, message }) => `${describePath(path)}${message}`)
    throw new WrongArgument(`${file}: ${faults.join('; ')}.`)
  }
  const { $schema: _, name = 'Scan', urls: fileUrls = [], ...otherSettings } = parsed.data
  const urls = namedUrls.length > 0 ? [...namedUrls] : fileUrls
  if (urls.length === 0) throw new WrongArgument(`Which URL? Neither the command nor ${file} names one.`)
  const settings: ScanSettings = z.parse(ScanSettings, { ...otherSettings, name, urls })
  // The browser of the scan judges selectors.
  const errors = findSettingsErrors(settings, { limits: defaultLimits, isSelector: () => true, isExpression: () => true })
  if (errors.length > 0) {
    const faults = errors.slice(0, 5).map(({ path, code, params }) => `${path}: ${[code, ...Object.values(params)].join(' ')}`)
    throw new WrongArgument(`${file}: ${faults.join('; ')}.`)
  }
  const withoutValue = settings.advanced.extraHeaders.find(({ value }) => value === null)
  if (withoutValue) throw new WrongArgument(`advanced.extraHeaders: the file does not contain the value of ${withoutValue.name}.`)
  const { isInFolder, ...limits } = resolveLimits(content, settings)
  const scripts = planScripts(settings, environment)
  return {
    urls,
    domains: settings.domains,
    ruleSet: settings.ruleSet,
    sources: settings.sources,
    includeRules: settings.includeRules,
    excludeRules: settings.excludeRules,
    commonComponents: settings.commonComponents,
    ...limits,
    advanced: { ...(content.advanced as object | undefined), ...(isInFolder ? { restrictToFolder: true } : {}) },
    scripts: scripts.filter(({ type }) => type === 'TASK'),
    session: planSession(
      settings,
      scripts.find(({ type }) => type === 'SESSION'),
    ),
  }
}
