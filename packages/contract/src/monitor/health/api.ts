import { define } from '../../kit/endpoint.ts'
import { SystemHealth } from './schema.ts'

export const healthApi = define({
  systemHealth: {
    method: 'GET',
    path: '/actuator/health/system',
    permission: 'open',
    summary: 'State of the system and its parts; 503 with the same body when down',
    reply: SystemHealth,
  },
})
