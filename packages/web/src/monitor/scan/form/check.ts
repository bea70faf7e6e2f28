import type { FieldError } from '@clearway/contract/kit/problem.ts'
import { settingsOf as settingsOfKind } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import {
  hrefOf,
  pdfDaysFault,
  readDomain,
  repeatedIn,
  urlFault,
} from '@clearway/contract/monitor/scan/model.ts'
import { pageLimitOf, ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import { scheduleErrors } from '@clearway/contract/monitor/schedule/model.ts'
import { Schedule } from '@clearway/contract/monitor/schedule/schema.ts'
import * as z from 'zod/mini'
import type { SentSettings, Settings } from './model.ts'
import { settingsOf } from './model.ts'
import { hasStoredSecrets } from './session.ts'
import type { ScanForm } from './values.ts'

type Found = Pick<FieldError, 'path' | 'code' | 'params'>
const found = (path: string, code: FieldError['code'], params: FieldError['params'] = {}): Found => ({
  path,
  code,
  params,
})

function codeOf(issue: z.core.$ZodIssue): Pick<Found, 'code' | 'params'> {
  const own =
    'params' in issue ? (issue.params as { code?: FieldError['code'] } | undefined)?.code : undefined
  if (own) return { code: own, params: {} }
  if (issue.code === 'too_small') {
    const text = issue.origin === 'string' || issue.origin === 'array'
    if (text && issue.minimum === 1) return { code: 'required', params: {} }
    return { code: text ? 'too-short' : 'too-small', params: { min: Number(issue.minimum) } }
  }
  if (issue.code === 'too_big') {
    const text = issue.origin === 'string' || issue.origin === 'array'
    return { code: text ? 'too-long' : 'too-big', params: { max: Number(issue.maximum) } }
  }
  return { code: 'input' in issue && issue.input === '' ? 'required' : 'wrong-format', params: {} }
}

const urlErrors = (path: string, urls: readonly string[] = []): Found[] =>
  urls.flatMap((value, i) => {
    const code = urlFault(value)
    return code ? [found(`${path}.${i}`, code, { value })] : []
  })

/** Values of a list that an earlier one repeats. */
const repeated = (path: string, values: readonly string[] = [], keyOf?: (value: string) => string): Found[] =>
  [...repeatedIn(values, keyOf)].map((i) => found(`${path}.${i}`, 'duplicate', { value: values[i]! }))

/** Whether the browser reads it as a CSS selector, or as an XPath expression. */
function isSelector(text: string): boolean {
  try {
    if (/^(\/|\(|xpath=)/.test(text)) document.createExpression(text.replace(/^xpath=/, ''))
    else document.createDocumentFragment().querySelector(text)
    return true
  } catch {
    return false
  }
}

function componentErrors({ commonComponents }: SentSettings): Found[] {
  const components = commonComponents?.components ?? []
  const sameNames = repeatedIn(components.map(({ name }) => name))
  const selectors = components.flatMap((component) => component.selectors)
  return components.flatMap((component, i) => {
    const path = `commonComponents.components.${i}`
    const twice = sameNames.has(i) && component.name !== ''
    return [
      ...(twice ? [found(`${path}.name`, 'duplicate')] : []),
      ...component.selectors.flatMap((selector, n) => {
        if (!isSelector(selector))
          return [found(`${path}.selectors.${n}`, 'wrong-format', { value: selector })]
        const again = selectors.filter((other) => other === selector).length > 1
        return again ? [found(`${path}.selectors.${n}`, 'duplicate', { value: selector })] : []
      }),
    ]
  })
}

/** Advanced settings whose kind is a selector and that the browser cannot read. */
const selectorErrors = ({ advanced = {} }: SentSettings): Found[] =>
  settingsOfKind('selectors').flatMap((name) =>
    (advanced[name] ?? []).flatMap((value, i) =>
      isSelector(value) ? [] : [found(`advanced.${name}.${i}`, 'wrong-format', { value })],
    ),
  )

function pdfErrors(settings: SentSettings): Found[] {
  const {
    pdfTargetCount: count,
    pdfModifiedFrom = null,
    pdfModifiedTo = null,
    mimeTypes,
  } = settings.advanced ?? {}
  if (!mimeTypes?.includes('application/pdf')) return []
  const type = settings.type ?? 'standard'
  const limit = pageLimitOf({ type, pageLimit: settings.pageLimit ?? 0 })
  const days = pdfDaysFault({ mimeTypes, pdfModifiedFrom, pdfModifiedTo })
  return [
    ...(typeof count === 'number' && count >= limit
      ? [found('advanced.pdfTargetCount', 'too-big', { max: limit - 1 })]
      : []),
    ...(days ? [found('advanced.pdfModifiedTo', 'too-small', days)] : []),
  ]
}

/** Headers without a value: neither typed, nor stored under that name. */
function headerErrors({ extraHeaders }: ScanForm): Found[] {
  return extraHeaders.flatMap(({ value, stored }, i) =>
    value === '' && !stored ? [found(`advanced.extraHeaders.${i}.value`, 'required')] : [],
  )
}

/** Secrets that are neither typed nor stored, and variables whose name is there twice. */
function secretErrors(form: ScanForm, stored: Settings | null): Found[] {
  const missing =
    form.authType === '' || hasStoredSecrets(stored?.session, form)
      ? []
      : (form.authType === 'client_cer'
          ? (['keystore', 'keystorePassword'] as const)
          : (['password'] as const)
        )
          .filter((field) => form[field] === '')
          .map((field) => found(`session.connection.${field}`, 'required'))
  const known = new Set(stored?.scripts.variables.map(({ name }) => name))
  const names = form.variables.map(({ name }) => name.trim())
  return [
    ...missing,
    ...headerErrors(form),
    ...form.variables.flatMap(({ value }, i) => {
      const path = `scripts.variables.${i}`
      return [
        ...(names[i] && names.indexOf(names[i]) < i ? [found(`${path}.name`, 'duplicate')] : []),
        ...(value === '' && !known.has(names[i] ?? '') ? [found(`${path}.value`, 'required')] : []),
      ]
    }),
  ]
}

function timeErrors(form: ScanForm, settings: SentSettings, stored: Settings | null): Found[] {
  const whole = z.safeParse(Schedule, settings.schedule)
  // Where something else is wrong as well, the start is judged by itself: everything is shown at once.
  const { startDate, startTime, timeZone } = form
  const schedule = whole.success
    ? whole
    : z.safeParse(Schedule, { frequency: 'once', startDate, startTime, timeZone })
  return [
    ...(schedule.success
      ? scheduleErrors('schedule', schedule.data, new Date(), stored?.schedule ?? null)
      : []),
    ...(form.notifyOthers && settings.notification?.specificUsers?.length === 0
      ? [found('notification.specificUsers', 'required')]
      : []),
  ]
}

/** Own scripts that cannot be read; each is shown at its text. The reader is fetched when there is one to read. */
async function scriptErrors(form: ScanForm): Promise<Found[]> {
  const written = form.ownScripts.filter(({ text }) => text.trim() !== '')
  if (written.length === 0) return []
  const { parseScript } = await import('@clearway/contract/monitor/script/model.ts')
  return form.ownScripts.flatMap(({ text, type }, i) => {
    if (text.trim() === '' || parseScript(text, type).ok) return []
    return [found(`scripts.own.${i}.text`, 'invalid')]
  })
}

/** What is wrong with a form, as the server would say it: same schemas, same codes, each value once. */
export async function formErrors(form: ScanForm, stored: Settings | null): Promise<Found[]> {
  const settings = settingsOf(form, null)
  const parsed = z.safeParse(ScanSettings, settings)
  // What is there twice is shown below, at the very row.
  const read = parsed.success
    ? []
    : parsed.error.issues
        .map((issue) => ({ path: issue.path.join('.'), ...codeOf(issue) }))
        .filter(({ path, code }) => !(code === 'duplicate' && path.startsWith('commonComponents')))
  const domains = settings.domains ?? []
  const all = [
    ...read,
    ...urlErrors('urls', settings.urls),
    ...urlErrors('commonComponents.templateUrls', settings.commonComponents?.templateUrls),
    ...repeated('urls', settings.urls, hrefOf),
    ...repeated('commonComponents.templateUrls', settings.commonComponents?.templateUrls, hrefOf),
    ...urlErrors('sources.sitemaps', settings.sources?.sitemaps),
    ...urlErrors('sources.urls', settings.sources?.urls),
    ...domains.flatMap((domain, i) =>
      readDomain(domain) ? [] : [found(`domains.${i}`, 'bad-domain', { value: domain })],
    ),
    ...repeated('domains', domains),
    ...repeated('notification.specificUsers', settings.notification?.specificUsers),
    ...componentErrors(settings),
    ...selectorErrors(settings),
    ...pdfErrors(settings),
    ...secretErrors(form, stored),
    ...timeErrors(form, settings, stored),
    ...(await scriptErrors(form)),
  ]
  return all.filter(({ path }, i) => all.findIndex((other) => other.path === path) === i)
}
