import type { CommonComponents } from '@clearway/contract/monitor/component/schema.ts'
import type { RuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import type { Sources, UrlRule } from '@clearway/contract/monitor/scan/crawl/schema.ts'
import type { AdvancedSettings } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import type { EnvironmentVariable } from '@clearway/contract/monitor/script/schema.ts'
import type { KeystoreType, SignInMark } from '@clearway/contract/monitor/session/schema.ts'

/** A script with the values of its variables, which are secrets. */
export type PlannedScript = { name: string; text: string; variables: readonly EnvironmentVariable[] }

/** A sign-in with its secrets. */
export type PlannedConnection =
  | {
      authType: 'basic' | 'ntlm' | 'ntlm_ss' | 'kerberos'
      username: string
      password: string
    }
  | { authType: 'client_cer'; keystore: Uint8Array; keystoreType: KeystoreType; keystorePassword: string }

export type PlannedSession = {
  connection: PlannedConnection | null
  /** Signs in before the first page: a script of the type SESSION. */
  script: PlannedScript | null
  mark: SignInMark | null
}

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
  /** Left out: links of the start URLs only. */
  sources?: Sources
  includeRules?: readonly UrlRule[]
  excludeRules?: readonly UrlRule[]
  commonComponents?: CommonComponents | null
  /** Scripts of the type TASK: each is walked once a run, its states are pages. */
  scripts?: readonly PlannedScript[]
  /** Whether scripts may run JavaScript of their own (`eval`). */
  allowEval?: boolean
  session?: PlannedSession | null
}
