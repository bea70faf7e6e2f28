import * as z from 'zod/mini'
import { Count } from '../../kit/count.ts'

/** axe-core versions that are shipped, newest first, with the exact release of each. */
export const axeVersions = {
  '4.14': '4.14.1',
  '4.13': '4.13.0',
  '4.12': '4.12.1',
  '4.11': '4.11.4',
  '4.10': '4.10.3',
} as const
export const AxeVersion = z.enum(
  Object.keys(axeVersions) as [keyof typeof axeVersions, ...(keyof typeof axeVersions)[]],
)
export type AxeVersion = z.output<typeof AxeVersion>
/** The first of the list: what new scans test with. */
export const newestAxe = Object.keys(axeVersions)[0] as AxeVersion

/** Standards to test by, each with the axe tags that mean it; a level includes those below it. */
const wcag20 = { a: ['wcag2a'], aa: ['wcag2a', 'wcag2aa'], aaa: ['wcag2a', 'wcag2aa', 'wcag2aaa'] }
const wcag21 = { a: [...wcag20.a, 'wcag21a'], aa: [...wcag20.aa, 'wcag21a', 'wcag21aa'] }
const wcag22 = { a: [...wcag21.a], aa: [...wcag21.aa, 'wcag22aa'] }
export const standards = {
  wcag20a: { name: 'WCAG 2.0 A', tags: wcag20.a },
  wcag20aa: { name: 'WCAG 2.0 AA', tags: wcag20.aa },
  wcag20aaa: { name: 'WCAG 2.0 AAA', tags: wcag20.aaa },
  wcag21a: { name: 'WCAG 2.1 A', tags: wcag21.a },
  wcag21aa: { name: 'WCAG 2.1 AA', tags: wcag21.aa },
  wcag21aaa: { name: 'WCAG 2.1 AAA', tags: [...wcag21.aa, 'wcag2aaa'] },
  wcag22a: { name: 'WCAG 2.2 A', tags: wcag22.a },
  wcag22aa: { name: 'WCAG 2.2 AA', tags: wcag22.aa },
  wcag22aaa: { name: 'WCAG 2.2 AAA', tags: [...wcag22.aa, 'wcag2aaa'] },
  section508: { name: 'Section 508', tags: ['section508', ...wcag20.aa] },
  en301549: { name: 'EN 301 549', tags: ['EN-301-549', ...wcag21.aa] },
  ttv5: { name: 'Trusted Tester v5', tags: ['TTv5'] },
} as const satisfies Record<string, { name: string; tags: string[] }>
export type StandardId = keyof typeof standards
export const StandardId = z.enum(Object.keys(standards) as [StandardId, ...StandardId[]])

/** Which rules a run applies. A run records the one that it used. */
export const RuleSet = z.object({
  axeVersion: AxeVersion,
  standard: StandardId,
  bestPractices: z.boolean(),
  experimental: z.boolean(),
  /** PDFs are also checked by all of PDF/UA-1, formal clauses included. */
  pdfUa: z._default(z.boolean(), false),
})
export type RuleSet = z.output<typeof RuleSet>
export const defaultRuleSet: RuleSet = {
  axeVersion: newestAxe,
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

/** How hard an issue hits people, as axe says it. */
export const Impact = z.enum(['critical', 'serious', 'moderate', 'minor'])
export type Impact = z.output<typeof Impact>
/** What an issue counts as: its impact, or that a person must look. */
export const Severity = z.enum(['critical', 'serious', 'moderate', 'minor', 'needs review'])
export type Severity = z.output<typeof Severity>

/** Issues by severity. */
export const ImpactCounts = z.object({
  critical: Count,
  serious: Count,
  moderate: Count,
  minor: Count,
  needsReview: Count,
})
export type ImpactCounts = z.output<typeof ImpactCounts>
