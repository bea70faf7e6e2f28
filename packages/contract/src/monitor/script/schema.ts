import * as z from 'zod/mini'
import { ScriptId } from '../../kit/id.ts'
import { defaultLimits } from '../../kit/limit.ts'
import { Count } from '../../kit/count.ts'
import { Instant } from '../../kit/time.ts'

/** TASK walks pages and analyses states; SESSION signs in before a scan and analyses nothing. */
export const ScriptType = z.enum(['TASK', 'SESSION'])
export type ScriptType = z.output<typeof ScriptType>
export const ScriptFormat = z.enum(['json', 'yaml'])
export type ScriptFormat = z.output<typeof ScriptFormat>

/** The name that is written as `<NAME>` in a script. */
export const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/

export const EnvironmentVariable = z.strictObject({
  name: z.string().check(z.minLength(1), z.maxLength(255), z.regex(variableName)),
  value: z.string().check(z.minLength(1), z.maxLength(defaultLimits.variableLength)),
})
export type EnvironmentVariable = z.output<typeof EnvironmentVariable>

/** One way to an element: CSS (through open shadow roots) or XPath. */
export type Selector = { kind: 'css' | 'xpath'; text: string }

/** An element, with the frames that lead to it from the outside in. */
export type ScriptTarget = { frames: Selector[]; element: Selector }

/** What one sentence of a script asks for. Texts still hold their `<NAME>`s. */
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

/** A sentence with its place in the script: `line` from 1, `number` from 1 within its page. */
export type ScriptStep = { number: number; line: number; text: string; action: ScriptAction }

export type ScriptPage = { name: string; url: string; line: number; steps: ScriptStep[] }

/** A script as the engine runs it. */
export type Script = {
  name: string
  id: string
  /** Run at the start of every page, before its own steps. */
  globalSteps: ScriptStep[]
  pages: ScriptPage[]
  /** Every `<NAME>` of the script, each once. */
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

/** What is wrong with a script, and where: line and column from 1. `hint` explains a trap of YAML. English. */
export const ScriptError = z.object({
  code: z.enum(scriptErrorCodes),
  line: z.int(),
  column: z.int(),
  read: z.string(),
  expected: z.string(),
  hint: z.nullable(z.string()),
})
export type ScriptError = z.output<typeof ScriptError>

/** A variable of a shared script. A value of null keeps the stored one, and is what a reader gets. */
const SharedVariable = z.strictObject({
  name: EnvironmentVariable.shape.name,
  value: z.nullable(EnvironmentVariable.shape.value),
  /** Whether scans may give it no other value: one that names a host decides where what is secret is typed. */
  locked: z._default(z.boolean(), false),
})

/** A script that scans share, as admins edit it. */
export const ScriptBody = z.strictObject({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(defaultLimits.nameLength)),
  type: ScriptType,
  text: z.string().check(z.minLength(1), z.maxLength(defaultLimits.scriptLength)),
  variables: z._default(z.array(SharedVariable).check(z.maxLength(defaultLimits.scriptVariables)), []),
})
export type ScriptBody = z.output<typeof ScriptBody>

export const StoredScript = z.object({
  id: ScriptId,
  settings: ScriptBody,
  version: Count,
  assignedScanCount: Count,
})
export const ScriptUpdate = z.strictObject({ settings: ScriptBody, version: Count })
export const ScriptName = z.object({ id: ScriptId, name: z.string(), type: ScriptType })
export const ScriptSummary = z.extend(ScriptName, {
  assignedScanCount: Count,
  /** Names of its variables. */
  variables: z.array(z.string()),
  updatedAt: Instant,
})

/** `message` of a wrong one is "Please upload a valid script file."; `errors` say what and where. */
export const ScriptValidation = z.union([
  z.object({
    success: z.literal(true),
    name: z.string(),
    /** Every `<NAME>` of the script. */
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
