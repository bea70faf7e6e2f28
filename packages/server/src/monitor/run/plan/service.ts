import type { HeaderSetting } from '@clearway/contract/monitor/scan/crawl/schema.ts'
import { getPageLimit, scanTypeLimits, type ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import { planSignIn } from '@clearway/contract/monitor/session/model.ts'
import type { ScanPlan, PlannedScript, PlannedSession } from '@clearway/engine/settings.ts'
import { readRunScripts } from '../../script/service.ts'
import { type SecretDeps, readSettingsWithSecrets } from '../../session/service.ts'

/** Resolves settings to a run's plan: the scan type into depth, limit and folder, and the hosts to scan. */
export function createPlan(
  settings: ScanSettings,
  {
    headers,
    ...options
  }: {
    allowPrivate: readonly string[]
    concurrency: number
    allowEval: boolean
    signOutUrls: readonly string[]
  } & PlannedSecrets,
): ScanPlan {
  const scanType =
    settings.type === 'custom'
      ? { depth: settings.depth, folder: settings.advanced.restrictToFolder }
      : scanTypeLimits[settings.type]
  const startHosts = settings.urls.map((url) => URL.parse(url)?.host).filter((startHost) => startHost !== undefined)
  return {
    urls: settings.urls,
    domains: settings.domains.length > 0 ? settings.domains : [...new Set(startHosts)],
    depth: scanType.depth,
    pageLimit: getPageLimit(settings),
    ruleSet: settings.ruleSet,
    sources: settings.sources,
    includeRules: settings.includeRules,
    excludeRules: settings.excludeRules,
    commonComponents: settings.commonComponents,
    advanced: {
      ...settings.advanced,
      restrictToFolder: settings.advanced.restrictToFolder || scanType.folder,
      extraHeaders: headers,
    },
    ...options,
  }
}

export type PlannedSecrets = { scripts: PlannedScript[]; session: PlannedSession; headers: HeaderSetting[] }

/**
 * Decrypted secrets of a run for sign-in, scripts and request headers. Only for the engine.
 * @returns a sentence about secrets that cannot be decrypted, when they were sealed with another key
 */
export const readRunSecrets = async (
  deps: SecretDeps,
  scanId: string,
  storedSettings: ScanSettings,
): Promise<PlannedSecrets | { missing: string }> => planSecrets(deps, await readSettingsWithSecrets(deps, scanId, storedSettings))

/** The same for settings that already contain their secrets. */
export async function planSecrets(deps: SecretDeps, settings: ScanSettings): Promise<PlannedSecrets | { missing: string }> {
  const { scripts: runScripts, missing: missingVariables } = await readRunScripts(deps, settings.scripts)
  const plannedSignIn = planSignIn(settings.session.connection)
  const missingSecrets = [
    ...(plannedSignIn ? [] : ['the credentials of the session']),
    ...missingVariables.map((name) => `the variable ${name}`),
    ...settings.advanced.extraHeaders.flatMap(({ name, value }) => (value === null ? [`the header ${name}`] : [])),
  ]
  if (plannedSignIn === null || missingSecrets.length > 0)
    return {
      missing:
        `The server cannot open ${missingSecrets.join(', ')}. Enter it again, or give the server its key back.` +
        // Settings may be older than that check.
        (settings.presetId !== null && settings.advanced.extraHeaders.length > 0
          ? ' Headers of a preset go only to domains that the preset itself names.'
          : ''),
    }
  const toPlannedScript = ({ name, text, variables }: (typeof runScripts)[number]): PlannedScript => ({ name, text, variables })
  const signInScript = runScripts.find(({ type }) => type === 'SESSION')
  return {
    scripts: runScripts.filter(({ type }) => type === 'TASK').map(toPlannedScript),
    session: {
      ...plannedSignIn,
      script: signInScript ? toPlannedScript(signInScript) : null,
      mark: settings.session.mark,
    },
    headers: settings.advanced.extraHeaders,
  }
}
