import * as z from 'zod/mini'
import { defaultLimits } from '../../../kit/limit.ts'

const defaulted = <T extends z.ZodMiniType>(type: T, value: z.output<T>) => z._default(type, value as never)
const text = (most: number) => z.string().check(z.trim(), z.minLength(1), z.maxLength(most))
const url = text(4000)

/** Whether an expression is one, and needs nothing that could run for ever: no look-around, no references back. */
export function isSafeExpression(expression: string): boolean {
  if (/\(\?<?[=!]|\\[1-9]|\\k</.test(expression)) return false
  try {
    return new RegExp(expression, 'u') instanceof RegExp
  } catch {
    return false
  }
}

/**
 * URLs that a rule means: those that begin with `pattern`; those that fit it, where `*` is any text and `?` any
 * letter; those in which the expression is found (RE2's syntax, which takes linear time).
 */
export const UrlRule = z
  .strictObject({ kind: z.enum(['prefix', 'glob', 'regex']), pattern: text(2000) })
  .check(
    z.refine(({ kind, pattern }) => kind !== 'regex' || isSafeExpression(pattern), {
      path: ['pattern'],
      params: { code: 'wrong-format' },
    }),
  )
export type UrlRule = z.output<typeof UrlRule>

/** Where URLs come from besides the start URLs. */
export const Sources = z.strictObject({
  /** Off: only start URLs, sitemaps and the list are visited. */
  followLinks: defaulted(z.boolean(), true),
  sitemaps: defaulted(z.array(url).check(z.maxLength(50)), []),
  /** The sitemaps that robots.txt of the start URLs' hosts names. */
  sitemapsOfRobots: defaulted(z.boolean(), false),
  /** A fixed list: pasted, or from a CSV file. */
  urls: defaulted(z.array(url).check(z.maxLength(defaultLimits.pageLimit)), []),
})
export type Sources = z.output<typeof Sources>

const words = defaulted(z.array(text(500)).check(z.maxLength(200)), [])

/** Words looked for in a page's URL and text, whatever their case. */
export const KeywordRules = z.strictObject({ mustHaveAll: words, mustHaveAny: words, mustNotHaveAny: words })
export type KeywordRules = z.output<typeof KeywordRules>

/** Names that a browser sends by itself or that would break the connection. */
const reserved =
  /^(host|content-length|content-encoding|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|origin|cookie|set-cookie|proxy-.*|sec-.*)$/i

/** A header sent with every request to hosts of the scan's domains, and nowhere else. */
export const ExtraHeader = z.strictObject({
  name: z.string().check(
    z.maxLength(200),
    z.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/),
    z.refine((name) => !reserved.test(name), { params: { code: 'unknown-value' } }),
  ),
  value: z.string().check(z.maxLength(4000), z.regex(/^[\x20-\x7e\t]*$/)),
})
export type ExtraHeader = z.output<typeof ExtraHeader>

/** One of a scan's settings: its value is a secret. Null keeps the stored one, and is what a reader gets. */
export const HeaderSetting = z.strictObject({
  name: ExtraHeader.shape.name,
  value: z.nullable(ExtraHeader.shape.value),
})
export type HeaderSetting = z.output<typeof HeaderSetting>
