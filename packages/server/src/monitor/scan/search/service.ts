import type { Caller } from '../../../kit/http/answer.ts'
import { allowedScans, visibleScans } from '../../access/store.ts'
import type { MonitorDb } from '../../database.ts'
import { runsInView } from '../../page/store.ts'
import { pagesLike, peopleLike, rulesLike, scansLike } from './store.ts'

/** What a caller may see of what a search finds, with two connections. A guest has one scan, and learns no names. */
export async function searchFor(deps: { db: MonitorDb }, caller: Caller, text: string) {
  const visible = visibleScans(caller)
  const named = async () => ({
    scans: await scansLike(deps, visible, text),
    rules: await rulesLike(deps, text),
    people:
      caller.guestOf === undefined ? await peopleLike(deps, allowedScans(caller, 'scan.discuss'), text) : [],
  })
  const [found, pages] = await Promise.all([
    named(),
    pagesLike(deps, runsInView(visible, { scanId: [] }), text),
  ])
  return { ...found, pages: pages ?? [], complete: pages !== null }
}
