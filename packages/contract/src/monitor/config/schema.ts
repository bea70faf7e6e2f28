import * as z from 'zod/mini'
import { Count } from '../../kit/count.ts'

/** Configuration that the web needs before sign-in. URLs that are null are not configured. */
export const Config = z.object({
  apiUrl: z.string(),
  /** Issuer of the identity provider is `{keycloakUrl}/realms/{realmId}`. */
  keycloakUrl: z.string(),
  realmId: z.string(),
  publicClientId: z.string(),
  resourceClientId: z.string(),
  supportUrl: z.nullable(z.string()),
  axeReportsUrl: z.nullable(z.string()),
  axeAccountUrl: z.string(),
  helpDocsUrl: z.nullable(z.string()),
  productName: z.string(),
  version: z.string(),
  build: z.string(),
  /** Other products in the product switcher. */
  products: z.array(z.object({ name: z.string(), url: z.string() })),
  euroUrl: z.nullable(z.string()),
  enableAnalytics: z.boolean(),
  analyticsApiKey: z.nullable(z.string()),
  flags: z.object({ addIssueLabel: z.boolean(), showSystemStatus: z.boolean() }),
  limits: z.object({
    nameLength: Count,
    pageLimit: Count,
    depth: Count,
    startUrls: Count,
    preScanWaitMs: Count,
    issuesPerPage: Count,
    pageContentBytes: Count,
    uploadFiles: Count,
    uploadBytes: Count,
    importLength: Count,
    importRows: Count,
    scriptActions: Count,
    scriptTimeoutMs: Count,
    scriptLength: Count,
    scriptVariables: Count,
    variableLength: Count,
    keystoreBytes: Count,
  }),
})
export type Config = z.output<typeof Config>
