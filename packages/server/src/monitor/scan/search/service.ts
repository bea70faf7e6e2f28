import type { Caller } from '../../../kit/http/answer.ts'
import { allowedScans, visibleScans } from '../../access/store.ts'
import type { MonitorDb } from '../../database.ts'
import { runsInView } from '../../page/store.ts'
import { searchPages, searchPeople, searchRules, searchScans } from './store.ts'

/** Search results that the caller may see, using two connections. Guests see one scan, and no names of people. */
export async function searchAll(deps: { db: MonitorDb }, caller: Caller, searchText: string) {
  const callerScans = visibleScans(caller)
  const searchNames = async () => ({
    scans: await searchScans(deps, callerScans, searchText),
    rules: await searchRules(deps, searchText),
    people: caller.guestOf === undefined ? await searchPeople(deps, allowedScans(caller, 'scan.discuss'), searchText) : [],
  })
  const [namedResults, pageResults] = await Promise.all([
    searchNames(),
    searchPages(deps, runsInView(callerScans, { scanId: [] }), searchText),
  ])
  return { ...namedResults, pages: pageResults ?? [], complete: pageResults !== null }
}
