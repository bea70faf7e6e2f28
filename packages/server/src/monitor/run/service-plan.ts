import { scanTypes, type ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import type { ScanPlan } from '@clearway/engine/settings.ts'
import type { PlannedSecrets } from './service-secret.ts'

/** What a run works by: the scan's type resolved into depth, limit and folder, and its hosts named. */
export function planOf(
  settings: ScanSettings,
  options: { allowPrivate: readonly string[]; concurrency: number; allowEval: boolean } & PlannedSecrets,
): ScanPlan {
  const type =
    settings.type === 'custom'
      ? { depth: settings.depth, pageLimit: settings.pageLimit, folder: settings.advanced.restrictToFolder }
      : scanTypes[settings.type]
  const hosts = settings.urls.map((url) => URL.parse(url)?.host).filter((host) => host !== undefined)
  return {
    urls: settings.urls,
    domains: settings.domains.length > 0 ? settings.domains : [...new Set(hosts)],
    depth: type.depth,
    pageLimit: type.pageLimit,
    ruleSet: settings.ruleSet,
    sources: settings.sources,
    includeRules: settings.includeRules,
    excludeRules: settings.excludeRules,
    commonComponents: settings.commonComponents,
    advanced: { ...settings.advanced, restrictToFolder: settings.advanced.restrictToFolder || type.folder },
    ...options,
  }
}
