import { auditApi } from './audit/api.ts'
import { configApi } from './config/api.ts'
import { healthApi } from './health/api.ts'
import { issueApi } from './issue/api.ts'
import { issueBulkApi } from './issue/bulk/api.ts'
import { issueIgnoreApi } from './issue/ignore/api.ts'
import { pageApi } from './page/api.ts'
import { rulesetApi } from './ruleset/api.ts'
import { runApi } from './run/api.ts'
import { branchApi } from './run/branch/api.ts'
import { recheckApi } from './run/recheck/api.ts'
import { previewApi } from './run/preview/api.ts'
import { scanApi } from './scan/api.ts'
import { scanBulkApi } from './scan/bulk/api.ts'
import { scanDraftApi } from './scan/draft/api.ts'
import { goalApi } from './scan/goal/api.ts'
import { rollupApi } from './scan/rollup/api.ts'
import { searchApi } from './scan/search/api.ts'
import { accessApi } from './access/api.ts'
import { groupApi } from './group/api.ts'
import { notificationApi } from './notification/api.ts'
import { inboxApi } from './notification/inbox/api.ts'
import { presetApi } from './preset/api.ts'
import { scheduleApi } from './schedule/api.ts'
import { scriptApi } from './script/api.ts'
import { sessionApi } from './session/api.ts'
import { settingApi } from './setting/api.ts'
import { shareApi } from './share/api.ts'
import { userApi } from './user/api.ts'
import { apiKeyApi } from './user/key/api.ts'
import { viewApi } from './view/api.ts'
import { publicApi } from './user/public/api.ts'

/** All endpoints of the monitor service, relative to `apiUrl` except those of `configApi`. */
export const monitorApi = {
  ...healthApi,
  ...userApi,
  ...apiKeyApi,
  ...rulesetApi,
  ...scanApi,
  ...scanBulkApi,
  ...scanDraftApi,
  ...goalApi,
  ...rollupApi,
  ...searchApi,
  ...runApi,
  ...previewApi,
  ...recheckApi,
  ...branchApi,
  ...pageApi,
  ...issueApi,
  ...shareApi,
  ...settingApi,
  ...sessionApi,
  ...scriptApi,
  ...scheduleApi,
  ...presetApi,
  ...notificationApi,
  ...inboxApi,
  ...groupApi,
  ...accessApi,
  ...auditApi,
  ...issueBulkApi,
  ...issueIgnoreApi,
  ...viewApi,
}
export { configApi, publicApi }
