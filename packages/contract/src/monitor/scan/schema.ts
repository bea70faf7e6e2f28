import * as z from 'zod/mini'
import { NameText } from '../../kit/name.ts'
import { PresetId, ScanId } from '../../kit/id.ts'
import { defaultLimits } from '../../kit/limit.ts'
import { pagingQuery, queryBoolean, queryLists, searchTextQuery, sortQuery } from '../../kit/paging.ts'
import { createBodyLists, everythingField } from '../../kit/selection.ts'
import { Count } from '../../kit/count.ts'
import { Instant } from '../../kit/time.ts'
import { ScanAccessBody } from '../access/schema.ts'
import { CommonComponents } from '../component/schema.ts'
import { NotificationOptions } from '../notification/schema.ts'
import { defaultRuleSet, ImpactCounts, RuleSet } from '../ruleset/schema.ts'
import { HealthCounts, RunStatus, RunSummary, Score } from '../run/schema.ts'
import { Schedule } from '../schedule/schema.ts'
import { EnvironmentVariable, ScriptType } from '../script/schema.ts'
import { ScanSession, SignInWay } from '../session/schema.ts'
import { AdvancedSettings } from './advanced/schema.ts'
import { Sources, UrlRule } from './crawl/schema.ts'

export const ScanType = z.enum(['quick', 'standard', 'large', 'custom'])
export type ScanType = z.output<typeof ScanType>

/** Limits of each type. A depth of null is unlimited; a folder scan stays in the folders of its start URLs. */
export const scanTypeLimits = {
  quick: { depth: 1, pageLimit: 100, folder: false },
  standard: { depth: null, pageLimit: 1000, folder: true },
  large: { depth: 5, pageLimit: 5000, folder: false },
} as const

/** Returns the page limit of a run: that of its type, or of a custom scan's settings. */
export const getPageLimit = ({ type, pageLimit }: { type: ScanType; pageLimit: number }): number =>
  type === 'custom' ? pageLimit : scanTypeLimits[type].pageLimit

export const Priority = z.enum(['high', 'medium', 'low'])

const createDefaulted = <T extends z.ZodMiniType>(valueType: T, value: z.output<T>) => z._default(valueType, value as never)

/** Values are secrets: null keeps the stored one, and is returned to readers. */
const ScanVariable = z.strictObject({ name: EnvironmentVariable.shape.name, value: z.nullable(EnvironmentVariable.shape.value) })

/** Scripts of a scan: its own ones, shared ones by id (at most one SESSION script in total), and their variables. */
export const ScanScripts = z.strictObject({
  own: createDefaulted(
    z
      .array(
        z.strictObject({
          name: NameText,
          type: ScriptType,
          text: z.string().check(z.minLength(1), z.maxLength(defaultLimits.scriptLength)),
        }),
      )
      .check(z.maxLength(50)),
    [],
  ),
  shared: createDefaulted(z.array(z.uuid()).check(z.maxLength(50)), []),
  variables: createDefaulted(z.array(ScanVariable).check(z.maxLength(defaultLimits.scriptVariables)), []),
})
export type ScanScripts = z.output<typeof ScanScripts>

/** A setting: its schema, and a sentence for the API description and the documentation. A schema that others use is cloned. */
const createSetting = <T extends z.ZodMiniType>(about: string, schema: T) => ({ about, schema })

/** Settings of a scan, one row each. `advanced` has its own rows in its folder. */
const scanSettingsTable = {
  name: createSetting('Name of the scan; no two scans have the same name', z.clone(NameText)),
  type: createSetting('Size of the scan; a custom scan has its own depth and page limit', createDefaulted(ScanType, 'standard')),
  urls: createSetting(
    'Start URLs: http or https, without credentials',
    z
      .array(z.string().check(z.trim(), z.minLength(1), z.maxLength(4000)))
      .check(z.minLength(1), z.maxLength(defaultLimits.startUrls)),
  ),
  domains: createSetting(
    'Hosts that belong to the scan (`example.org`, `*.example.org`, `localhost:8080`); if empty, the hosts of the start URLs',
    createDefaulted(
      z.array(z.string().check(z.trim(), z.minLength(1), z.maxLength(300))).check(z.maxLength(defaultLimits.startUrls)),
      [],
    ),
  ),
  depth: createSetting(
    'For a custom scan: levels of links below the start URLs; none for no limit',
    createDefaulted(z.nullable(z.int().check(z.minimum(0), z.maximum(defaultLimits.depth))), null),
  ),
  pageLimit: createSetting(
    'For a custom scan: maximum number of pages of a run',
    createDefaulted(z.int().check(z.minimum(1), z.maximum(defaultLimits.pageLimit)), scanTypeLimits.standard.pageLimit),
  ),
  priority: createSetting('Which of several waiting scans runs first', createDefaulted(Priority, 'medium')),
  ruleSet: createSetting('Version of axe-core, standard and kinds of rules to test by', createDefaulted(RuleSet, defaultRuleSet)),
  sources: createSetting('Sources of URLs besides the start URLs', z.prefault(Sources, {})),
  includeRules: createSetting(
    'If there are any, only URLs that match one of them are in scope; start URLs always are',
    createDefaulted(z.array(UrlRule).check(z.maxLength(200)), []),
  ),
  excludeRules: createSetting(
    'URLs that match one of them are excluded',
    createDefaulted(z.array(UrlRule).check(z.maxLength(200)), []),
  ),
  commonComponents: createSetting(
    'Parts that many pages share; an issue in one is reported once per run',
    createDefaulted(z.nullable(CommonComponents), null),
  ),
  scripts: createSetting('Scripts of the scan and shared ones, with their variables', z.prefault(ScanScripts, {})),
  session: createSetting(
    "How the scan signs in if the site's server asks for it, and how it recognizes that it is signed in",
    z.prefault(ScanSession, {}),
  ),
  advanced: createSetting('Settings that most scans never change', z.prefault(AdvancedSettings, {})),
  schedule: createSetting('When the scan runs automatically', createDefaulted(Schedule, { frequency: 'manual' })),
  notification: createSetting(
    'Who gets mail about runs of the scan, and about which events',
    z.prefault(NotificationOptions, {}),
  ),
  presetId: createSetting(
    'Preset whose values apply to the settings that it contains',
    createDefaulted(z.nullable(PresetId), null),
  ),
  sendToReports: createSetting(
    'Whether summaries of ended runs go to the reporting product, if one is configured',
    createDefaulted(z.boolean(), true),
  ),
  access: createSetting(
    'Teams and groups, only in a request body; if omitted, they stay as they are; `/scans/{id}/access` returns them',
    z.optional(ScanAccessBody),
  ),
}
type SettingName = keyof typeof scanSettingsTable
export const scanSettingRows = Object.entries(scanSettingsTable) as [SettingName, { about: string; schema: z.ZodMiniType }][]

/** A scan's settings: the body of create and update, and the reply of `/settings`. */
export const ScanSettings = z.strictObject(
  Object.fromEntries(scanSettingRows.map(([name, { schema }]) => [name, schema])) as {
    [K in SettingName]: (typeof scanSettingsTable)[K]['schema']
  },
)
export type ScanSettings = z.output<typeof ScanSettings>

export const StoredScanSettings = z.object({
  id: ScanId,
  settings: ScanSettings,
  /** Send it back on update: an older version fails with `edit-conflict`. */
  version: Count,
  /** Patterns of links that ended the session of a run: later runs leave them out. */
  signOutUrls: z._default(z.array(z.string()), []),
  createdAt: Instant,
  updatedAt: Instant,
})
export type StoredScanSettings = z.output<typeof StoredScanSettings>

export const ScanUpdate = z.strictObject({ settings: ScanSettings, version: Count })

export const ScanTag = z.string().check(
  z.trim(),
  z.minLength(1),
  z.maxLength(50),
  z.refine((text) => !/\p{Cc}/u.test(text)),
)
export const maxScanTags = 50

/** The reader's rights on a scan, so that the web hides actions that the server would refuse. */
export const ScanRights = z.object({
  run: z.boolean(),
  manage: z.boolean(),
  discuss: z.boolean(),
  curate: z.boolean(),
  export: z.boolean(),
})

export const ScanName = z.object({ id: ScanId, name: z.string() })

export const ScanSummary = z.object({
  id: ScanId,
  name: z.string(),
  type: ScanType,
  urls: z.array(z.string()),
  priority: Priority,
  favorite: z.boolean(),
  mine: z.boolean(),
  /** Names; null if the account was deleted. */
  owners: z.array(z.nullable(z.string())),
  rights: ScanRights,
  /** The newest completed run. */
  score: Score,
  /** Since the previous run, with the same ignored issues in both. */
  scoreChange: z.nullable(z.number()),
  /** Part of the difference of the scores that decisions caused, such as ignored issues. */
  scoreChangeByDecisions: z.nullable(z.number()),
  /** Ignored issues of the newest completed run. */
  ignoredIssues: z.nullable(Count),
  /** Scores of the last seven completed runs, oldest first. */
  recentScores: z.array(z.object({ number: Count, score: Score })),
  openIssues: z.nullable(ImpactCounts),
  pagesByHealth: z.nullable(HealthCounts),
  groups: z.array(z.object({ id: z.string(), name: z.string() })),
  tags: z.array(z.string()),
  presetId: z.nullable(z.string()),
  /** How the scan signs in; empty if it does not. */
  signIn: z._default(z.array(SignInWay), []),
  /** True while admins of a scan from before driven pages may decide about them. */
  offersDriving: z._default(z.boolean(), false),
  /** The newest run, regardless of its state. */
  lastRun: z.nullable(RunSummary),
  /** Next scheduled start; null without a schedule. */
  nextRunAt: z.nullable(Instant),
  createdAt: Instant,
})
export type ScanSummary = z.output<typeof ScanSummary>

const scanFilterSchemas = {
  groupId: z.uuid(),
  presetId: z.uuid(),
  type: ScanType,
  priority: Priority,
  status: RunStatus,
  tag: ScanTag,
}

/** Sort fields. Counts are by issues, or with the suffix `Pages` by pages of that health; the suffix `Issues` is optional. */
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
  ...pagingQuery,
  search: searchTextQuery,
  ...queryLists(scanFilterSchemas),
  favorites: z._default(z.optional(queryBoolean), false),
  mine: z._default(z.optional(queryBoolean), false),
  running: z.optional(queryBoolean),
  sort: sortQuery(scanSortFields),
})

/** The same filters in the body of a bulk call. */
export const ScanFilter = z.strictObject({
  ...everythingField,
  search: searchTextQuery,
  ...createBodyLists(scanFilterSchemas),
  favorites: z._default(z.boolean(), false),
  mine: z._default(z.boolean(), false),
  running: z.optional(z.boolean()),
})
export type ScanFilter = z.output<typeof ScanFilter>

/** Invalid values are reported here, never as an HTTP error. */
export const Validation = z.union([
  z.object({ success: z.literal(true) }),
  z.object({
    success: z.literal(false),
    message: z.string(),
    code: z.string(),
    params: z.record(z.string(), z.union([z.string(), z.number()])),
  }),
])
