import * as z from 'zod/mini'
import { NameText } from '../../kit/name.ts'
import { ScriptId } from '../../kit/id.ts'
import { defaultLimits } from '../../kit/limit.ts'
import { Count } from '../../kit/count.ts'
import { Instant } from '../../kit/time.ts'

/** TASK scripts visit pages and analyze states; SESSION scripts sign in before a scan and analyze nothing. */
export const ScriptType = z.enum(['TASK', 'SESSION'])
export type ScriptType = z.output<typeof ScriptType>
export const ScriptFormat = z.enum(['json', 'yaml'])
export type ScriptFormat = z.output<typeof ScriptFormat>

/** Name that is written as `<NAME>` in a script. */
export const variableNamePattern = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Limits the length of a text in UTF-8. */
const maxBytes = (maximum: number) =>
  z.check<string>((payload) => {
    if (new TextEncoder().encode(payload.value).byteLength <= maximum) return
    payload.issues.push({ code: 'too_big', origin: 'string', maximum, inclusive: true, input: payload.value, continue: true })
  })

export const EnvironmentVariable = z.strictObject({
  name: z.string().check(z.minLength(1), z.maxLength(255), z.regex(variableNamePattern)),
  value: z.string().check(z.minLength(1), maxBytes(defaultLimits.variableLength)),
})
export type EnvironmentVariable = z.output<typeof EnvironmentVariable>

/** A selector of an element: CSS (through open shadow roots) or XPath. */
export type Selector = { kind: 'css' | 'xpath'; text: string }

/** An element with the frames that contain it, outermost first. */
export type ScriptTarget = { frames: Selector[]; element: Selector }

/** Action of one sentence of a script. Texts still contain their `<NAME>` placeholders. */
export type ScriptAction =
  | { do: 'analyze'; title: string | null }
  | { do: 'click'; target: ScriptTarget }
  | { do: 'type'; text: string; target: ScriptTarget }
  | { do: 'press'; key: string; target: ScriptTarget }
  | { do: 'select'; option: string; target: ScriptTarget }
  | { do: 'wait-for'; target: ScriptTarget }
  | { do: 'wait'; ms: number }
  | { do: 'dismiss'; modal: ScriptTarget; close: ScriptTarget }
  | { do: 'eval'; code: string }

/** A sentence with its position in the script: `line` from 1, `number` from 1 within its page. */
export type ScriptStep = { number: number; line: number; text: string; action: ScriptAction }

export type ScriptPage = { name: string; url: string; line: number; steps: ScriptStep[] }

export type Script = {
  name: string
  id: string
  /** Run at the start of every page, before its own steps. */
  globalSteps: ScriptStep[]
  pages: ScriptPage[]
  /** All `<NAME>` placeholders of the script, without duplicates. */
  variables: string[]
}

export const scriptErrorCodes = [
  'syntax',
  'too-long',
  'too-deep',
  'missing-field',
  'unknown-field',
  'wrong-type',
  'empty',
  'one-project',
  'too-many',
  'unknown-action',
  'bad-action',
  'bad-url',
  'no-analyze',
  'analyze-in-session',
] as const

/** Error in a script with line and column from 1. `hint` explains a YAML pitfall. English. */
export const ScriptError = z.object({
  code: z.enum(scriptErrorCodes),
  line: z.int(),
  column: z.int(),
  read: z.string(),
  expected: z.string(),
  hint: z.nullable(z.string()),
})
export type ScriptError = z.output<typeof ScriptError>

/** A variable of a shared script. Null keeps the stored value, and is returned to readers. */
const SharedVariable = z.strictObject({
  name: EnvironmentVariable.shape.name,
  value: z.nullable(EnvironmentVariable.shape.value),
  /** True if scans must not override it: a variable with a host name determines where secrets are typed. */
  locked: z._default(z.boolean(), false),
})

export const ScriptBody = z.strictObject({
  name: NameText,
  type: ScriptType,
  text: z.string().check(z.minLength(1), z.maxLength(defaultLimits.scriptLength)),
  variables: z._default(z.array(SharedVariable).check(z.maxLength(defaultLimits.scriptVariables)), []),
})
export type ScriptBody = z.output<typeof ScriptBody>

export const StoredScript = z.object({ id: ScriptId, settings: ScriptBody, version: Count, assignedScanCount: Count })
export const ScriptUpdate = z.strictObject({ settings: ScriptBody, version: Count })
export const ScriptName = z.object({ id: ScriptId, name: z.string(), type: ScriptType })
export const ScriptSummary = z.extend(ScriptName, {
  assignedScanCount: Count,
  /** Names of the first scans that use it, in alphabetical order. */
  scanNames: z._default(z.array(z.string()), []),
  /** Numbers of its pages, steps and tested states; null for a long script. */
  size: z._default(z.nullable(z.object({ pages: Count, steps: Count, analyses: Count })), null),
  variables: z.array(z.string()),
  updatedAt: Instant,
})

/** For an invalid script, `message` is "Please upload a valid script file."; `errors` contains the details. */
export const ScriptValidation = z.union([
  z.object({
    success: z.literal(true),
    name: z.string(),
    variables: z.array(z.string()),
  }),
  z.object({
    success: z.literal(false),
    message: z.string(),
    code: z.string(),
    params: z.record(z.string(), z.union([z.string(), z.number()])),
    errors: z.array(ScriptError),
  }),
])
