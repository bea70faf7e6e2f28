import { existsSync } from 'node:fs'
import { decodeFileText } from '@clearway/contract/kit/decode-text.ts'
import * as z from 'zod/mini'
import { en } from 'zod/locales'
import { configurableOptions } from './options.ts'
import { toLine } from './text-format.ts'
import { readOptionFile, WrongArgument } from './wrong-argument.ts'

/** Read from the current folder if it exists and `--config` names no other file. */
export const defaultConfigFile = 'clearway.config.json'

const TextValue = z.union([z.string().check(z.minLength(1)), z.number()])
const optionSchemas = Object.fromEntries(
  configurableOptions.map(({ name, isFlag, isList, about }) => {
    const valueSchema = isFlag ? z.boolean() : isList ? z.array(TextValue) : TextValue
    // A copy for each option, because the description belongs to the schema.
    return [name, z.optional(valueSchema.check(z.describe(about)))]
  }),
)
const siteFields = { urls: z.optional(z.array(z.string()).check(z.minLength(1), z.describe('URLs to scan'))), ...optionSchemas }
const SiteOptions = z.strictObject(siteFields)
const ConfigFile = z.strictObject({
  $schema: z.optional(z.string()),
  ...siteFields,
  sites: z.optional(
    z
      .record(z.string().check(z.minLength(1)), SiteOptions)
      .check(z.describe('options of each site, by its name for --site; they come before those of all sites')),
  ),
})

/** JSON Schema of the file, for completion in editors. */
export const buildConfigSchema = () => ({ title: 'Configuration of clearway', ...z.toJSONSchema(ConfigFile) })

/** Options of a file, as on the command line. */
export type FileOptions = { urls: string[]; values: Record<string, string | boolean | string[]> }

const toOptionValue = (value: unknown): string | boolean | string[] =>
  typeof value === 'boolean' ? value : Array.isArray(value) ? value.map(String) : String(value)

function readConfigObject(file: string): z.output<typeof ConfigFile> {
  const fileText = decodeFileText(readOptionFile('config', file))
  let content: unknown
  try {
    content = JSON.parse(fileText)
  } catch (error) {
    throw new WrongArgument(`${file} is not JSON: ${toLine((error as Error).message, 200)}.`)
  }
  const parsed = z.safeParse(ConfigFile, content, { error: en().localeError })
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.length > 0 ? `${path.map(String).join('.')}: ` : ''}${message}`)
  throw new WrongArgument(`${file}: ${faults.join('; ')}.`)
}

/**
 * Options that decide who gets secrets of the environment. A file that was not named, as one that a pull request adds, must not
 * set them.
 */
const secretReceivers: ReadonlySet<string> = new Set(['server', 'sign-in', 'password-file', 'code-secret-file'])

const EnvironmentVariables = z.object({
  scripts: z.object({ variables: z.array(z.object({ value: z.optional(z.nullable(z.string())) })) }),
})

/** Returns true if scan settings take values of variables from the environment. */
export function readsEnvironment(settings: unknown): boolean {
  const parsed = z.safeParse(EnvironmentVariables, settings)
  return parsed.success && parsed.data.scripts.variables.some(({ value }) => value === undefined || value === null)
}

function fileReadsEnvironment(settingsFile: unknown): boolean {
  try {
    return readsEnvironment(JSON.parse(decodeFileText(readOptionFile('settings', String(settingsFile)))))
  } catch {
    // Reported when the settings are read.
    return false
  }
}

/**
 * Reads the options of a file for one site.
 * @param file path of `--config`; without it, the file of the current folder if there is one
 * @throws WrongArgument
 */
export function readConfigFile(file: string | undefined, siteName: string | undefined): FileOptions | null {
  const configFile = file ?? (existsSync(defaultConfigFile) ? defaultConfigFile : null)
  if (configFile === null) {
    if (siteName === undefined) return null
    throw new WrongArgument(`--site needs ${defaultConfigFile}, or another file with --config.`)
  }
  const { $schema: _, sites = {}, ...sharedOptions } = readConfigObject(configFile)
  const names = Object.keys(sites)
  if (siteName !== undefined && !Object.hasOwn(sites, siteName))
    throw new WrongArgument(
      `${configFile} has no site "${siteName}"${names.length > 0 ? `. There are: ${names.join(', ')}` : ''}.`,
    )
  const { urls = [], ...options } = { ...sharedOptions, ...(siteName === undefined ? {} : sites[siteName]) }
  const definedOptions = Object.entries(options).filter(([, value]) => value !== undefined)
  const secretOption =
    file === undefined
      ? definedOptions.find(([name, value]) => secretReceivers.has(name) || (name === 'settings' && fileReadsEnvironment(value)))
      : undefined
  if (secretOption)
    throw new WrongArgument(
      `${configFile} has "${secretOption[0]}", which would get passwords and keys of the environment. Name the file with --config, or the option on the command line.`,
    )
  return { urls, values: Object.fromEntries(definedOptions.map(([name, value]) => [name, toOptionValue(value)])) }
}
