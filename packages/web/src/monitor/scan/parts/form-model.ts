import type { FieldError } from '@clearway/contract/kit/problem.ts'
import type { AxeVersion, StandardId } from '@clearway/contract/monitor/ruleset/schema.ts'
import { defaultRuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import type { ScanType } from '@clearway/contract/monitor/scan/schema.ts'
import { AdvancedSettings, ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import * as z from 'zod/mini'

/** The settings as a form holds them: lists as lines, numbers as typed, "" for none. */
export type ScanForm = {
  name: string
  urls: string
  domains: string
  type: ScanType
  depth: string
  pageLimit: string
  axeVersion: AxeVersion
  standard: StandardId
  bestPractices: boolean
  experimental: boolean
  pdfUa: boolean
  testPages: boolean
  testPdfs: boolean
  includeErrorPages: boolean
  savePageContent: boolean
  savePictures: boolean
  respectRobots: boolean
  restrictToFolder: boolean
  discardAnchors: boolean
  ignoreAllParameters: boolean
  meaninglessParameters: string
  pagesAtOnce: string
  preScanWaitMs: string
  windowWidth: string
  windowHeight: string
  userAgent: string
}

/** The advanced settings that have a field; the others keep what they have. */
export const advancedFlags = [
  'respectRobots',
  'restrictToFolder',
  'includeErrorPages',
  'discardAnchors',
  'ignoreAllParameters',
  'savePictures',
  'savePageContent',
] as const
export const advancedNumbers = ['pagesAtOnce', 'preScanWaitMs', 'windowWidth', 'windowHeight'] as const

const lines = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean)
/** What was typed as a number; text that is none stays text, so that validation says so. */
const numeric = (text: string): number =>
  /^-?\d+$/.test(text.trim()) ? Number(text) : (text as unknown as number)

type Settings = z.output<typeof ScanSettings>

/** A form for settings, or for a new scan of one address, named after its host until somebody names it. */
export function toForm(settings: Settings | null, url = ''): ScanForm {
  const advanced = settings?.advanced ?? z.parse(AdvancedSettings, {})
  const ruleSet = settings?.ruleSet ?? defaultRuleSet
  return {
    name: settings?.name ?? (URL.canParse(url) ? new URL(url).host : ''),
    urls: settings?.urls.join('\n') ?? url,
    domains: settings?.domains.join('\n') ?? '',
    type: settings?.type ?? 'standard',
    depth: settings?.depth?.toString() ?? '',
    pageLimit: String(settings?.pageLimit ?? 1000),
    ...ruleSet,
    testPages: advanced.mimeTypes.includes('text/html'),
    testPdfs: advanced.mimeTypes.includes('application/pdf'),
    ...pick(advanced, advancedFlags),
    meaninglessParameters: advanced.meaninglessParameters.join('\n'),
    pagesAtOnce: String(advanced.pagesAtOnce),
    preScanWaitMs: String(advanced.preScanWaitMs),
    windowWidth: String(advanced.windowWidth),
    windowHeight: String(advanced.windowHeight),
    userAgent: advanced.userAgent ?? '',
  }
}

const pick = <T, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> =>
  Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, K>

/** The settings that a form stands for. `before` gives those that have no field. */
export function toSettings(form: ScanForm, before: Settings | null): z.input<typeof ScanSettings> {
  const custom = form.type === 'custom'
  return {
    ...before,
    name: form.name.trim(),
    type: form.type,
    urls: lines(form.urls),
    domains: lines(form.domains),
    depth: custom && form.depth.trim() !== '' ? numeric(form.depth) : null,
    pageLimit: custom ? numeric(form.pageLimit) : 1000,
    priority: before?.priority ?? 'medium',
    ruleSet: pick(form, ['axeVersion', 'standard', 'bestPractices', 'experimental', 'pdfUa']),
    advanced: {
      ...before?.advanced,
      ...pick(form, advancedFlags),
      mimeTypes: [
        ...(form.testPages ? (['text/html'] as const) : []),
        ...(form.testPdfs ? (['application/pdf'] as const) : []),
      ],
      meaninglessParameters: lines(form.meaninglessParameters),
      pagesAtOnce: numeric(form.pagesAtOnce),
      preScanWaitMs: numeric(form.preScanWaitMs),
      windowWidth: numeric(form.windowWidth),
      windowHeight: numeric(form.windowHeight),
      userAgent: form.userAgent.trim() || null,
    },
  }
}

type Found = { path: string; code: FieldError['code']; params: FieldError['params'] }

function codeOf(issue: z.core.$ZodIssue): Pick<Found, 'code' | 'params'> {
  if (issue.code === 'too_small') {
    const text = issue.origin === 'string' || issue.origin === 'array'
    if (text && issue.minimum === 1) return { code: 'required', params: {} }
    return { code: text ? 'too-short' : 'too-small', params: { min: Number(issue.minimum) } }
  }
  if (issue.code === 'too_big') {
    const text = issue.origin === 'string' || issue.origin === 'array'
    return { code: text ? 'too-long' : 'too-big', params: { max: Number(issue.maximum) } }
  }
  return { code: 'wrong-format', params: {} }
}

function urlError(url: string): FieldError['code'] | null {
  if (!URL.canParse(url)) return 'bad-url'
  const { protocol, username, password, host } = new URL(url)
  // "www.example.org:80/" parses, with a scheme of its own: what is missing is the scheme.
  if (!/^https?:$/.test(protocol)) return 'url-scheme'
  if (username || password) return 'url-credentials'
  return host ? null : 'bad-url'
}

/** What is wrong with a form, as the server would say it: same schema, same codes. */
export function formErrors(form: ScanForm, before: Settings | null): Found[] {
  const settings = toSettings(form, before)
  const parsed = z.safeParse(ScanSettings, settings)
  const found: Found[] = parsed.success
    ? []
    : parsed.error.issues.map((issue) => ({ path: issue.path.join('.'), ...codeOf(issue) }))
  settings.urls.forEach((url, i) => {
    const code = settings.urls.indexOf(url) === i ? urlError(url) : 'duplicate'
    if (code) found.push({ path: `urls.${i}`, code, params: { value: url } })
  })
  return found
}

/** The field that a path into the settings belongs to; null for one without a field. */
export function fieldOf(path: string): keyof ScanForm | null {
  const parts = path.replace(/^settings\./, '').split('.')
  const key = parts[0] === 'advanced' || parts[0] === 'ruleSet' ? parts[1] : parts[0]
  // No type at all is told at the first of the two boxes.
  if (key === 'mimeTypes') return 'testPages'
  return key !== undefined && key in formFields ? (key as keyof ScanForm) : null
}
const formFields = toForm(null)
