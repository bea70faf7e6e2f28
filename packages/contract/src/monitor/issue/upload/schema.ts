import * as z from 'zod/mini'
import { Count } from '../../../kit/count.ts'
import { Impact, Severity } from '../../ruleset/schema.ts'
import { Fix, Target } from '../schema.ts'

export const UploadErrorCode = z.enum([
  'not-json',
  'invalid-issues',
  'unsupported-source',
  'other-axe-version',
  'file-too-large',
  'too-many-files',
  'no-files',
  'run-active',
  'server-issue',
])
export type UploadErrorCode = z.output<typeof UploadErrorCode>

const uploadMessageFields = {
  errors: z.array(z.object({ file: z.string(), code: UploadErrorCode, message: z.string(), path: z.optional(z.string()) })),
  /** Warnings about accepted files: results of another minor version of axe-core. */
  warnings: z.array(z.object({ file: z.string(), message: z.string() })),
}

/** Either all files are accepted, or none. */
export const UploadReply = z.object({
  success: z.boolean(),
  errorMessage: z.nullable(z.string()),
  pages: Count,
  issues: Count,
  ...uploadMessageFields,
})
export type UploadReply = z.output<typeof UploadReply>

const AxeNodes = z.array(
  z.object({
    html: z.string().check(z.maxLength(1_000_000)),
    target: z
      .array(z.union([z.string().check(z.maxLength(20_000)), z.array(z.string().check(z.maxLength(20_000)))]))
      .check(z.minLength(1), z.maxLength(50)),
    any: z.optional(z.array(z.object({ message: z.optional(z.string()) }))),
    all: z.optional(z.array(z.object({ message: z.optional(z.string()) }))),
    none: z.optional(z.array(z.object({ message: z.optional(z.string()) }))),
  }),
)
const AxeRuleResults = z.array(
  z.object({
    id: z.string().check(z.minLength(1), z.maxLength(200)),
    impact: z.optional(z.nullable(Impact)),
    tags: z.array(z.string().check(z.maxLength(200))).check(z.maxLength(100)),
    description: z.string().check(z.maxLength(10_000)),
    help: z.string().check(z.maxLength(10_000)),
    helpUrl: z.string().check(z.maxLength(2000)),
    nodes: AxeNodes,
  }),
)

/** Results of `axe.run`, as written by axe-core and the @axe-core packages. */
export const AxeResults = z.object({
  testEngine: z.object({ name: z.string(), version: z.string().check(z.regex(/^\d+\.\d+\.\d+/)) }),
  url: z.string().check(z.maxLength(4000)),
  timestamp: z.optional(z.string()),
  violations: AxeRuleResults,
  incomplete: z._default(AxeRuleResults, []),
})
export type AxeResults = z.output<typeof AxeResults>

/** Output of `clearway scan --format json`; only the fields read here. */
export const ClearwayReport = z.object({
  clearway: z.string(),
  axe: z.string().check(z.regex(/^\d+\.\d+\.\d+/)),
  pages: z.array(
    z.object({
      url: z.string().check(z.maxLength(4000)),
      title: z.nullable(z.string().check(z.maxLength(10_000))),
      status: z.string(),
      issues: z.array(
        z.object({
          rule: z.string().check(z.minLength(1), z.maxLength(200)),
          impact: z.nullable(Impact),
          severity: Severity,
          help: z.string().check(z.maxLength(10_000)),
          helpUrl: z.string().check(z.maxLength(2000)),
          tags: z.array(z.string().check(z.maxLength(200))).check(z.maxLength(100)),
          target: Target,
          html: z.string().check(z.maxLength(1_000_000)),
          fix: Fix,
        }),
      ),
    }),
  ),
})
export type ClearwayReport = z.output<typeof ClearwayReport>
