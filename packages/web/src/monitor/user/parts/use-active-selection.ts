import type { ScanId } from '@clearway/contract/kit/id.ts'
import { useEffect, useSyncExternalStore } from 'react'
import { useSession } from '../model.ts'
import { type ActiveSelection, readActiveSelection, onActiveSelectionChange, storeActiveSelection } from '../model-memory.ts'

/** Remembers the scans selected in a list, so that other lists select the same. */
export function useRememberSelection({ scanId, run }: { scanId: ScanId[]; run?: number | undefined }): void {
  const { permissions } = useSession()
  const serializedIds = scanId.join()
  useEffect(() => {
    const scanIds = serializedIds === '' ? [] : (serializedIds.split(',') as ScanId[])
    storeActiveSelection(permissions.username, { scanId: scanIds, run })
  }, [permissions.username, serializedIds, run])
}

export function useActiveSelection(): ActiveSelection {
  const { permissions } = useSession()
  // Serialized, because snapshots must be equal while nothing changes.
  const serializedSelection = useSyncExternalStore(onActiveSelectionChange, () =>
    JSON.stringify(readActiveSelection(permissions.username)),
  )
  return JSON.parse(serializedSelection) as ActiveSelection
}
