import * as z from 'zod/mini'
import { defaultLimits } from '../../../kit/limit.ts'

const createDefaulted = <T extends z.ZodMiniType>(valueType: T, value: z.output<T>) => z._default(valueType, value as never)
const createText = (maxLength: number) => z.string().check(z.trim(), z.minLength(1), z.maxLength(maxLength))
const urlSchema = createText(4000)

/**
 * Matches URLs: those that start with `pattern`; those that match it, where `*` is any text and `?` any character;
 * those that contain a match of the expression (RE2 syntax, linear time), which is checked with the settings.
 */
export const UrlRule = z.strictObject({ kind: z.enum(['prefix', 'glob', 'regex']), pattern: createText(2000) })
export type UrlRule = z.output<typeof UrlRule>

/** Sources of URLs in addition to the start URLs. */
export const Sources = z.strictObject({
  /** Off: visits only start URLs, sitemaps and the list. */
  followLinks: createDefaulted(z.boolean(), true),
  sitemaps: createDefaulted(z.array(urlSchema).check(z.maxLength(50)), []),
  /** Uses the sitemaps listed in robots.txt of the start URLs' hosts. */
  sitemapsOfRobots: createDefaulted(z.boolean(), false),
  /** A fixed list: pasted, or from a CSV file. */
  urls: createDefaulted(z.array(urlSchema).check(z.maxLength(defaultLimits.pageLimit)), []),
})
export type Sources = z.output<typeof Sources>

const keywordsSchema = createDefaulted(z.array(createText(500)).check(z.maxLength(200)), [])

/** Keywords searched in a page's URL and text, case-insensitively. */
export const KeywordRules = z.strictObject({
  mustHaveAll: keywordsSchema,
  mustHaveAny: keywordsSchema,
  mustNotHaveAny: keywordsSchema,
})
export type KeywordRules = z.output<typeof KeywordRules>

/** Headers that browsers set themselves or that would break the connection. */
const reservedHeaderPattern =
  /^(host|content-length|content-encoding|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|origin|cookie|set-cookie|proxy-.*|sec-.*)$/i

/** A header sent with every request to hosts of the scan's domains, and nowhere else. */
export const ExtraHeader = z.strictObject({
  name: z.string().check(
    z.maxLength(200),
    z.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/),
    z.refine((name) => !reservedHeaderPattern.test(name), { params: { code: 'unknown-value' } }),
  ),
  value: z.string().check(z.maxLength(4000), z.regex(/^[\x20-\x7e\t]*$/)),
})
export type ExtraHeader = z.output<typeof ExtraHeader>

/** A header in a scan's settings. Its value is a secret: null keeps the stored one, and is returned to readers. */
export const HeaderSetting = z.strictObject({ name: ExtraHeader.shape.name, value: z.nullable(ExtraHeader.shape.value) })
export type HeaderSetting = z.output<typeof HeaderSetting>
