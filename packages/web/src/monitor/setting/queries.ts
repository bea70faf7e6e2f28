import type { QuotaBody, RetentionBody, SystemSettingsBody } from '@clearway/contract/monitor/setting/schema.ts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useMutation } from '../../kit/client/use-mutation.ts'
import { type MonitorApi, useSession } from '../user/model.ts'

/** Loads the permission to create scans. */
export const systemSettingsQuery = (apiClient: MonitorApi) =>
  queryOptions({
    queryKey: ['system-settings'],
    queryFn: ({ signal }) => apiClient.readSystemSettings({}, signal),
    // Never refetched while a form is filled from it.
    staleTime: Infinity,
    gcTime: 0,
  })

export function useSaveSystemSettings() {
  const { api: apiClient } = useSession()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: SystemSettingsBody) => apiClient.updateSystemSettings({ body }),
    onSuccess: (savedSettings) => queryClient.setQueryData(systemSettingsQuery(apiClient).queryKey, savedSettings),
  })
}

export const retentionQuery = (apiClient: MonitorApi) =>
  queryOptions({
    queryKey: ['system-settings', 'retention'],
    queryFn: ({ signal }) => apiClient.readRetention({}, signal),
    // Never refetched while a form is filled from it.
    staleTime: Infinity,
    gcTime: 0,
  })

export function useSaveRetention() {
  const { api: apiClient } = useSession()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: RetentionBody) => apiClient.updateRetention({ body }),
    onSuccess: (savedRetention) => queryClient.setQueryData(retentionQuery(apiClient).queryKey, savedRetention),
  })
}

export const quotaUseQuery = (apiClient: MonitorApi) =>
  queryOptions({ queryKey: ['system-settings', 'quotas', 'use'], queryFn: ({ signal }) => apiClient.readQuotaUse({}, signal) })

export const quotasQuery = (apiClient: MonitorApi) =>
  queryOptions({
    queryKey: ['system-settings', 'quotas'],
    queryFn: ({ signal }) => apiClient.readQuotas({}, signal),
    // Never refetched while a form is filled from it.
    staleTime: Infinity,
    gcTime: 0,
  })

export function useSaveQuotas() {
  const { api: apiClient } = useSession()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: QuotaBody) => apiClient.updateQuotas({ body }),
    onSuccess: (savedQuotas) => queryClient.setQueryData(quotasQuery(apiClient).queryKey, savedQuotas),
  })
}
