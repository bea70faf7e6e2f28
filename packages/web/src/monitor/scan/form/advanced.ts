import { AdvancedSettings } from '@clearway/contract/monitor/scan/schema.ts'
import * as z from 'zod/mini'
import type { AdvancedValues, ScanForm } from './values.ts'
import { lines, numeric, numericOrNull, pick, scaled } from './values.ts'

const second = 1000
const minute = 60_000

const flags = [
  'restrictToFolder',
  'respectRobots',
  'discardAnchors',
  'hashRoutes',
  'ignoreAllParameters',
  'includeErrorPages',
  'savePageContent',
  'savePictures',
  'headless',
  'eagerStrategy',
  'scrollPages',
  'closeBanners',
] as const
const numbers = ['preScanWaitMs', 'pagesAtOnce', 'windowWidth', 'windowHeight'] as const
const numbersOrNone = ['stopAfterFailures', 'pagesPerMinute', 'pdfTargetCount'] as const
const texts = ['userAgent', 'referrer', 'pdfModifiedFrom', 'pdfModifiedTo'] as const
const lists = ['meaningfulParameters', 'meaninglessParameters', 'urlsToSkip', 'bannerSelectors'] as const
const keywords = ['mustHaveAll', 'mustHaveAny', 'mustNotHaveAny'] as const

/** How many of what is stored one of what is typed stands for. */
export const scales: Partial<Record<keyof ScanForm, number>> = {
  pageTimeout: second,
  scriptTimeout: second,
  runTimeout: minute,
}

const mapped = <K extends string, T>(keys: readonly K[], value: (key: K) => T) =>
  Object.fromEntries(keys.map((key) => [key, value(key)])) as Record<K, T>

type Stored = z.output<typeof AdvancedSettings>

/** Advanced settings as fields hold them. */
export function advancedValues(
  stored: Stored = z.parse(AdvancedSettings, {}),
): AdvancedValues & { testPages: boolean; testPdfs: boolean } {
  return {
    ...pick(stored, flags),
    ...mapped(numbers, (key) => String(stored[key])),
    ...mapped(numbersOrNone, (key) => stored[key]?.toString() ?? ''),
    ...mapped(texts, (key) => stored[key] ?? ''),
    ...mapped(lists, (key) => stored[key].join('\n')),
    ...mapped(keywords, (key) => stored.keywordRules[key].join('\n')),
    pageTimeout: String(stored.pageTimeoutMs / second),
    scriptTimeout: String(stored.scriptTimeoutMs / second),
    runTimeout: stored.runTimeoutMs === null ? '' : String(stored.runTimeoutMs / minute),
    headers: stored.extraHeaders.map((header) => ({ ...header })),
    testPages: stored.mimeTypes.includes('text/html'),
    testPdfs: stored.mimeTypes.includes('application/pdf'),
  }
}

/** The advanced settings that the fields stand for. */
export function advancedOf(form: ScanForm): z.input<typeof AdvancedSettings> {
  return {
    ...pick(form, flags),
    ...mapped(numbers, (key) => numeric(form[key])),
    ...mapped(numbersOrNone, (key) => numericOrNull(form[key])),
    ...mapped(texts, (key) => form[key].trim() || null),
    ...mapped(lists, (key) => lines(form[key])),
    keywordRules: mapped(keywords, (key) => lines(form[key])),
    pageTimeoutMs: scaled(form.pageTimeout, second),
    scriptTimeoutMs: scaled(form.scriptTimeout, second),
    runTimeoutMs: form.runTimeout.trim() === '' ? null : scaled(form.runTimeout, minute),
    extraHeaders: form.headers.map(({ name, value }) => ({ name: name.trim(), value })),
    mimeTypes: [
      ...(form.testPages ? (['text/html'] as const) : []),
      ...(form.testPdfs ? (['application/pdf'] as const) : []),
    ],
  }
}
