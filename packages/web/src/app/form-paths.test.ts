import { monitorApi } from '@clearway/contract/monitor/api.ts'
import { viewQueries } from '@clearway/contract/monitor/view/schema.ts'
import * as z from 'zod/mini'
import { describe, expect, it } from 'vitest'
import { getFieldErrorMessage } from '../kit/client/problem-text.ts'
import { findFieldName } from '../kit/client/field-errors.ts'
import { findAssignField } from '../monitor/access/parts/assign-steps.tsx'
import { findGroupField } from '../monitor/group/parts/use-form.ts'
import { decisionFields } from '../monitor/issue/register/dialogs.tsx'
import { noteFields, targetFields } from '../monitor/run/history/goal-dialogs.tsx'
import { webhookFields } from '../monitor/notification/webhook/webhook-dialog.tsx'
import { emptyChoices, findPresetField, getStepOfField } from '../monitor/preset/parts/values.ts'
import { createNewValues } from '../monitor/scan/form/model.ts'
import { getFaultText } from '../monitor/scan/form/fault-text.ts'
import { findFormField } from '../monitor/scan/form/field-table.ts'
import { settingControls } from '../monitor/scan/form/setting-controls.ts'
import { findScriptField } from '../monitor/script/form/use-form.ts'
import { emptyScript } from '../monitor/script/form/model.ts'
import { permissionFields } from '../monitor/setting/pages/permission-settings.tsx'
import { quotaFields } from '../monitor/setting/parts/quota-form.tsx'
import { retentionFields } from '../monitor/setting/parts/retention-form.tsx'
import { keyFields } from '../monitor/user/key/key-form.tsx'
import { viewFields } from '../monitor/view/parts/save-dialog.tsx'

type Call = keyof typeof monitorApi
type Form = {
  calls: readonly Call[]
  /** Returns the field or control of a path; null if there is none. */
  resolveField: (path: string) => string | null
  /** Paths filled by the form itself. Users cannot enter them incorrectly, so the error is a sentence. */
  formOwnedPaths: readonly string[]
}

const values = createNewValues('https://example.org/')
const everything = { ...emptyChoices, decidedParts: { ruleSet: true, urlScope: true, scanScope: true, advanced: true } }
const presetAt = (path: string) => {
  const field = findPresetField(path, values)
  return field !== null && getStepOfField(field, everything) !== null ? field : null
}
const oneOf = (names: readonly string[]) => (path: string) => findFieldName(names, path)

/** Screen and query of a view, and each parameter of the query. */
function viewParts(prefix: string): string[] {
  const queries = Object.values(viewQueries).flatMap((query) => pathsOf(query))
  return ['screen', 'query', ...queries.map((path) => `query.${path}`)].map((path) => prefix + path)
}

/** Every form that sends a body, with the mapping from request paths to its fields. */
const forms: Record<string, Form> = {
  'settings of a scan': {
    calls: ['createScan', 'updateScan'],
    resolveField: (path) => findFormField(path, values),
    formOwnedPaths: ['settings', 'version', 'access.version'],
  },
  preset: { calls: ['createPreset', 'updatePreset'], resolveField: presetAt, formOwnedPaths: ['settings', 'version'] },
  script: {
    calls: ['createScript', 'updateScript'],
    resolveField: (path) => findScriptField(path, emptyScript)?.field ?? null,
    formOwnedPaths: ['settings', 'version'],
  },
  'scan group': { calls: ['createGroup', 'updateGroup'], resolveField: findGroupField, formOwnedPaths: ['version'] },
  'team access': {
    calls: ['assignTeams'],
    resolveField: (path) => findAssignField(path)?.field ?? null,
    formOwnedPaths: ['check', 'version'],
  },
  'API key': { calls: ['createApiKey'], resolveField: oneOf(keyFields), formOwnedPaths: [] },
  webhook: { calls: ['createWebhook', 'updateWebhook'], resolveField: oneOf(webhookFields), formOwnedPaths: ['active'] },
  quotas: { calls: ['updateQuotas'], resolveField: oneOf(quotaFields), formOwnedPaths: ['version'] },
  retention: { calls: ['updateRetention'], resolveField: oneOf(retentionFields), formOwnedPaths: ['version'] },
  permissions: { calls: ['updateSystemSettings'], resolveField: oneOf(permissionFields), formOwnedPaths: ['version'] },
  'target of a scan': { calls: ['saveScanTarget'], resolveField: oneOf(targetFields), formOwnedPaths: [] },
  'note of a trend': { calls: ['createAnnotation'], resolveField: oneOf(noteFields), formOwnedPaths: [] },
  'public link': { calls: ['createPublicToken'], resolveField: oneOf(['expiresAt']), formOwnedPaths: [] },
  'saved view': {
    calls: ['createView', 'updateView'],
    resolveField: oneOf(viewFields),
    // Checked by the list when the view is saved.
    formOwnedPaths: [...viewParts(''), 'settings', ...viewParts('settings.'), 'version'],
  },
  'ignored issues': { calls: ['updateIgnore'], resolveField: oneOf(decisionFields), formOwnedPaths: [] },
  label: { calls: ['addIssueLabels'], resolveField: oneOf(['labels']), formOwnedPaths: [] },
  comment: { calls: ['addIssueComment', 'editIssueComment'], resolveField: oneOf(['text']), formOwnedPaths: [] },
  issue: {
    calls: ['updateIssue'],
    resolveField: oneOf(['fieldsToUpdate.ignore', 'fieldsToUpdate.remediationComment', 'fieldsToUpdate.ticketUrl']),
    // Selected from server data by controls that report the result at once.
    formOwnedPaths: [
      'fieldsToUpdate',
      ...['status', 'assignedTo', 'markAsIssue', 'addLabels', 'addLabels.0', 'review', 'review.answer', 'review.reason'].map(
        (field) => `fieldsToUpdate.${field}`,
      ),
      'version',
    ],
  },
}
/** Calls without typed input: choices, selections, files and appearance, each with its own messages. */
const noForms: readonly Call[] = [
  'configureScans',
  'countSelectedIssues',
  'countSelectedPages',
  'deleteIssues',
  'deletePages',
  'deleteScans',
  'importTeamAccess',
  'readInbox',
  'previewSchedule',
  'removeIssueLabel',
  'setDefaultView',
  'saveNewDraft',
  'saveScanDraft',
  'selectedScans',
  'startScans',
  'tagScans',
  'testScope',
  'reachUrl',
  'undoIssues',
  'updateIssues',
  'updateOwnSettings',
  'updateScans',
  'usersOfSelectedIssues',
  'validateScan',
  'validateSession',
]

type Node = {
  type?: string
  format?: string
  pattern?: string
  $ref?: string
  anyOf?: Node[]
  oneOf?: Node[]
  allOf?: Node[]
  properties?: Record<string, Node>
  items?: Node
  additionalProperties?: Node | boolean
}

/** Every path that a schema can refuse: values, lists and whole objects; optionally limited to those that a test selects. */
function pathsOf(schema: z.ZodMiniType, isMeant: (node: Node) => boolean = () => true): string[] {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Node & { $defs?: Record<string, Node> }
  const refusablePaths = new Set<string>()
  const walk = (node: Node | undefined, path: string): void => {
    if (!node) return
    if (node.$ref) return walk(root.$defs?.[node.$ref.replace('#/$defs/', '')], path)
    if (path && isMeant(node)) refusablePaths.add(path)
    for (const one of [...(node.anyOf ?? []), ...(node.oneOf ?? []), ...(node.allOf ?? [])]) walk(one, path)
    for (const [name, one] of Object.entries(node.properties ?? {})) walk(one, path ? `${path}.${name}` : name)
    walk(node.items, `${path}.0`)
  }
  walk(root, '')
  return [...refusablePaths]
}

const bodyOf = (call: Call): z.ZodMiniType => {
  const endpoint = monitorApi[call]
  if (!('body' in endpoint)) throw new Error(`${call} takes no body`)
  return endpoint.body
}

describe.each(Object.entries(forms))('%s', (_, { calls, resolveField, formOwnedPaths }) => {
  it.each(calls)('%s: every refused value leads to a field', (call) => {
    const paths = pathsOf(bodyOf(call))
    expect(paths.length).toBeGreaterThan(0)
    const lost = paths.filter((path) => resolveField(path) === null && !formOwnedPaths.includes(path))
    expect(lost).toEqual([])
  })
})

it('covers every call that sends a body', () => {
  const sources = import.meta.glob<string>('../monitor/**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true })
  const calls = Object.values(sources).flatMap((text) =>
    [...text.matchAll(/\bapi(?:Client)?\s*\.(\w+)\(\{[^)]*?\bbody\b/g)].map(([, name]) => name as Call),
  )
  expect(calls.length).toBeGreaterThan(20)
  const coveredCalls = new Set<Call>([...noForms, ...Object.values(forms).flatMap((form) => form.calls)])
  expect([...new Set(calls)].filter((call) => !coveredCalls.has(call))).toEqual([])
})

it('has a control for every field of the scan settings', () => {
  const sources = import.meta.glob<string>(['../monitor/scan/{form,wizard}/**/*.tsx', '../monitor/script/{form,parts}/*.tsx'], {
    query: '?raw',
    import: 'default',
    eager: true,
  })
  const controls = new Set([
    ...Object.keys(settingControls),
    ...Object.values(sources).flatMap((text) =>
      [...text.matchAll(/(?:\b(?:name|id)=|register\()(?:"|'|\{`)([\w.]+)/g)].map(([, name]) => name),
    ),
  ])
  // Rows are controls of their list.
  const fields = pathsOf(bodyOf('createScan')).map((path) => findFormField(path, values)?.replace(/\.\d+\..*$/, ''))
  expect(new Set(fields).size).toBeGreaterThan(80)
  expect([...new Set(fields)].filter((field) => !controls.has(field))).toEqual([])
})

it('describes the format of every value with a format', () => {
  // Ids are selected, never typed.
  const hasForm = ({ type, format, pattern }: Node) =>
    type === 'integer' || (format !== 'uuid' && (format !== undefined || pattern !== undefined))
  const paths = pathsOf(bodyOf('createScan'), hasForm).filter(
    (path) => !forms['settings of a scan']?.formOwnedPaths.includes(path),
  )
  expect(paths.length).toBeGreaterThan(20)
  const vague = paths.filter((path) => {
    const field = findFormField(path, values)
    return field !== null && getFaultText(field, 'wrong-format', {}).id === getFieldErrorMessage('wrong-format').id
  })
  expect(vague).toEqual([])
})
