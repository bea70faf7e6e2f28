import { isIP } from 'node:net'
import { resolve } from 'node:path'
import * as z from 'zod/mini'
import { getFileVariable } from './setting-file.ts'

const createIntegerSchema = (min: number, max: number) =>
  z.pipe(z.string().check(z.regex(/^\d{1,12}$/)), z.pipe(z.transform(Number), z.int().check(z.minimum(min), z.maximum(max))))
export const textSchema = z.string().check(z.minLength(1), z.maxLength(2000))
/** Makes a setting optional: empty means null. */
export const optionalSchema = <T extends z.ZodMiniType>(schema: T) =>
  z.pipe(
    z.transform((value: unknown) => (value === '' ? null : value)),
    z.nullable(schema),
  )
const httpUrlSchema = z.string().check(z.refine((value) => /^https?:$/.test(URL.parse(value)?.protocol ?? '')))
/** An http or https URL, without a trailing slash. */
export const baseUrlSchema = z.pipe(
  httpUrlSchema,
  z.transform((value) => value.replace(/(?<!\/)\/+$/, '')),
)
const booleanSchema = z.pipe(
  z.enum(['true', 'false']),
  z.transform((value) => value === 'true'),
)
/** A list separated by commas. */
export const listSchema = <Output>(itemSchema: z.ZodMiniType<Output, string>) =>
  z.pipe(
    z.pipe(
      z.string(),
      z.transform((value) =>
        value
          .split(',')
          .map((part) => part.trim())
          .filter((part) => part !== ''),
      ),
    ),
    z.array(itemSchema),
  )

/** True for an IP address, a CIDR block, or `all`. */
export function isNetwork(value: string): boolean {
  if (value === 'all') return true
  const [address = '', bits, ...extraParts] = value.split('/')
  const ipVersion = isIP(address)
  if (ipVersion === 0 || extraParts.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (ipVersion === 4 ? 32 : 128))
}

export type Setting = {
  readonly type: z.ZodMiniType
  /** In the notation of the environment; empty for none. */
  readonly default: string
  readonly accepts: string
  readonly meaning: string
  /** Secret values are never shown in messages. */
  readonly secret?: boolean
}
export const integerSetting = (fallback: number, min: number, max: number, meaning: string) =>
  ({
    type: createIntegerSchema(min, max),
    default: String(fallback),
    accepts: `a whole number from ${min} to ${max}`,
    meaning,
  }) as const
/** A limit that can be lowered, but not raised. */
export const limitSetting = (maxValue: number, meaning: string) => integerSetting(maxValue, 1, maxValue, meaning)
export const choiceSetting = <const Words extends readonly [string, ...string[]]>(
  accepted: Words,
  fallback: Words[number],
  meaning: string,
) => {
  const quotedWords = accepted.map((word) => `\`${word}\``)
  const acceptedText = `${quotedWords.slice(0, -1).join(', ')} or ${quotedWords.at(-1)}`
  return { type: z.enum(accepted), default: fallback, accepts: acceptedText, meaning } as const
}
export const optionalTextSetting = (meaning: string) =>
  ({ type: optionalSchema(textSchema), default: '', accepts: 'text, or nothing', meaning }) as const
/** A folder, resolved to its absolute path. */
export const folderSchema = z.pipe(
  textSchema,
  z.transform((value) => resolve(value)),
)
export const optionalUrlSetting = (meaning: string) =>
  ({ type: optionalSchema(httpUrlSchema), default: '', accepts: 'an http or https URL, or nothing', meaning }) as const
/** `Name=https://URL`. */
export const namedUrlSchema = z.pipe(
  z.string().check(z.regex(/^\s*[^=\s][^=]*=https?:\/\/[^\s/]\S*$/)),
  z.transform((value) => {
    const separatorIndex = value.indexOf('=')
    return { name: value.slice(0, separatorIndex).trim(), url: value.slice(separatorIndex + 1) }
  }),
)
/** A header as `name=value`, with the value URL-encoded. */
const headerSchema = z.pipe(
  z.string().check(z.regex(/^[\w!#$&'*+.^`|~-]+=(?:[\x21-\x24\x26-\x7e]|%[2-7][0-9a-fA-F])*$/)),
  z.transform((pair) => {
    const separatorIndex = pair.indexOf('=')
    return { name: pair.slice(0, separatorIndex), value: decodeURIComponent(pair.slice(separatorIndex + 1)) }
  }),
)
export const headersSetting = (meaning: string) =>
  ({
    type: listSchema(headerSchema),
    default: '',
    accepts: '`name=value` pairs separated by commas, values as in a URL; or nothing',
    meaning,
    secret: true,
  }) as const
/** `value=role`; the value may contain `=` itself. */
const roleGrantSchema = z.pipe(
  z.string(),
  z.pipe(
    z.transform((word: string) => {
      const separatorIndex = word.lastIndexOf('=')
      return { value: word.slice(0, Math.max(separatorIndex, 0)).trim(), role: word.slice(separatorIndex + 1) }
    }),
    z.object({ value: z.string().check(z.minLength(1)), role: z.enum(['access', 'admin', 'auditor']) }),
  ),
)
/** The role that each value of a claim grants. */
export const roleMapSetting = (meaning: string) =>
  ({
    type: listSchema(roleGrantSchema),
    default: '',
    accepts: '`value=role` pairs separated by commas, the roles `access`, `admin` and `auditor`; or nothing',
    meaning,
  }) as const
export const booleanSetting = (fallback: boolean, meaning: string) =>
  ({ type: booleanSchema, default: String(fallback), accepts: '`true` or `false`', meaning }) as const
/** A secret with a minimum length, or nothing. */
export const secretSetting = (minLength: number, meaning: string) =>
  ({
    type: optionalSchema(z.string().check(z.minLength(minLength), z.maxLength(500))),
    default: '',
    accepts: `${minLength} to 500 characters, or nothing`,
    meaning,
    secret: true,
  }) as const
/** Text that is never empty. */
export const textSetting = (fallback: string, meaning: string) =>
  ({ type: textSchema, default: fallback, accepts: 'text', meaning }) as const

/** The message for an invalid value: name, value (unless secret), and accepted values. */
export function describeInvalidValue(name: string, setting: Setting, value: string): string {
  const shownValue = setting.secret ? 'the given value' : JSON.stringify(value)
  return `${name} does not take ${shownValue}: it takes ${setting.accepts}.`
}

/** Meaning, with the variable that takes a secret from a file. */
const describeMeaning = (name: string, { meaning, secret }: Setting): string =>
  secret ? `${meaning} \`${getFileVariable(name)}\` names a file that contains it.` : meaning

/**
 * Renders settings as a Markdown table, for the documentation. @param defaultTexts texts for defaults that depend on the machine
 */
export function renderSettingsTable(
  settings: Readonly<Record<string, Setting>>,
  defaultTexts: Readonly<Record<string, string>>,
): string {
  const tableRows = Object.entries(settings).map(([name, setting]) => {
    const defaultText = defaultTexts[name] ?? setting.default
    const tableCells = [`\`${name}\``, describeMeaning(name, setting), setting.accepts, defaultText && `\`${defaultText}\``]
    return `| ${tableCells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  })
  return ['| Setting | Meaning | Accepts | Default |', '|---|---|---|---|', ...tableRows, ''].join('\n')
}

/** Renders settings as an environment file with all of them commented out, with meaning and default. */
export function renderEnvironmentFile(
  settings: Readonly<Record<string, Setting>>,
  defaultTexts: Readonly<Record<string, string>>,
): string {
  const fileSections = Object.entries(settings).map(([name, setting]) => {
    const { accepts, default: fallback } = setting
    return `# ${describeMeaning(name, setting).replaceAll('`', '').replaceAll('\n', ' ')}\n# Accepts ${accepts}.${fallback === '' ? '' : ` Default: ${defaultTexts[name] ?? fallback}`}\n#${name}=\n`
  })
  return fileSections.join('\n')
}

/** A key of 32 bytes in base64, or none. */
export const sealKeySetting = (meaning: string) => ({
  type: optionalSchema(
    z.string().check(z.refine((value) => /^[\w+/-]+=*$/.test(value) && Buffer.from(value, 'base64').length === 32)),
  ),
  default: '',
  accepts: '32 bytes in base64, or nothing',
  meaning,
  secret: true,
})
