import type { Caller } from '../../../kit/http/answer.ts'
import { allowedScans, visibleScans } from '../../access/store.ts'
import type { MonitorDb } from '../../database.ts'
import { runsInView } from '../../page/store.ts'
import { pagesLike, peopleLike, rulesLike, scansLike } from './store.ts'

/** What a caller may see of what he looks for. A guest has one scan, and learns no names. */
export async function searchFor(deps: { db: MonitorDb }, caller: Caller, text: string) {
  const visible = visibleScans(caller)
  const [scans, pages, rules, people] = await Promise.all([
    scansLike(deps, visible, text),
    pagesLike(deps, runsInView(visible, { scanId: [] }), text),
    rulesLike(deps, text),
    caller.guestOf === undefined ? peopleLike(deps, allowedScans(caller, 'scan.discuss'), text) : [],
  ])
  return { scans, pages: pages ?? [], rules, people, complete: pages !== null }
}
