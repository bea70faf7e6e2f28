import { isIP } from 'node:net'
import { resolve } from 'node:path'
import * as z from 'zod/mini'

const whole = (min: number, max: number) =>
  z.pipe(
    z.string().check(z.regex(/^\d{1,12}$/)),
    z.pipe(z.transform(Number), z.int().check(z.minimum(min), z.maximum(max))),
  )
/** Any text of a sensible length. */
export const text = z.string().check(z.minLength(1), z.maxLength(2000))
/** A setting that may be left empty: null then. */
export const optional = <T extends z.ZodMiniType>(type: T) =>
  z.pipe(
    z.transform((value: unknown) => (value === '' ? null : value)),
    z.nullable(type),
  )
/** An http or https URL. */
const httpUrl = z.string().check(z.refine((value) => /^https?:$/.test(URL.parse(value)?.protocol ?? '')))
/** An http or https URL, without a slash at its end. */
export const withoutSlash = z.pipe(
  httpUrl,
  z.transform((value) => value.replace(/(?<!\/)\/+$/, '')),
)
const yesNo = z.pipe(
  z.enum(['true', 'false']),
  z.transform((value) => value === 'true'),
)
/** Words separated by commas. */
export const listOf = <Output>(item: z.ZodMiniType<Output, string>) =>
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
    z.array(item),
  )

/** An IP address, a CIDR block, or `all`. */
export function isNetwork(value: string): boolean {
  if (value === 'all') return true
  const [address = '', bits, ...rest] = value.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

/** One setting: how it is read, and what is said of it. */
export type Setting = {
  readonly type: z.ZodMiniType
  /** As it would be written in the environment; empty for none. */
  readonly default: string
  readonly accepts: string
  readonly meaning: string
  /** Never shown in a message. */
  readonly secret?: boolean
}
/** A number between two bounds. */
export const wholeNumber = (fallback: number, min: number, max: number, meaning: string) =>
  ({
    type: whole(min, max),
    default: String(fallback),
    accepts: `a whole number from ${min} to ${max}`,
    meaning,
  }) as const
/** A limit that may be set lower, not higher. */
export const upTo = (most: number, meaning: string) => wholeNumber(most, 1, most, meaning)
/** One of some words. */
export const oneOf = <const Words extends readonly [string, ...string[]]>(
  accepted: Words,
  fallback: Words[number],
  meaning: string,
) => {
  const shown = accepted.map((word) => `\`${word}\``)
  const accepts = `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`
  return { type: z.enum(accepted), default: fallback, accepts, meaning } as const
}
/** Text, or nothing. */
export const maybeText = (meaning: string) =>
  ({ type: optional(text), default: '', accepts: 'text, or nothing', meaning }) as const
/** A folder by its whole path. */
export const folder = z.pipe(
  text,
  z.transform((value) => resolve(value)),
)
/** A URL, or nothing. */
export const link = (meaning: string) =>
  ({
    type: optional(httpUrl),
    default: '',
    accepts: 'an http or https URL, or nothing',
    meaning,
  }) as const
/** `Name=https://URL`. */
export const namedLink = z.pipe(
  z.string().check(z.regex(/^\s*[^=\s][^=]*=https?:\/\/[^\s/]\S*$/)),
  z.transform((value) => {
    const at = value.indexOf('=')
    return { name: value.slice(0, at).trim(), url: value.slice(at + 1) }
  }),
)
/** `name=value` of a header, its value written as in a URL. */
const headerPair = z.pipe(
  z.string().check(z.regex(/^[\w!#$&'*+.^`|~-]+=(?:[\x21-\x24\x26-\x7e]|%[2-7][0-9a-fA-F])*$/)),
  z.transform((pair) => {
    const at = pair.indexOf('=')
    return { name: pair.slice(0, at), value: decodeURIComponent(pair.slice(at + 1)) }
  }),
)
/** Headers of calls to another program. */
export const headerPairs = (meaning: string) =>
  ({
    type: listOf(headerPair),
    default: '',
    accepts: '`name=value` pairs separated by commas, values as in a URL; or nothing',
    meaning,
    secret: true,
  }) as const
/** `value=role`; the value may hold `=` itself. */
const roleGrant = z.pipe(
  z.string(),
  z.pipe(
    z.transform((word: string) => {
      const at = word.lastIndexOf('=')
      return { value: word.slice(0, Math.max(at, 0)).trim(), role: word.slice(at + 1) }
    }),
    z.object({ value: z.string().check(z.minLength(1)), role: z.enum(['access', 'admin', 'auditor']) }),
  ),
)
/** Which role each value gives. */
export const roleMap = (meaning: string) =>
  ({
    type: listOf(roleGrant),
    default: '',
    accepts: '`value=role` pairs separated by commas, the roles `access`, `admin` and `auditor`; or nothing',
    meaning,
  }) as const
/** On or off. */
export const toggle = (fallback: boolean, meaning: string) =>
  ({ type: yesNo, default: String(fallback), accepts: '`true` or `false`', meaning }) as const
/** A secret of at least so many characters, or nothing. */
export const secretText = (least: number, meaning: string) =>
  ({
    type: optional(z.string().check(z.minLength(least), z.maxLength(500))),
    default: '',
    accepts: `${least} to 500 characters, or nothing`,
    meaning,
    secret: true,
  }) as const
/** Text that is never empty. */
export const words = (fallback: string, meaning: string) =>
  ({ type: text, default: fallback, accepts: 'text', meaning }) as const

/** What is said of a value that a setting does not take: name, value (unless secret), what it takes. */
export function complaint(name: string, setting: Setting, value: string): string {
  const shown = setting.secret ? 'the given value' : JSON.stringify(value)
  return `${name} does not take ${shown}: it takes ${setting.accepts}.`
}

/** Settings as a table in Markdown, for the documentation. @param shown defaults that depend on the machine, in words */
export function tableOf(
  settings: Readonly<Record<string, Setting>>,
  shown: Readonly<Record<string, string>>,
): string {
  const rows = Object.entries(settings).map(([name, setting]) => {
    const fallback = shown[name] ?? setting.default
    const cells = [`\`${name}\``, setting.meaning, setting.accepts, fallback && `\`${fallback}\``]
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  })
  return ['| Setting | Meaning | Accepts | Default |', '|---|---|---|---|', ...rows, ''].join('\n')
}

/** Settings as a file of an environment in which none is set: each with what it means, and its default. */
export function environmentOf(
  settings: Readonly<Record<string, Setting>>,
  shown: Readonly<Record<string, string>>,
): string {
  const parts = Object.entries(settings).map(
    ([name, { meaning, accepts, default: fallback }]) =>
      `# ${meaning.replaceAll('\n', ' ')}\n# Accepts ${accepts}.${fallback === '' ? '' : ` Default: ${shown[name] ?? fallback}`}\n#${name}=\n`,
  )
  return parts.join('\n')
}

/** A key of 32 bytes in base64, or none. */
export const sealKey = (meaning: string) => ({
  type: optional(
    z
      .string()
      .check(z.refine((value) => /^[\w+/-]+=*$/.test(value) && Buffer.from(value, 'base64').length === 32)),
  ),
  default: '',
  accepts: '32 bytes in base64, or nothing',
  meaning,
  secret: true,
})
