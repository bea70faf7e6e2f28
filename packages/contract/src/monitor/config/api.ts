import { defineEndpoints } from '../../kit/endpoint.ts'
import { Config } from './schema.ts'

/** Relative to the origin, not to the API's base URL. */
export const configApi = defineEndpoints({
  readConfig: {
    method: 'GET',
    path: '/config',
    permission: 'open',
    summary: 'URLs, names and limits that clients need',
    reply: Config,
  },
})
