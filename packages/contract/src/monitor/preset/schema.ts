import * as z from 'zod/mini'
import { PresetId } from '../../kit/id.ts'
import { NameText } from '../../kit/name.ts'
import { pagingQuery, searchTextQuery, sortQuery } from '../../kit/paging.ts'
import { Count } from '../../kit/count.ts'
import { Instant } from '../../kit/time.ts'
import { ScanSettings } from '../scan/schema.ts'

const { ruleSet, domains, includeRules, excludeRules, sources, type, depth, pageLimit, advanced } = ScanSettings.shape

/** URLs in the scope of a scan. Start URLs always belong to each scan. */
export const UrlScope = z.strictObject({ domains, includeRules, excludeRules, sources })
export const ScanScope = z.strictObject({ type, depth, pageLimit })

/** Parts that scan admins may change although the preset defines them. */
export const AllowOverride = z.strictObject({
  shareLink: z._default(z.boolean(), false),
  sendToReports: z._default(z.boolean(), false),
  ruleSet: z._default(z.boolean(), false),
  urlScope: z._default(z.boolean(), false),
  scanScope: z._default(z.boolean(), false),
})
export type AllowOverride = z.output<typeof AllowOverride>

const createOptionalPart = <T extends z.ZodMiniType>(partSchema: T) => z._default(z.nullable(partSchema), null)

/** Settings shared by scans. Parts that are null are set by each scan. */
export const PresetSettings = z.strictObject({
  name: NameText,
  shareLink: createOptionalPart(z.boolean()),
  sendToReports: createOptionalPart(z.boolean()),
  /** The rules for web pages and, with PDF/UA, for documents. */
  ruleSet: createOptionalPart(ruleSet),
  urlScope: createOptionalPart(UrlScope),
  scanScope: createOptionalPart(ScanScope),
  /** Common components and advanced settings cannot be overridden: the preset's values always apply. */
  commonComponents: ScanSettings.shape.commonComponents,
  advanced: createOptionalPart(advanced),
  allowOverride: z.prefault(AllowOverride, {}),
})
export type PresetSettings = z.output<typeof PresetSettings>

const Decisions = z.object({
  shareLink: z.nullable(z.boolean()),
  sendToReports: z.nullable(z.boolean()),
  ruleSet: z.nullable(ruleSet),
  scanScope: z.nullable(z.object({ type, pageLimit })),
  urlScope: z.boolean(),
  commonComponents: z.boolean(),
  advanced: z.boolean(),
})
export const noDecisions: z.output<typeof Decisions> = {
  shareLink: null,
  sendToReports: null,
  ruleSet: null,
  scanScope: null,
  urlScope: false,
  commonComponents: false,
  advanced: false,
}

export const Preset = z.object({
  id: PresetId,
  name: z.string(),
  assignedScanCount: Count,
  /** Names of the first scans that use it, in alphabetical order; only for administrators and auditors. */
  scanNames: z._default(z.array(z.string()), []),
  /** Settings that the preset decides; null and false: each scan does. */
  decisions: z._default(Decisions, noDecisions),
  createdAt: Instant,
  updatedAt: Instant,
})

export const StoredPreset = z.object({ id: PresetId, settings: PresetSettings, version: Count, assignedScanCount: Count })
export const PresetUpdate = z.strictObject({ settings: PresetSettings, version: Count })
export const PresetListQuery = z.object({
  ...pagingQuery,
  search: searchTextQuery,
  sort: sortQuery(['name', 'assignedScanCount', 'createdAt', 'updatedAt']),
})
