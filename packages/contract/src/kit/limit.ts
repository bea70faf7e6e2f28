/** Defaults of the product's limits. Those in `server/config.ts` are configurable; `GET /config` returns the current values. */
export const defaultLimits = {
  /** Characters in the name of a scan, preset, group, script, component or label. */
  nameLength: 255,
  /** Pages of a custom scan. */
  pageLimit: 10_000,
  /** Levels of links below the start URLs. */
  depth: 50,
  /** Start URLs of a scan, and domains. */
  startUrls: 500,
  preScanWaitMs: 60_000,
  /** Issues stored for one page and rule set. Further ones are only counted, and the page gets a notice. */
  issuesPerPage: 500,
  /** Bytes of stored content of one page, before compression. */
  pageContentBytes: 5 * 1024 * 1024,
  /** Files of one upload of results, and bytes of each. */
  uploadFiles: 20,
  uploadBytes: 20 * 1024 * 1024,
  /** Characters and rows of one CSV file of team access. */
  importLength: 5 * 1024 * 1024,
  importRows: 10_000,
  /** Actions of a script for one state of a page. */
  scriptActions: 500,
  /** Maximum timeout of a script. */
  scriptTimeoutMs: 30 * 60_000,
  /** Characters of a script. */
  scriptLength: 1024 * 1024,
  /** Environment variables of a script, and characters of one value. */
  scriptVariables: 100,
  variableLength: 4096,
  keystoreBytes: 1024 * 1024,
} as const

export type ProductLimits = { readonly [K in keyof typeof defaultLimits]: number }
