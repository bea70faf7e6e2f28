import type { FieldError } from '@clearway/contract/kit/problem.ts'
import type { Limits } from '@clearway/contract/kit/limit.ts'
import type { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import { scheduleErrors } from '@clearway/contract/monitor/schedule/model.ts'
import type { Caller } from '../../../kit/http/answer.ts'
import { type Requester, type GrantDeps, findGroupErrors, findTeamErrors } from '../../access/grant/service.ts'
import { isAccessUnchanged, replaceGroups, replaceTeams } from '../../access/grant/store.ts'
import type { MonitorDb } from '../../database.ts'
import { keepSubscription, subscribes } from '../../notification/store.ts'
import { checkAgainstPreset, canLeavePreset } from '../../preset/service.ts'
import { keepSchedule } from '../../schedule/service.ts'
import { scanScriptErrors } from '../../script/service.ts'
import { isHeaderSecret, mayKeepOf, scanSecrets } from '../../session/model.ts'
import {
  headersFrom,
  keepSecrets,
  keystoreErrors,
  type SessionDeps,
  withoutSecrets,
} from '../../session/service.ts'
import { settingsErrors } from '../model.ts'

export type SaveDeps = SessionDeps & GrantDeps & { limits: Limits }

/** Settings ready to be stored, and what is written with them in one transaction; or what is wrong with them. */
export type Prepared =
  | {
      ok: true
      settings: ScanSettings
      /** Whether what is saved beside the settings is still what the form was filled in from. */
      still: (trx: MonitorDb) => Promise<boolean>
      also: (trx: MonitorDb) => Promise<void>
    }
  | { ok: false; errors: FieldError[] }

const unprefixed = (error: FieldError): FieldError => ({
  ...error,
  path: error.path.replace(/^settings\./, ''),
})

async function accessErrors(
  deps: SaveDeps,
  asker: Requester,
  scanId: string,
  access: ScanSettings['access'],
): Promise<FieldError[]> {
  if (!access) return []
  const errors = [
    ...(await findTeamErrors(deps, asker, 'teams', access.teams)),
    ...(access.groups ? await findGroupErrors(deps, asker, scanId, access.groups) : []),
  ]
  return errors.map((error) => ({ ...error, path: `access.${error.path}` }))
}

async function leaveErrors(
  deps: SaveDeps,
  asker: Requester,
  sent: ScanSettings,
  before: ScanSettings | null,
): Promise<FieldError[]> {
  const may = await canLeavePreset(deps, asker.caller, before?.presetId ?? null, sent.presetId)
  return may ? [] : [{ path: 'presetId', code: 'locked-by-preset', params: {} }]
}

/**
 * Looks at everything that a scan's settings reach beyond themselves: preset, schedule, scripts, secrets, teams. Secrets and
 * what is personal are taken out of what is stored whole.
 * @param before the stored settings; null for a scan that is new
 */
export async function prepareSave(
  deps: SaveDeps,
  asker: Requester,
  scanId: string,
  sent: ScanSettings,
  before: ScanSettings | null,
): Promise<Prepared> {
  const checked = await checkAgainstPreset(deps, sent, before)
  const byPreset = (await headersFrom(deps, checked.settings.presetId)) !== null
  const secrets = await keepSecrets(
    deps,
    scanId,
    scanSecrets(checked.settings).filter(({ name }) => !(byPreset && isHeaderSecret(name))),
    before ? mayKeepOf(checked.settings, before) : undefined,
  )
  const errors = [
    ...settingsErrors(checked.settings, deps.limits).map(unprefixed),
    ...checked.errors,
    ...(await leaveErrors(deps, asker, sent, before)),
    ...scheduleErrors('schedule', sent.schedule, new Date(), before?.schedule),
    ...(await scanScriptErrors(deps, sent.scripts)),
    ...secrets.errors,
    ...(await keystoreErrors(deps, asker.caller, scanId, sent)),
    ...(await accessErrors(deps, asker, scanId, sent.access)),
  ]
  if (errors.length > 0) return { ok: false, errors: errors.slice(0, 100) }
  const { access, ...rest } = withoutSecrets(checked.settings)
  const settings: ScanSettings = { ...rest, notification: { ...rest.notification, me: false } }
  return {
    ok: true,
    settings,
    still: (trx) => (access ? isAccessUnchanged(trx, scanId, access.version) : Promise.resolve(true)),
    also: async (trx) => {
      await secrets.write(trx)
      await keepSchedule(trx, scanId, settings.schedule, before?.schedule ?? null)
      await keepSubscription(trx, scanId, asker.caller.id, sent.notification.me)
      if (access) await replaceTeams(trx, { scanId }, access.teams)
      if (access?.groups) await replaceGroups(trx, scanId, access.groups)
    },
  }
}

/** Without what signs in as whom, and other people's addresses: those are for who may edit the scan. */
function forReaders(stored: ScanSettings): ScanSettings {
  const { connection } = stored.session
  const nameless = connection && 'username' in connection ? { ...connection, username: '–' } : connection
  return {
    ...stored,
    advanced: { ...stored.advanced, extraHeaders: [] },
    session: { ...stored.session, connection: nameless },
    notification: { ...stored.notification, specificUsers: [] },
  }
}

/**
 * The settings that a reader may see: only their own subscription; headers, which may hold keys, only for those who may edit
 * them; nothing of accounts and people for a guest.
 */
export async function presentedTo(
  deps: { db: MonitorDb },
  caller: Caller,
  scanId: string,
  stored: ScanSettings,
  mayEdit: boolean,
): Promise<ScanSettings> {
  const settings = mayEdit ? stored : forReaders(stored)
  if (caller.guestOf === undefined) {
    const me = await subscribes(deps, scanId, caller.id)
    return { ...settings, notification: { ...settings.notification, me } }
  }
  return {
    ...settings,
    scripts: { own: [], shared: [], variables: [] },
    session: { connection: null, mark: null },
    notification: { events: [], allTeamMembers: false, me: false, specificUsers: [] },
  }
}
