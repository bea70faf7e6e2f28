import type {
  QuotaBody,
  RetentionBody,
  SystemSettingsBody,
} from '@clearway/contract/monitor/setting/schema.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { MonitorApi } from '../user/model.ts'
import { useSession } from '../user/model.ts'

/** Who may create scans. */
export const systemSettingsQuery = (api: MonitorApi) =>
  queryOptions({
    queryKey: ['system-settings'],
    queryFn: ({ signal }) => api.readSystemSettings({}, signal),
    // A form is being filled in from it.
    staleTime: Infinity,
    gcTime: 0,
  })

/** Sets who may create scans. */
export function useSaveSystemSettings() {
  const { api } = useSession()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: SystemSettingsBody) => api.updateSystemSettings({ body }),
    onSuccess: (saved) => client.setQueryData(systemSettingsQuery(api).queryKey, saved),
  })
}

/** How long runs keep what they found. */
export const retentionQuery = (api: MonitorApi) =>
  queryOptions({
    queryKey: ['system-settings', 'retention'],
    queryFn: ({ signal }) => api.readRetention({}, signal),
    // A form is being filled in from it.
    staleTime: Infinity,
    gcTime: 0,
  })

/** Sets how long runs keep what they found. */
export function useSaveRetention() {
  const { api } = useSession()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: RetentionBody) => api.updateRetention({ body }),
    onSuccess: (saved) => client.setQueryData(retentionQuery(api).queryKey, saved),
  })
}

/** How much one person may have and do. */
export const quotasQuery = (api: MonitorApi) =>
  queryOptions({
    queryKey: ['system-settings', 'quotas'],
    queryFn: ({ signal }) => api.readQuotas({}, signal),
    // A form is being filled in from it.
    staleTime: Infinity,
    gcTime: 0,
  })

/** Sets how much one person may have and do. */
export function useSaveQuotas() {
  const { api } = useSession()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: QuotaBody) => api.updateQuotas({ body }),
    onSuccess: (saved) => client.setQueryData(quotasQuery(api).queryKey, saved),
  })
}
