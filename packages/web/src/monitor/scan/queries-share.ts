import type { ScanId } from '@clearway/contract/kit/id.ts'
import { queryOptions } from '@tanstack/react-query'
import type { MonitorApi } from '../user/model.ts'

/** Loads whether a scan has a public link, and until when. */
export const shareQuery = (apiClient: MonitorApi, id: ScanId) =>
  queryOptions({
    queryKey: ['scan', id, 'share'],
    queryFn: ({ signal }) => apiClient.readPublicToken({ params: { id } }, signal),
  })
