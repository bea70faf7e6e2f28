import * as z from 'zod/mini'
import { PresetId, ScanId } from '../../kit/id.ts'
import { defaultLimits } from '../../kit/limit.ts'
import { paging, queryBoolean, queryLists, sortBy } from '../../kit/paging.ts'
import { bodyLists } from '../../kit/selection.ts'
import { Count, Instant, Milliseconds } from '../../kit/time.ts'
import { ScanAccessBody } from '../access/schema.ts'
import { CommonComponents } from '../component/schema.ts'
import { NotificationOptions } from '../notification/schema.ts'
import { defaultRuleSet, ImpactCounts, RuleSet } from '../ruleset/schema.ts'
import { HealthCounts, RunStatus, RunSummary, Score } from '../run/schema.ts'
import { Schedule } from '../schedule/schema.ts'
import { EnvironmentVariable, ScriptType } from '../script/schema.ts'
import { ScanSession } from '../session/schema.ts'
import { ExtraHeader, KeywordRules, Sources, UrlRule } from './crawl/schema.ts'

export const ScanType = z.enum(['quick', 'standard', 'large', 'custom'])
export type ScanType = z.output<typeof ScanType>

/** What each type stands for. A depth of null has no end; a folder scan stays in the folders of its start URLs. */
export const scanTypes = {
  quick: { depth: 1, pageLimit: 100, folder: false },
  standard: { depth: null, pageLimit: 1000, folder: true },
  large: { depth: 5, pageLimit: 5000, folder: false },
} as const

export const Priority = z.enum(['high', 'medium', 'low'])
export const MimeType = z.enum(['text/html', 'application/pdf'])

const parameterName = z.string().check(z.minLength(1), z.maxLength(200))
const defaulted = <T extends z.ZodMiniType>(type: T, value: z.output<T>) => z._default(type, value as never)

/** Advanced settings (section 3). Every field has a default, so that a body may leave any out. */
export const AdvancedSettings = z.strictObject({
  mimeTypes: defaulted(z.array(MimeType).check(z.minLength(1), z.maxLength(2)), ['text/html']),
  preScanWaitMs: defaulted(z.int().check(z.minimum(0), z.maximum(defaultLimits.preScanWaitMs)), 0),
  includeErrorPages: defaulted(z.boolean(), false),
  savePageContent: defaulted(z.boolean(), true),
  savePictures: defaulted(z.boolean(), true),
  /** Only these parameters tell URLs apart; empty means every parameter does. */
  meaningfulParameters: defaulted(z.array(parameterName).check(z.maxLength(200)), []),
  meaninglessParameters: defaulted(z.array(parameterName).check(z.maxLength(200)), []),
  ignoreAllParameters: defaulted(z.boolean(), false),
  discardAnchors: defaulted(z.boolean(), true),
  restrictToFolder: defaulted(z.boolean(), false),
  windowWidth: defaulted(z.int().check(z.minimum(200), z.maximum(7680)), 1280),
  windowHeight: defaulted(z.int().check(z.minimum(200), z.maximum(4320)), 1024),
  userAgent: defaulted(
    z.nullable(z.string().check(z.minLength(1), z.maxLength(500), z.regex(/^[\x20-\x7e]+$/))),
    null,
  ),
  /** Off: a browser with a window, on the worker's display or a virtual one. */
  headless: defaulted(z.boolean(), true),
  /** Tests a page when its document is there, without waiting for images, frames and late scripts. */
  eagerStrategy: defaulted(z.boolean(), false),
  /** Sent as `Referer` with pages that were found on no other page, and for the scan's own look-ups. */
  referrer: defaulted(
    z.nullable(z.string().check(z.maxLength(2000), z.regex(/^https?:\/\/[\x21-\x7e]+$/))),
    null,
  ),
  extraHeaders: defaulted(z.array(ExtraHeader).check(z.maxLength(50)), []),
  /** PDFs last changed before or after these days are left out; without a date of change a PDF stays in. */
  pdfModifiedFrom: defaulted(z.nullable(z.iso.date()), null),
  pdfModifiedTo: defaulted(z.nullable(z.iso.date()), null),
  /** PDFs of a run at most; null for no limit of their own. */
  pdfTargetCount: defaulted(
    z.nullable(z.int().check(z.minimum(1), z.maximum(defaultLimits.pageLimit))),
    null,
  ),
  /** URLs that are left out with all that they link to; `*` stands for any text. */
  urlsToSkip: defaulted(
    z.array(z.string().check(z.trim(), z.minLength(1), z.maxLength(4000))).check(z.maxLength(500)),
    [],
  ),
  keywordRules: z.prefault(KeywordRules, {}),
  /** Fragments that begin with `#/` or `#!` name pages of their own, whatever `discardAnchors` says. */
  hashRoutes: defaulted(z.boolean(), false),
  /** Scrolls each page to its end and back before the test, so that what loads on sight is there. */
  scrollPages: defaulted(z.boolean(), false),
  /** Closes known cookie banners, and those whose button one of the selectors names. */
  closeBanners: defaulted(z.boolean(), false),
  bannerSelectors: defaulted(
    z.array(z.string().check(z.trim(), z.minLength(1), z.maxLength(2000))).check(z.maxLength(50)),
    [],
  ),
  respectRobots: defaulted(z.boolean(), true),
  /** New page loads a minute on one host; null leaves the pace to `requestsAtOnce`. */
  pagesPerMinute: defaulted(z.nullable(z.int().check(z.minimum(1), z.maximum(6000))), null),
  /** Pages of one host in work at once. */
  pagesAtOnce: defaulted(z.int().check(z.minimum(1), z.maximum(16)), 2),
  pageTimeoutMs: defaulted(z.int().check(z.minimum(1000), z.maximum(300_000)), 60_000),
  scriptTimeoutMs: defaulted(
    z.int().check(z.minimum(1000), z.maximum(defaultLimits.scriptTimeoutMs)),
    180_000,
  ),
  runTimeoutMs: defaulted(z.nullable(Milliseconds), null),
  /** A run ends, partial, when a host did not answer this often in a row; null to go on. */
  stopAfterFailures: defaulted(z.nullable(z.int().check(z.minimum(3), z.maximum(10_000))), 50),
})
export type AdvancedSettings = z.output<typeof AdvancedSettings>

/** A value of null keeps the stored one, and is what a reader gets: values are secrets. */
const ScanVariable = z.strictObject({
  name: EnvironmentVariable.shape.name,
  value: z.nullable(EnvironmentVariable.shape.value),
})

/** Scripts of a scan: its own ones, shared ones by id (at most one of either may be a SESSION), and their variables. */
export const ScanScripts = z.strictObject({
  own: defaulted(
    z
      .array(
        z.strictObject({
          name: z.string().check(z.trim(), z.minLength(1), z.maxLength(defaultLimits.nameLength)),
          type: ScriptType,
          text: z.string().check(z.minLength(1), z.maxLength(defaultLimits.scriptLength)),
        }),
      )
      .check(z.maxLength(50)),
    [],
  ),
  shared: defaulted(z.array(z.uuid()).check(z.maxLength(50)), []),
  variables: defaulted(z.array(ScanVariable).check(z.maxLength(defaultLimits.scriptVariables)), []),
})
export type ScanScripts = z.output<typeof ScanScripts>

/** A scan as people edit it: the body of create and update, and what `/settings` answers. */
export const ScanSettings = z.strictObject({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(defaultLimits.nameLength)),
  type: defaulted(ScanType, 'standard'),
  /** Start URLs: http or https, without credentials. */
  urls: z
    .array(z.string().check(z.trim(), z.minLength(1), z.maxLength(4000)))
    .check(z.minLength(1), z.maxLength(defaultLimits.startUrls)),
  /** Hosts that belong to the scan (`example.org`, `*.example.org`, `localhost:8080`); left empty, the hosts of the start URLs. */
  domains: defaulted(
    z
      .array(z.string().check(z.trim(), z.minLength(1), z.maxLength(300)))
      .check(z.maxLength(defaultLimits.startUrls)),
    [],
  ),
  /** For a custom scan: levels of links below the start URLs, null for no end. */
  depth: defaulted(z.nullable(z.int().check(z.minimum(0), z.maximum(defaultLimits.depth))), null),
  /** For a custom scan. */
  pageLimit: defaulted(z.int().check(z.minimum(1), z.maximum(defaultLimits.pageLimit)), 1000),
  priority: defaulted(Priority, 'medium'),
  ruleSet: defaulted(RuleSet, defaultRuleSet),
  sources: z.prefault(Sources, {}),
  /** Where there are any, a URL has to fit one of them. Start URLs are always in. */
  includeRules: defaulted(z.array(UrlRule).check(z.maxLength(200)), []),
  /** A URL that fits one of them is left out. */
  excludeRules: defaulted(z.array(UrlRule).check(z.maxLength(200)), []),
  commonComponents: defaulted(z.nullable(CommonComponents), null),
  scripts: z.prefault(ScanScripts, {}),
  session: z.prefault(ScanSession, {}),
  advanced: z.prefault(AdvancedSettings, {}),
  schedule: defaulted(Schedule, { frequency: 'manual' }),
  notification: z.prefault(NotificationOptions, {}),
  /** The preset whose values hold, as far as it says. */
  presetId: defaulted(z.nullable(PresetId), null),
  /** Whether the summary of an ended run goes to the reporting product, where one is configured. */
  sendToReports: defaulted(z.boolean(), true),
  /** Teams and groups, in a body only; left out, they stay. They are read by `/scans/{id}/access`. */
  access: z.optional(ScanAccessBody),
})
export type ScanSettings = z.output<typeof ScanSettings>

/** What is stored, with what only the server knows. */
export const StoredScanSettings = z.object({
  id: ScanId,
  settings: ScanSettings,
  /** Send it back on update: a body made from an older one is refused with `edit-conflict`. */
  version: Count,
  createdAt: Instant,
  updatedAt: Instant,
})
export type StoredScanSettings = z.output<typeof StoredScanSettings>

export const ScanUpdate = z.strictObject({ settings: ScanSettings, version: Count })

/** What the reader may do with a scan, so that the web shows no button that the server refuses. */
export const ScanRights = z.object({
  run: z.boolean(),
  manage: z.boolean(),
  discuss: z.boolean(),
  curate: z.boolean(),
  export: z.boolean(),
})

/** A row of the scan list. */
export const ScanSummary = z.object({
  id: ScanId,
  name: z.string(),
  type: ScanType,
  urls: z.array(z.string()),
  priority: Priority,
  favorite: z.boolean(),
  mine: z.boolean(),
  owners: z.array(z.string()),
  rights: ScanRights,
  /** The newest completed run. */
  score: Score,
  scoreChange: z.nullable(z.number()),
  /** Scores of the last seven completed runs, oldest first. */
  recentScores: z.array(z.object({ number: Count, score: Score })),
  openIssues: z.nullable(ImpactCounts),
  pagesByHealth: z.nullable(HealthCounts),
  groups: z.array(z.object({ id: z.string(), name: z.string() })),
  presetId: z.nullable(z.string()),
  /** The newest run, whatever its state. */
  lastRun: z.nullable(RunSummary),
  createdAt: Instant,
})
export type ScanSummary = z.output<typeof ScanSummary>

/** What a list of scans can be narrowed by, each to one of several values. */
const filters = {
  groupId: z.uuid(),
  presetId: z.uuid(),
  type: ScanType,
  priority: Priority,
  status: RunStatus,
}
const search = z.optional(z.string().check(z.maxLength(500)))

/** Columns of counts: by issues, or with `Pages` by pages of that health. `Issues` may be said too. */
export const scanSortFields = [
  'name',
  'score',
  'critical',
  'serious',
  'moderate',
  'minor',
  'total',
  'criticalIssues',
  'seriousIssues',
  'moderateIssues',
  'minorIssues',
  'totalIssues',
  'criticalPages',
  'seriousPages',
  'moderatePages',
  'goodPages',
  'totalPages',
  'lastRun',
  'createdAt',
  'type',
  'priority',
  'owner',
  'status',
  'group',
] as const

export const ScanListQuery = z.object({
  ...paging,
  search,
  ...queryLists(filters),
  favorites: z._default(z.optional(queryBoolean), false),
  mine: z._default(z.optional(queryBoolean), false),
  running: z.optional(queryBoolean),
  sort: sortBy(scanSortFields),
})

/** The same in the body of a bulk call. */
export const ScanFilter = z.strictObject({
  search,
  ...bodyLists(filters),
  favorites: z._default(z.boolean(), false),
  mine: z._default(z.boolean(), false),
  running: z.optional(z.boolean()),
})
export type ScanFilter = z.output<typeof ScanFilter>

/** Never an HTTP error for a value that is merely wrong. */
export const Validation = z.union([
  z.object({ success: z.literal(true) }),
  z.object({
    success: z.literal(false),
    message: z.string(),
    code: z.string(),
    params: z.record(z.string(), z.union([z.string(), z.number()])),
  }),
])
