import { configApi } from './config/api.ts'
import { healthApi } from './health/api.ts'
import { issueApi } from './issue/api.ts'
import { pageApi } from './page/api.ts'
import { rulesetApi } from './ruleset/api.ts'
import { runApi } from './run/api.ts'
import { scanApi } from './scan/api.ts'
import { userApi } from './user/api.ts'

/** Every call of the monitor service, below `apiUrl` but for those of `configApi`. */
export const monitorApi = {
  ...healthApi,
  ...userApi,
  ...rulesetApi,
  ...scanApi,
  ...runApi,
  ...pageApi,
  ...issueApi,
}
export { configApi }
