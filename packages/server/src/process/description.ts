import { accountApi } from '@clearway/contract/account/api.ts'
import { providerApi } from '@clearway/contract/account/member/provider/api.ts'
import * as accountSchemas from '@clearway/contract/account/schema.ts'
import { configApi, monitorApi, publicApi } from '@clearway/contract/monitor/api.ts'
import { settingRows } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import { scanSettingRows } from '@clearway/contract/monitor/scan/schema.ts'
import * as monitorSchemas from '@clearway/contract/monitor/schema.ts'
import { ApiScope } from '@clearway/contract/monitor/user/key/schema.ts'
import { publicApiByScope } from '@clearway/contract/monitor/user/public/api.ts'
import { exampleBodies, exampleReplyValues, exampleValues } from './api-example.ts'
import { apiIntroduction, parameterTexts } from './api-text.ts'
import { placePropertyTexts } from './property-text-place.ts'
import { runPropertyTexts } from './property-text-run.ts'
import { sharedPropertyTexts } from './property-text.ts'
import { buildOpenApiDocument, type ApiService } from '../kit/openapi.ts'
import { renderPermissionMatrix } from '../kit/permission-matrix.ts'

/** Meaning of the properties of bodies and replies, by `place.name` or by name. */
export const propertyTexts: ReadonlyMap<string, string> = new Map([
  ...sharedPropertyTexts,
  ...placePropertyTexts,
  ...runPropertyTexts,
])

const publicScopes = Object.fromEntries(
  ApiScope.options.flatMap((scope) => Object.keys(publicApiByScope[scope]).map((operationId) => [operationId, scope])),
)

export const apiServices: ApiService[] = [
  { tag: 'config', base: '', table: configApi },
  { tag: 'account', base: '', table: accountApi },
  { tag: 'provider', base: '/realms/clearway', table: providerApi },
  { tag: 'monitor', base: '/monitor-api', table: monitorApi },
  { tag: 'public', base: '/monitor-public-api/v1', table: publicApi, scopes: publicScopes },
]

export const describeApi = () =>
  buildOpenApiDocument({
    services: apiServices,
    schemas: [...Object.values(accountSchemas), ...Object.values(monitorSchemas)],
    introduction: apiIntroduction,
    parameterTexts,
    propertyTexts,
    examples: { values: exampleValues, replyValues: exampleReplyValues, bodies: exampleBodies },
    sentences: [...scanSettingRows, ...settingRows].map(([, { schema, about }]) => [schema, about] as const),
  })

export const describePermissions = () => renderPermissionMatrix(apiServices)
