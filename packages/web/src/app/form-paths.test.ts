import { monitorApi } from '@clearway/contract/monitor/api.ts'
import { viewQueries } from '@clearway/contract/monitor/view/schema.ts'
import * as z from 'zod/mini'
import { describe, expect, it } from 'vitest'
import { getFieldErrorMessage } from '../kit/client/problem-text.ts'
import { findFieldName } from '../kit/client/refusal.ts'
import { assignFieldOf } from '../monitor/access/parts/assign-steps.tsx'
import { groupValueAt } from '../monitor/group/parts/use-form.ts'
import { webhookFields } from '../monitor/notification/parts/webhook-form.tsx'
import { emptyChoices, presetFieldOf, stepOfField } from '../monitor/preset/parts/values.ts'
import { newValues } from '../monitor/scan/form/model.ts'
import { fieldOf } from '../monitor/scan/form/paths.ts'
import { settingControls } from '../monitor/scan/form/setting-controls.ts'
import { faultText } from '../monitor/scan/form/words.ts'
import { scriptFieldOf } from '../monitor/script/form/use-form.ts'
import { emptyScript } from '../monitor/script/model.ts'
import { permissionFields } from '../monitor/setting/pages/permission-settings.tsx'
import { quotaFields } from '../monitor/setting/parts/quota-form.tsx'
import { retentionFields } from '../monitor/setting/parts/retention-form.tsx'
import { keyFields } from '../monitor/user/parts/key-form.tsx'
import { viewFields } from '../monitor/view/parts/save-dialog.tsx'

type Call = keyof typeof monitorApi
type Form = {
  calls: readonly Call[]
  /** The field or control that a path leads to; null for none. */
  at: (path: string) => string | null
  /** What the form itself puts in: nobody can have entered it wrong, and the error says it as a sentence. */
  own: readonly string[]
}

const values = newValues('https://example.org/')
const everything = {
  ...emptyChoices,
  says: { ruleSet: true, urlScope: true, scanScope: true, advanced: true },
}
const presetAt = (path: string) => {
  const field = presetFieldOf(path, values)
  return field !== null && stepOfField(field, everything) !== null ? field : null
}
const oneOf = (names: readonly string[]) => (path: string) => findFieldName(names, path)

/** The screen and the query of a view, and each parameter of that. */
function viewParts(prefix: string): string[] {
  const queries = Object.values(viewQueries).flatMap((query) => pathsOf(query))
  return ['screen', 'query', ...queries.map((path) => `query.${path}`)].map((path) => prefix + path)
}

/** Every form that sends a body, and how a path into that leads to its fields. */
const forms: Record<string, Form> = {
  'settings of a scan': {
    calls: ['createScan', 'updateScan'],
    at: (path) => fieldOf(path, values),
    own: ['settings', 'version', 'access.version'],
  },
  preset: { calls: ['createPreset', 'updatePreset'], at: presetAt, own: ['settings', 'version'] },
  script: {
    calls: ['createScript', 'updateScript'],
    at: (path) => scriptFieldOf(path, emptyScript)?.field ?? null,
    own: ['settings', 'version'],
  },
  'scan group': { calls: ['createGroup', 'updateGroup'], at: groupValueAt, own: ['version'] },
  'team access': {
    calls: ['assignTeams'],
    at: (path) => assignFieldOf(path)?.field ?? null,
    own: ['check', 'version'],
  },
  'API key': { calls: ['createApiKey'], at: oneOf(keyFields), own: [] },
  webhook: { calls: ['createWebhook', 'updateWebhook'], at: oneOf(webhookFields), own: ['active'] },
  quotas: { calls: ['updateQuotas'], at: oneOf(quotaFields), own: ['version'] },
  retention: { calls: ['updateRetention'], at: oneOf(retentionFields), own: ['version'] },
  permissions: { calls: ['updateSystemSettings'], at: oneOf(permissionFields), own: ['version'] },
  'public link': { calls: ['createPublicToken'], at: oneOf(['expiresAt']), own: [] },
  'saved view': {
    calls: ['createView', 'updateView'],
    at: oneOf(viewFields),
    // What the list says when it is saved.
    own: [...viewParts(''), 'settings', ...viewParts('settings.'), 'version'],
  },
  label: { calls: ['addIssueLabels'], at: oneOf(['labels']), own: [] },
  comment: { calls: ['addIssueComment', 'editIssueComment'], at: oneOf(['text']), own: [] },
  issue: {
    calls: ['updateIssue'],
    at: oneOf(['fieldsToUpdate.ignore', 'fieldsToUpdate.remediationComment', 'fieldsToUpdate.ticketUrl']),
    // Chosen from what the server offers, by controls that say at once what came of it.
    own: [
      'fieldsToUpdate',
      ...['status', 'assignedTo', 'markAsIssue', 'addLabels', 'addLabels.0'].map(
        (field) => `fieldsToUpdate.${field}`,
      ),
      'version',
    ],
  },
}
/** Calls whose body nobody types: choices, selections, files and looks, each with messages of its own. */
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

/** Every path that a schema can refuse: each value, each list, and each part as a whole; or those that a test picks. */
function pathsOf(schema: z.ZodMiniType, isMeant: (node: Node) => boolean = () => true): string[] {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Node & {
    $defs?: Record<string, Node>
  }
  const found = new Set<string>()
  const walk = (node: Node | undefined, path: string): void => {
    if (!node) return
    if (node.$ref) return walk(root.$defs?.[node.$ref.replace('#/$defs/', '')], path)
    if (path && isMeant(node)) found.add(path)
    for (const one of [...(node.anyOf ?? []), ...(node.oneOf ?? []), ...(node.allOf ?? [])]) walk(one, path)
    for (const [name, one] of Object.entries(node.properties ?? {}))
      walk(one, path ? `${path}.${name}` : name)
    walk(node.items, `${path}.0`)
  }
  walk(root, '')
  return [...found]
}

const bodyOf = (call: Call): z.ZodMiniType => {
  const endpoint = monitorApi[call]
  if (!('body' in endpoint)) throw new Error(`${call} takes no body`)
  return endpoint.body
}

describe.each(Object.entries(forms))('%s', (_, { calls, at, own }) => {
  it.each(calls)('%s: whatever it refuses leads to a field', (call) => {
    const paths = pathsOf(bodyOf(call))
    expect(paths.length).toBeGreaterThan(0)
    const lost = paths.filter((path) => at(path) === null && !own.includes(path))
    expect(lost).toEqual([])
  })
})

it('knows the form of every call that sends a body', () => {
  const sources = import.meta.glob<string>('../monitor/**/*.{ts,tsx}', {
    query: '?raw',
    import: 'default',
    eager: true,
  })
  const calls = Object.values(sources).flatMap((text) =>
    [...text.matchAll(/\bapi\s*\.(\w+)\(\{[^)]*?\bbody\b/g)].map(([, name]) => name as Call),
  )
  expect(calls.length).toBeGreaterThan(20)
  const known = new Set<Call>([...noForms, ...Object.values(forms).flatMap((form) => form.calls)])
  expect([...new Set(calls)].filter((call) => !known.has(call))).toEqual([])
})

it('has a control for every field that the settings of a scan lead to', () => {
  const sources = import.meta.glob<string>(
    ['../monitor/scan/{form,wizard}/**/*.tsx', '../monitor/script/{form,parts}/*.tsx'],
    {
      query: '?raw',
      import: 'default',
      eager: true,
    },
  )
  const controls = new Set([
    ...Object.keys(settingControls),
    ...Object.values(sources).flatMap((text) =>
      [...text.matchAll(/(?:\b(?:name|id)=|register\()(?:"|'|\{`)(\w+)/g)].map(([, name]) => name),
    ),
  ])
  const fields = pathsOf(bodyOf('createScan')).map((path) => fieldOf(path, values)?.split('.')[0])
  expect([...new Set(fields)].filter((field) => !controls.has(field))).toEqual([])
})

it('says of every value that has a form of its own what that form is', () => {
  // Ids are chosen, never typed.
  const hasForm = ({ type, format, pattern }: Node) =>
    type === 'integer' || (format !== 'uuid' && (format !== undefined || pattern !== undefined))
  const paths = pathsOf(bodyOf('createScan'), hasForm).filter(
    (path) => !forms['settings of a scan']?.own.includes(path),
  )
  expect(paths.length).toBeGreaterThan(20)
  const vague = paths.filter((path) => {
    const field = fieldOf(path, values)
    return field !== null && faultText(field, 'wrong-format', {}).id === getFieldErrorMessage('wrong-format').id
  })
  expect(vague).toEqual([])
})
