import { queryOptions } from '@tanstack/react-query'
import type { MonitorApi } from '../user/model.ts'

/** Versions of axe-core and standards; they change only with the server. */
export const axeSupportedQuery = (api: MonitorApi) =>
  queryOptions({
    queryKey: ['axe-supported'],
    queryFn: ({ signal }) => api.axeSupported({}, signal),
    staleTime: Infinity,
  })
