import * as z from 'zod/mini'
import { Count } from '../../kit/count.ts'

/** Shipped axe-core versions, newest first, with the exact release of each. */
export const axeVersions = { '4.14': '4.14.1', '4.13': '4.13.0', '4.12': '4.12.1', '4.11': '4.11.4', '4.10': '4.10.3' } as const
export const AxeVersion = z.enum(Object.keys(axeVersions) as [keyof typeof axeVersions, ...(keyof typeof axeVersions)[]])
export type AxeVersion = z.output<typeof AxeVersion>
/** The default for new scans. */
export const newestAxeVersion = Object.keys(axeVersions)[0] as AxeVersion

/** Standards with their axe tags; a level includes the lower ones. */
const wcag20Tags = { a: ['wcag2a'], aa: ['wcag2a', 'wcag2aa'], aaa: ['wcag2a', 'wcag2aa', 'wcag2aaa'] }
const wcag21Tags = { a: [...wcag20Tags.a, 'wcag21a'], aa: [...wcag20Tags.aa, 'wcag21a', 'wcag21aa'] }
const wcag22Tags = { a: [...wcag21Tags.a], aa: [...wcag21Tags.aa, 'wcag22aa'] }
export const standards = {
  wcag20a: { name: 'WCAG 2.0 A', tags: wcag20Tags.a },
  wcag20aa: { name: 'WCAG 2.0 AA', tags: wcag20Tags.aa },
  wcag20aaa: { name: 'WCAG 2.0 AAA', tags: wcag20Tags.aaa },
  wcag21a: { name: 'WCAG 2.1 A', tags: wcag21Tags.a },
  wcag21aa: { name: 'WCAG 2.1 AA', tags: wcag21Tags.aa },
  wcag21aaa: { name: 'WCAG 2.1 AAA', tags: [...wcag21Tags.aa, 'wcag2aaa'] },
  wcag22a: { name: 'WCAG 2.2 A', tags: wcag22Tags.a },
  wcag22aa: { name: 'WCAG 2.2 AA', tags: wcag22Tags.aa },
  wcag22aaa: { name: 'WCAG 2.2 AAA', tags: [...wcag22Tags.aa, 'wcag2aaa'] },
  section508: { name: 'Section 508', tags: ['section508', ...wcag20Tags.aa] },
  en301549: { name: 'EN 301 549', tags: ['EN-301-549', ...wcag21Tags.aa] },
  ttv5: { name: 'Trusted Tester v5', tags: ['TTv5'] },
} as const satisfies Record<string, { name: string; tags: string[] }>
export type StandardId = keyof typeof standards
export const StandardId = z.enum(Object.keys(standards) as [StandardId, ...StandardId[]])

/** Rules that a run applies. Each run records its rule set. */
export const RuleSet = z.object({
  axeVersion: AxeVersion,
  standard: StandardId,
  bestPractices: z.boolean(),
  experimental: z.boolean(),
  /** Also checks PDFs by all of PDF/UA-1, including formal clauses. */
  pdfUa: z._default(z.boolean(), false),
})
export type RuleSet = z.output<typeof RuleSet>
export const defaultRuleSet: RuleSet = {
  axeVersion: newestAxeVersion,
  standard: 'wcag22aa',
  bestPractices: true,
  experimental: false,
  pdfUa: false,
}

export const AxeSupported = z.object({
  versions: z.array(z.object({ version: AxeVersion, release: z.string() })),
  standards: z.array(z.object({ id: StandardId, name: z.string() })),
  default: RuleSet,
})

export const Impact = z.enum(['critical', 'serious', 'moderate', 'minor'])
export type Impact = z.output<typeof Impact>
/** Severity of an issue: its impact, or that it needs a manual review. */
export const Severity = z.enum(['critical', 'serious', 'moderate', 'minor', 'needs review'])
export type Severity = z.output<typeof Severity>

export const ImpactCounts = z.object({ critical: Count, serious: Count, moderate: Count, minor: Count, needsReview: Count })
export type ImpactCounts = z.output<typeof ImpactCounts>
