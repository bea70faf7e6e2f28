import * as z from 'zod/mini'
import { Count } from '../../../kit/count.ts'
import { Impact, Severity } from '../../ruleset/schema.ts'
import { Fix, Target } from '../schema.ts'

/** What can be wrong with an uploaded file. */
export const UploadErrorCode = z.enum([
  'not-json',
  'invalid-issues',
  'unsupported-source',
  'file-too-large',
  'too-many-files',
  'no-files',
  'run-active',
  'server-issue',
])
export type UploadErrorCode = z.output<typeof UploadErrorCode>

const fields = {
  errors: z.array(
    z.object({ file: z.string(), code: UploadErrorCode, message: z.string(), path: z.optional(z.string()) }),
  ),
  /** What was taken, but should be known: results of another minor version of axe-core. */
  warnings: z.array(z.object({ file: z.string(), message: z.string() })),
}

/** All files are taken, or none. */
export const UploadReply = z.object({
  success: z.boolean(),
  errorMessage: z.nullable(z.string()),
  pages: Count,
  issues: Count,
  ...fields,
})
export type UploadReply = z.output<typeof UploadReply>

const Nodes = z.array(
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
const Rules = z.array(
  z.object({
    id: z.string().check(z.minLength(1), z.maxLength(200)),
    impact: z.optional(z.nullable(Impact)),
    tags: z.array(z.string().check(z.maxLength(200))).check(z.maxLength(100)),
    description: z.string().check(z.maxLength(10_000)),
    help: z.string().check(z.maxLength(10_000)),
    helpUrl: z.string().check(z.maxLength(2000)),
    nodes: Nodes,
  }),
)

/** Results of `axe.run`, as axe-core and every @axe-core package write them. */
export const AxeResults = z.object({
  testEngine: z.object({ name: z.string(), version: z.string().check(z.regex(/^\d+\.\d+\.\d+/)) }),
  url: z.string().check(z.maxLength(4000)),
  timestamp: z.optional(z.string()),
  violations: Rules,
  incomplete: z._default(Rules, []),
})
export type AxeResults = z.output<typeof AxeResults>

/** What `clearway scan --format json` writes, as far as it is read here. */
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
