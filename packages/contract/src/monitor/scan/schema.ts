import * as z from 'zod/mini'
import { PresetId, ScanId } from '../../kit/id.ts'
import { defaultLimits } from '../../kit/limit.ts'
import { paging, queryBoolean, queryLists, searchText, sortBy } from '../../kit/paging.ts'
import { bodyLists } from '../../kit/selection.ts'
import { Count } from '../../kit/count.ts'
import { Instant } from '../../kit/time.ts'
import { ScanAccessBody } from '../access/schema.ts'
import { CommonComponents } from '../component/schema.ts'
import { NotificationOptions } from '../notification/schema.ts'
import { defaultRuleSet, ImpactCounts, RuleSet } from '../ruleset/schema.ts'
import { HealthCounts, RunStatus, RunSummary, Score } from '../run/schema.ts'
import { Schedule } from '../schedule/schema.ts'
import { EnvironmentVariable, ScriptType } from '../script/schema.ts'
import { ScanSession } from '../session/schema.ts'
import { AdvancedSettings } from './advanced/schema.ts'
import { Sources, UrlRule } from './crawl/schema.ts'

export const ScanType = z.enum(['quick', 'standard', 'large', 'custom'])
export type ScanType = z.output<typeof ScanType>

/** What each type means. A depth of null has no end; a folder scan stays in the folders of its start URLs. */
export const scanTypes = {
  quick: { depth: 1, pageLimit: 100, folder: false },
  standard: { depth: null, pageLimit: 1000, folder: true },
  large: { depth: 5, pageLimit: 5000, folder: false },
} as const

/** How many pages a run may have: as many as its type says, or for a custom scan the number of its settings. */
export const pageLimitOf = ({ type, pageLimit }: { type: ScanType; pageLimit: number }): number =>
  type === 'custom' ? pageLimit : scanTypes[type].pageLimit

export const Priority = z.enum(['high', 'medium', 'low'])

const defaulted = <T extends z.ZodMiniType>(type: T, value: z.output<T>) => z._default(type, value as never)

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

/** A setting of a scan: what it is in a body, and a sentence for the API's description and the documentation. */
const setting = <T extends z.ZodMiniType>(about: string, schema: T) => ({ about, schema })

/** The settings of a scan, one row each. Those of `advanced` have rows of their own in its folder. */
const scanSettings = {
  name: setting(
    'Name of the scan; no two scans have the same name',
    z.string().check(z.trim(), z.minLength(1), z.maxLength(defaultLimits.nameLength)),
  ),
  type: setting(
    'Size of the scan; a custom scan has its own depth and page limit',
    defaulted(ScanType, 'standard'),
  ),
  urls: setting(
    'Start URLs: http or https, without credentials',
    z
      .array(z.string().check(z.trim(), z.minLength(1), z.maxLength(4000)))
      .check(z.minLength(1), z.maxLength(defaultLimits.startUrls)),
  ),
  domains: setting(
    'Hosts that belong to the scan (`example.org`, `*.example.org`, `localhost:8080`); if empty, the hosts of the start URLs',
    defaulted(
      z
        .array(z.string().check(z.trim(), z.minLength(1), z.maxLength(300)))
        .check(z.maxLength(defaultLimits.startUrls)),
      [],
    ),
  ),
  depth: setting(
    'For a custom scan: levels of links below the start URLs; none for no limit',
    defaulted(z.nullable(z.int().check(z.minimum(0), z.maximum(defaultLimits.depth))), null),
  ),
  pageLimit: setting(
    'For a custom scan: maximum number of pages of a run',
    defaulted(z.int().check(z.minimum(1), z.maximum(defaultLimits.pageLimit)), scanTypes.standard.pageLimit),
  ),
  priority: setting('Which of several waiting scans runs first', defaulted(Priority, 'medium')),
  ruleSet: setting('Rules to apply', defaulted(RuleSet, defaultRuleSet)),
  sources: setting('Sources of URLs besides the start URLs', z.prefault(Sources, {})),
  includeRules: setting(
    'If there are any, only URLs that match one of them are in scope; start URLs always are',
    defaulted(z.array(UrlRule).check(z.maxLength(200)), []),
  ),
  excludeRules: setting(
    'URLs that match one of them are excluded',
    defaulted(z.array(UrlRule).check(z.maxLength(200)), []),
  ),
  commonComponents: setting(
    'Parts that many pages share; an issue in one is reported once per run',
    defaulted(z.nullable(CommonComponents), null),
  ),
  scripts: setting('Scripts of the scan and shared ones, with their variables', z.prefault(ScanScripts, {})),
  session: setting(
    "How the scan signs in if the site's server asks for it, and how it recognizes that it is signed in",
    z.prefault(ScanSession, {}),
  ),
  advanced: setting('Settings that most scans never change', z.prefault(AdvancedSettings, {})),
  schedule: setting('When the scan runs automatically', defaulted(Schedule, { frequency: 'manual' })),
  notification: setting(
    'Who gets mail about runs of the scan, and about which events',
    z.prefault(NotificationOptions, {}),
  ),
  presetId: setting(
    'Preset whose values apply to the settings that it contains',
    defaulted(z.nullable(PresetId), null),
  ),
  sendToReports: setting(
    'Whether summaries of ended runs go to the reporting product, if one is configured',
    defaulted(z.boolean(), true),
  ),
  access: setting(
    'Teams and groups, only in a request body; if omitted, they stay as they are; `/scans/{id}/access` returns them',
    z.optional(ScanAccessBody),
  ),
}
type SettingName = keyof typeof scanSettings
export const scanSettingRows = Object.entries(scanSettings) as [
  SettingName,
  { about: string; schema: z.ZodMiniType },
][]

/** A scan as people edit it: the body of create and update, and what `/settings` answers. */
export const ScanSettings = z.strictObject(
  Object.fromEntries(scanSettingRows.map(([name, { schema }]) => [name, schema])) as {
    [K in SettingName]: (typeof scanSettings)[K]['schema']
  },
)
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

/** A word that people sort scans by. */
export const ScanTag = z.string().check(
  z.trim(),
  z.minLength(1),
  z.maxLength(50),
  z.refine((text) => !/\p{Cc}/u.test(text)),
)
/** The most that one scan may have. */
export const mostScanTags = 50

/** What the reader may do with a scan, so that the web shows no button that the server refuses. */
export const ScanRights = z.object({
  run: z.boolean(),
  manage: z.boolean(),
  discuss: z.boolean(),
  curate: z.boolean(),
  export: z.boolean(),
})

/** A scan to choose. */
export const ScanName = z.object({ id: ScanId, name: z.string() })

/** A row of the scan list. */
export const ScanSummary = z.object({
  id: ScanId,
  name: z.string(),
  type: ScanType,
  urls: z.array(z.string()),
  priority: Priority,
  favorite: z.boolean(),
  mine: z.boolean(),
  /** By their names; null for somebody whose account is gone. */
  owners: z.array(z.nullable(z.string())),
  rights: ScanRights,
  /** The newest completed run. */
  score: Score,
  scoreChange: z.nullable(z.number()),
  /** Scores of the last seven completed runs, oldest first. */
  recentScores: z.array(z.object({ number: Count, score: Score })),
  openIssues: z.nullable(ImpactCounts),
  pagesByHealth: z.nullable(HealthCounts),
  groups: z.array(z.object({ id: z.string(), name: z.string() })),
  tags: z.array(z.string()),
  presetId: z.nullable(z.string()),
  /** The newest run, whatever its state. */
  lastRun: z.nullable(RunSummary),
  /** When its schedule starts the next run; null without one. */
  nextRunAt: z.nullable(Instant),
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
  tag: ScanTag,
}

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
  'nextRun',
  'createdAt',
  'type',
  'priority',
  'owner',
  'status',
  'group',
] as const

export const ScanListQuery = z.object({
  ...paging,
  search: searchText,
  ...queryLists(filters),
  favorites: z._default(z.optional(queryBoolean), false),
  mine: z._default(z.optional(queryBoolean), false),
  running: z.optional(queryBoolean),
  sort: sortBy(scanSortFields),
})

/** The same in the body of a bulk call. */
export const ScanFilter = z.strictObject({
  search: searchText,
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
