import type { HeaderSetting } from '@clearway/contract/monitor/scan/crawl/schema.ts'
import { pageLimitOf, scanTypes, type ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import type { ScanPlan, PlannedConnection, PlannedScript, PlannedSession } from '@clearway/engine/settings.ts'
import type { SessionConnection } from '@clearway/contract/monitor/session/schema.ts'
import { scriptsForRun } from '../../script/service.ts'
import { type SecretDeps, settingsWithSecrets } from '../../session/service.ts'

/** What a run works by: the scan's type resolved into depth, limit and folder, and its hosts named. */
export function planOf(
  settings: ScanSettings,
  {
    headers,
    ...options
  }: { allowPrivate: readonly string[]; concurrency: number; allowEval: boolean } & PlannedSecrets,
): ScanPlan {
  const type =
    settings.type === 'custom'
      ? { depth: settings.depth, folder: settings.advanced.restrictToFolder }
      : scanTypes[settings.type]
  const hosts = settings.urls.map((url) => URL.parse(url)?.host).filter((host) => host !== undefined)
  return {
    urls: settings.urls,
    domains: settings.domains.length > 0 ? settings.domains : [...new Set(hosts)],
    depth: type.depth,
    pageLimit: pageLimitOf(settings),
    ruleSet: settings.ruleSet,
    sources: settings.sources,
    includeRules: settings.includeRules,
    excludeRules: settings.excludeRules,
    commonComponents: settings.commonComponents,
    advanced: {
      ...settings.advanced,
      restrictToFolder: settings.advanced.restrictToFolder || type.folder,
      extraHeaders: headers,
    },
    ...options,
  }
}

export type PlannedSecrets = { scripts: PlannedScript[]; session: PlannedSession; headers: HeaderSetting[] }

/** A connection with its secrets; null when one of them cannot be opened. */
function connectionOf(connection: SessionConnection): PlannedConnection | null {
  if (connection.authType === 'client_cer') {
    const { authType, keystore, keystoreType, keystorePassword } = connection
    if (keystore === null || keystorePassword === null) return null
    return { authType, keystoreType, keystorePassword, keystore: Buffer.from(keystore, 'base64') }
  }
  const { authType, username, password } = connection
  return password === null ? null : { authType, username, password }
}

/**
 * What a run needs to sign in, to walk scripts and to send with each request, with its secrets in the clear: for the engine, and nobody else.
 * @returns what cannot be opened instead, in a sentence, when the key is not the one that they were sealed with
 */
export const secretsForRun = async (
  deps: SecretDeps,
  scanId: string,
  stored: ScanSettings,
): Promise<PlannedSecrets | { missing: string }> =>
  plannedSecrets(deps, await settingsWithSecrets(deps, scanId, stored))

/** The same of settings that have their secrets in place already. */
export async function plannedSecrets(
  deps: SecretDeps,
  settings: ScanSettings,
): Promise<PlannedSecrets | { missing: string }> {
  const { scripts, missing } = await scriptsForRun(deps, settings.scripts)
  const connection = settings.session.connection && connectionOf(settings.session.connection)
  const lost = [
    ...(settings.session.connection && !connection ? ['the credentials of the session'] : []),
    ...missing.map((name) => `the variable ${name}`),
    ...settings.advanced.extraHeaders.flatMap(({ name, value }) =>
      value === null ? [`the header ${name}`] : [],
    ),
  ]
  if (lost.length > 0)
    return {
      missing:
        `The server cannot open ${lost.join(', ')}. Enter it again, or give the server its key back.` +
        // Settings may be older than that rule.
        (settings.presetId !== null && settings.advanced.extraHeaders.length > 0
          ? ' Headers of a preset go only to domains that the preset itself names.'
          : ''),
    }
  const planned = ({ name, text, variables }: (typeof scripts)[number]): PlannedScript => ({
    name,
    text,
    variables,
  })
  const signIn = scripts.find(({ type }) => type === 'SESSION')
  return {
    scripts: scripts.filter(({ type }) => type === 'TASK').map(planned),
    session: { connection, script: signIn ? planned(signIn) : null, mark: settings.session.mark },
    headers: settings.advanced.extraHeaders,
  }
}
