import type { CommonComponents } from '@clearway/contract/monitor/component/schema.ts'
import type { CrawlOrder } from '@clearway/contract/monitor/run/order/schema.ts'
import type { RuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import type { Sources, UrlRule } from '@clearway/contract/monitor/scan/crawl/schema.ts'
import type { AdvancedSettings } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import type { EnvironmentVariable } from '@clearway/contract/monitor/script/schema.ts'
import type { PlannedConnection, PlannedForm } from '@clearway/contract/monitor/session/model.ts'
import type { SignInMark } from '@clearway/contract/monitor/session/schema.ts'

/** A script with its variable values, which are secret. */
export type PlannedScript = { name: string; text: string; variables: readonly EnvironmentVariable[] }

export type PlannedSession = {
  connection: PlannedConnection | null
  /** Signs in before the first page: a script of the type SESSION. */
  script: PlannedScript | null
  /** Signs in before the first page by a form that is recognized; instead of a script. */
  form?: PlannedForm | null
  mark: SignInMark | null
}

/** Input of one run: the scan's resolved settings, independent of users and databases. */
export type ScanPlan = {
  urls: readonly string[]
  /** Host patterns: `example.org`, `*.example.org`, with `:port` where it is not the default. Never empty. */
  domains: readonly string[]
  /** Levels below the start URLs; null for no limit. */
  depth: number | null
  pageLimit: number
  ruleSet: RuleSet
  advanced: AdvancedSettings
  /** Private addresses that are allowed: CIDR blocks, addresses, or `all`. */
  allowPrivate: readonly string[]
  /** Maximum number of pages in progress in this process. */
  concurrency: number
  /** Omitted: links of the start URLs only. */
  sources?: Sources
  includeRules?: readonly UrlRule[]
  excludeRules?: readonly UrlRule[]
  commonComponents?: CommonComponents | null
  /** Scripts of the type TASK: each runs once per run, and its states are pages. */
  scripts?: readonly PlannedScript[]
  /** Scripts may run custom JavaScript (`eval`). */
  allowEval?: boolean
  session?: PlannedSession | null
  /** Patterns of links that ended a session in earlier runs. */
  signOutUrls?: readonly string[]
}

/** Returns true if the scan signs in to its site. */
export const signsIn = ({ session }: Pick<ScanPlan, 'session'>): boolean =>
  session != null && (session.connection !== null || session.script !== null || session.form != null)

/** The order in which a run visits URLs. */
export const getOrder = ({ advanced }: Pick<ScanPlan, 'advanced'>): CrawlOrder =>
  advanced.representativeOrder ? 'representative' : 'breadth'
