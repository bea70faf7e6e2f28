import type { AdvancedSettings } from '@clearway/contract/monitor/scan/schema.ts'
import type { RuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'

/** What one scan run works by: the scan's settings with its type resolved, nothing of users or databases. */
export type ScanPlan = {
  urls: readonly string[]
  /** Host patterns: `example.org`, `*.example.org`, with `:port` where it is not the default. Never empty. */
  domains: readonly string[]
  /** Levels below the start URLs; null for no end. */
  depth: number | null
  pageLimit: number
  ruleSet: RuleSet
  advanced: AdvancedSettings
  /** Addresses allowed in spite of being private: CIDR blocks, addresses, or `all`. */
  allowPrivate: readonly string[]
  /** Pages in work at once in this process. */
  concurrency: number
}
