import { roleMay, type Role } from '@clearway/contract/kit/permission.ts'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import type { Limits } from '@clearway/contract/kit/limit.ts'
import {
  hrefOf,
  openDomains,
  pdfDaysFault,
  readDomain,
  repeatedIn,
  urlFault,
} from '@clearway/contract/monitor/scan/model.ts'
import { pageLimitOf, type ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import { selectorErrors } from './selector/model.ts'

const error = (path: string, code: FieldError['code'], params: FieldError['params'] = {}): FieldError => ({
  path,
  code,
  params,
})

/** What is wrong with a name that has a good length: line breaks and the like, or nothing that anybody would see. */
export function nameError(path: string, name: string): FieldError | null {
  if (/\p{Cc}/u.test(name)) return error(path, 'wrong-format')
  return /[^\p{C}\p{Z}\p{M}]/u.test(name) ? null : error(path, 'required')
}

/** What is wrong with a start URL; null for one that can be visited. */
export function urlError(path: string, text: string): FieldError | null {
  const fault = urlFault(text)
  if (fault === 'url-scheme') return error(path, fault, { value: new URL(text).protocol.replace(':', '') })
  // A password does not come back in an answer.
  return fault && error(path, fault, fault === 'bad-url' ? { value: text } : {})
}

function listErrors({ urls, domains }: ScanSettings): FieldError[] {
  const sameUrls = repeatedIn(urls, hrefOf)
  const sameDomains = repeatedIn(domains)
  const twice = (same: ReadonlySet<number>, index: number, path: string, value: string) =>
    same.has(index) ? error(path, 'duplicate', { value }) : null
  return [
    ...urls.map((text, index) => {
      const path = `settings.urls.${index}`
      return urlError(path, text) ?? twice(sameUrls, index, path, text)
    }),
    ...domains.map((text, index) => {
      const path = `settings.domains.${index}`
      if (!readDomain(text)) return error(path, 'bad-domain', { value: text })
      return twice(sameDomains, index, path, text)
    }),
  ].filter((found) => found !== null)
}

/** Start URLs must be in the scan's own domains, when it names any. */
function domainErrors(settings: ScanSettings): FieldError[] {
  const domains = settings.domains.filter((text) => readDomain(text) !== null)
  if (domains.length === 0) return []
  const inDomains = openDomains(domains)
  return settings.urls.flatMap((text, index) => {
    const url = URL.parse(text)
    return !url || inDomains(url) ? [] : [error(`settings.urls.${index}`, 'outside-domains', { value: text })]
  })
}

function limitErrors(settings: ScanSettings, limits: Limits): FieldError[] {
  const tooBig: [string, number, number][] = [
    ['settings.pageLimit', settings.pageLimit, limits.pageLimit],
    ['settings.depth', settings.depth ?? 0, limits.depth],
  ]
  const errors = tooBig.flatMap(([path, value, max]) =>
    value > max ? [error(path, 'too-big', { max })] : [],
  )
  if (settings.urls.length > limits.startUrls)
    errors.push(error('settings.urls', 'too-long', { max: limits.startUrls }))
  return errors
}

/** PDFs: fewer than pages, and a span of days that begins before it ends. */
function pdfErrors(settings: ScanSettings): FieldError[] {
  const { advanced } = settings
  if (!advanced.mimeTypes.includes('application/pdf')) return []
  const limit = pageLimitOf(settings)
  const { pdfTargetCount: count } = advanced
  const errors: FieldError[] = []
  if (count !== null && count >= limit)
    errors.push(error('settings.advanced.pdfTargetCount', 'too-big', { max: limit - 1 }))
  const days = pdfDaysFault(advanced)
  if (days) errors.push(error('settings.advanced.pdfModifiedTo', 'too-small', days))
  return errors
}

/** URLs besides the start URLs: templates of common components, sitemaps, and the fixed list. */
function otherUrlErrors({ commonComponents, sources }: ScanSettings): FieldError[] {
  const lists: [string, readonly string[]][] = [
    ['settings.commonComponents.templateUrls', commonComponents?.templateUrls ?? []],
    ['settings.sources.sitemaps', sources.sitemaps],
    ['settings.sources.urls', sources.urls],
  ]
  return lists
    .flatMap(([path, urls]) => urls.flatMap((text, index) => urlError(`${path}.${index}`, text) ?? []))
    .slice(0, 100)
}

/** Words of a list that an earlier one repeats, whatever their case. */
const repeated = (path: string, words: readonly string[]): FieldError[] =>
  [...repeatedIn(words)].map((index) => error(`${path}.${index}`, 'duplicate', { value: words[index]! }))

/** Lists in which each is named once. Not of their schemas: what was stored before may repeat itself. */
const repeatedErrors = ({ advanced, notification, schedule }: ScanSettings): FieldError[] => [
  ...repeated('settings.advanced.mimeTypes', advanced.mimeTypes),
  ...repeated('settings.notification.events', notification.events),
  ...repeated('settings.notification.specificUsers', notification.specificUsers),
  ...('weekdays' in schedule ? repeated('settings.schedule.weekdays', schedule.weekdays) : []),
]

/** Common components whose name another has, whatever its case. */
export const componentErrors = (
  prefix: string,
  { commonComponents }: Pick<ScanSettings, 'commonComponents'>,
): FieldError[] =>
  repeated('', commonComponents?.components.map(({ name }) => name) ?? []).map((found) => ({
    ...found,
    path: `${prefix}commonComponents.components${found.path}.name`,
  }))

/**
 * What is wrong with a scan beyond what its schema sees. Paths are those of an update body (`settings.urls.0`);
 * the body of a create has them without `settings.`.
 */
export function settingsErrors(settings: ScanSettings, limits: Limits): FieldError[] {
  const lists = listErrors(settings)
  const name = nameError('settings.name', settings.name)
  return [
    ...(name ? [name] : []),
    ...lists,
    ...(lists.length === 0 ? domainErrors(settings) : []),
    ...limitErrors(settings, limits),
    ...pdfErrors(settings),
    ...otherUrlErrors(settings),
    ...repeatedErrors(settings),
    ...componentErrors('settings.', settings),
    ...selectorErrors('settings.', settings),
  ]
}

/** What a role may do with a scan, for the web's buttons. */
export const rightsOf = (role: Role) => ({
  run: roleMay(role, 'scan.run'),
  manage: roleMay(role, 'scan.manage'),
  discuss: roleMay(role, 'scan.discuss'),
  curate: roleMay(role, 'scan.curate'),
  export: roleMay(role, 'scan.export'),
})

export const priorities = ['high', 'medium', 'low'] as const

/** Whether a name can be had; a wrong one is an answer, not an error. */
export type Validity =
  | { success: true }
  | { success: false; message: string; code: string; params: Record<string, string | number> }

type Asked = {
  name: string
  /** Longest name, in characters. */
  max: number
  /** What is to have it, as the message says: "scan". */
  what: string
  isTaken: (name: string) => Promise<boolean>
}

/** Whether a scan, group or preset can have that name. */
export async function validityOf({ name, max, what, isTaken }: Asked): Promise<Validity> {
  const trimmed = name.trim()
  const wrong = (code: string, message: string, params = {}): Validity => ({
    success: false,
    code,
    message,
    params,
  })
  if (trimmed.length > max) return wrong('too-long', `At most ${max} characters.`, { max })
  const bad = nameError('name', trimmed)
  if (bad?.code === 'required') return wrong('required', 'Enter a name.')
  if (bad) return wrong(bad.code, 'A name has no line breaks or other control characters.')
  if (await isTaken(trimmed)) return wrong('name-taken', `Another ${what} has this name.`, { value: trimmed })
  return { success: true }
}
