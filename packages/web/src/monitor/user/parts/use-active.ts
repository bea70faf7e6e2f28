import type { ScanId } from '@clearway/contract/kit/id.ts'
import { useEffect, useSyncExternalStore } from 'react'
import { useSession } from '../model.ts'
import { type Active, activeOf, onActive, rememberActive } from '../model-memory.ts'

/** Remembers which scans a list looks at, so that the next list looks at the same. */
export function useActive({ scanId, run }: { scanId: ScanId[]; run?: number | undefined }): void {
  const { permissions } = useSession()
  const chosen = scanId.join()
  useEffect(() => {
    const ids = chosen === '' ? [] : (chosen.split(',') as ScanId[])
    rememberActive(permissions.username, { scanId: ids, run })
  }, [permissions.username, chosen, run])
}

/** The scans that the lists look at now. */
export function useActiveNow(): Active {
  const { permissions } = useSession()
  // A text, since a snapshot has to be equal while nothing changes.
  const now = useSyncExternalStore(onActive, () => JSON.stringify(activeOf(permissions.username)))
  return JSON.parse(now) as Active
}
