import { defineEndpoints } from '../../kit/endpoint.ts'
import { SystemHealth, SystemHealthDetails } from './schema.ts'

export const healthApi = defineEndpoints({
  systemHealth: {
    method: 'GET',
    path: '/actuator/health/system',
    permission: 'open',
    summary: 'State of the system and its parts; 503 with the same body when down',
    reply: SystemHealth,
  },
  systemHealthDetails: {
    method: 'GET',
    path: '/actuator/health/details',
    permission: 'admin.see',
    summary: 'Detailed state with versions, numbers, messages and each process; 503 with the same body when down',
    reply: SystemHealthDetails,
  },
})
