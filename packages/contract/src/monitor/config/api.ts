import { define } from '../../kit/endpoint.ts'
import { Config } from './schema.ts'

/** Below the origin, not below the API's base URL. */
export const configApi = define({
  readConfig: {
    method: 'GET',
    path: '/config',
    permission: 'open',
    summary: 'URLs, names and limits that clients need',
    reply: Config,
  },
})
