import * as z from 'zod/mini'
import { PresetId } from '../../kit/id.ts'
import { defaultLimits } from '../../kit/limit.ts'
import { paging, searchText, sortBy } from '../../kit/paging.ts'
import { Count } from '../../kit/count.ts'
import { Instant } from '../../kit/time.ts'
import { ScanSettings } from '../scan/schema.ts'

const { ruleSet, domains, includeRules, excludeRules, sources, type, depth, pageLimit, advanced } =
  ScanSettings.shape

/** Which URLs belong to a scan. Start URLs are each scan's own. */
export const UrlScope = z.strictObject({ domains, includeRules, excludeRules, sources })
/** How far a scan goes. */
export const ScanScope = z.strictObject({ type, depth, pageLimit })

/** What scan admins may change although the preset says something about it. */
export const AllowOverride = z.strictObject({
  shareLink: z._default(z.boolean(), false),
  sendToReports: z._default(z.boolean(), false),
  ruleSet: z._default(z.boolean(), false),
  urlScope: z._default(z.boolean(), false),
  scanScope: z._default(z.boolean(), false),
})
export type AllowOverride = z.output<typeof AllowOverride>

const maybe = <T extends z.ZodMiniType>(part: T) => z._default(z.nullable(part), null)

/** Settings that scans share. A part that is null is each scan's own business. */
export const PresetSettings = z.strictObject({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(defaultLimits.nameLength)),
  /** Whether scans may be shared by a public link. */
  shareLink: maybe(z.boolean()),
  sendToReports: maybe(z.boolean()),
  /** The rules for web pages and, with PDF/UA, for documents. */
  ruleSet: maybe(ruleSet),
  urlScope: maybe(UrlScope),
  scanScope: maybe(ScanScope),
  /** Common components and advanced settings have no switch: where the preset says something, it applies. */
  commonComponents: ScanSettings.shape.commonComponents,
  advanced: maybe(advanced),
  allowOverride: z.prefault(AllowOverride, {}),
})
export type PresetSettings = z.output<typeof PresetSettings>

/** A row of the list. */
export const Preset = z.object({
  id: PresetId,
  name: z.string(),
  assignedScanCount: Count,
  createdAt: Instant,
  updatedAt: Instant,
})

export const StoredPreset = z.object({
  id: PresetId,
  settings: PresetSettings,
  version: Count,
  assignedScanCount: Count,
})
export const PresetUpdate = z.strictObject({ settings: PresetSettings, version: Count })
export const PresetListQuery = z.object({
  ...paging,
  search: searchText,
  sort: sortBy(['name', 'assignedScanCount', 'createdAt', 'updatedAt']),
})
