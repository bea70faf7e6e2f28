import { queryOptions } from '@tanstack/react-query'
import type { MonitorApi } from '../user/model.ts'

/** Loads the versions of axe-core and the standards; they change only with the server. */
export const axeSupportedQuery = (apiClient: MonitorApi) =>
  queryOptions({ queryKey: ['axe-supported'], queryFn: ({ signal }) => apiClient.axeSupported({}, signal), staleTime: Infinity })
