import type { Config as ClientConfig } from '@clearway/contract/monitor/config/schema.ts'
import { defaultLimits, type ProductLimits } from '@clearway/contract/kit/limit.ts'
import type { Config } from '../../config.ts'
import type { RetentionSettings } from '@clearway/contract/monitor/setting/schema.ts'

export const getLimits = (config: Config): ProductLimits => ({
  ...defaultLimits,
  pageLimit: config.CLEARWAY_LIMIT_PAGES,
  startUrls: config.CLEARWAY_LIMIT_START_URLS,
  depth: config.CLEARWAY_LIMIT_DEPTH,
  uploadFiles: config.CLEARWAY_LIMIT_UPLOAD_FILES,
  uploadBytes: config.CLEARWAY_LIMIT_UPLOAD_BYTES,
  importLength: config.CLEARWAY_LIMIT_IMPORT_LENGTH,
  importRows: config.CLEARWAY_LIMIT_IMPORT_ROWS,
})

/** Splits an issuer into Keycloak's URL and realm: `{url}/realms/{realm}`. */
function parseRealm(issuer: string): { url: string; realm: string } {
  const [, keycloakUrl = issuer, realm = ''] = /^(.*)\/realms\/([^/]+)$/.exec(issuer) ?? []
  return { url: keycloakUrl, realm }
}

/** Settings that clients need before the sign-in. */
export function buildClientConfig(config: Config, buildInfo: { issuer: string; version: string; build: string }): ClientConfig {
  const { url: keycloakUrl, realm } = parseRealm(buildInfo.issuer)
  return {
    apiUrl: '/monitor-api',
    keycloakUrl,
    realmId: realm,
    publicClientId: config.CLEARWAY_OIDC_CLIENT,
    resourceClientId: config.CLEARWAY_OIDC_RESOURCE,
    supportUrl: config.CLEARWAY_SUPPORT_URL,
    axeReportsUrl: config.CLEARWAY_REPORTS_URL,
    axeAccountUrl: config.CLEARWAY_ACCOUNT_URL?.replace(/(?<!\/)\/+$/, '') ?? '',
    helpDocsUrl: config.CLEARWAY_HELP_URL,
    productName: config.CLEARWAY_PRODUCT_NAME,
    version: buildInfo.version,
    build: buildInfo.build,
    products: config.CLEARWAY_PRODUCTS,
    euroUrl: config.CLEARWAY_EURO_URL,
    enableAnalytics: config.CLEARWAY_ANALYTICS_KEY !== null,
    analyticsApiKey: config.CLEARWAY_ANALYTICS_KEY,
    flags: { addIssueLabel: config.CLEARWAY_FLAG_ISSUE_LABEL, showSystemStatus: config.CLEARWAY_FLAG_SYSTEM_STATUS },
    limits: { ...getLimits(config) },
  }
}

export const getReportTarget = ({
  CLEARWAY_REPORTS_INGEST_URL: url,
  CLEARWAY_REPORTS_SECRET: secret,
}: Config): { url: string; secret: string } | null => (url && secret ? { url, secret } : null)

/** Configured retention of runs and their contents; an administrator's saved settings override it. */
export const getRetention = (config: Config): RetentionSettings => ({
  contentDays: config.CLEARWAY_KEEP_CONTENT_DAYS,
  archiveDays: config.CLEARWAY_ARCHIVE_DAYS,
  deleteDays: config.CLEARWAY_DELETE_DAYS,
  keepRuns: config.CLEARWAY_KEEP_RUNS,
})
