import { axeVersions, newestAxeVersion } from '@clearway/contract/monitor/ruleset/schema.ts'
import { buildCallRule, buildImportRule, buildNameRule, buildUploadRule, buildValidationRule, type Rule } from './rule.ts'
import { taskScript, type World } from '../world.ts'

const tooLongText = 'x'.repeat(256)
let createdCount = 0
const buildUniqueName = (prefix: string) => `${prefix} ${(createdCount += 1)}`

const buildAssignments = (world: World, extraFields: object = {}) => ({
  assignments: [{ teamId: world.team, scanId: world.otherScan, role: 'scanViewer', ...extraFields }],
})
const duplicateAssignment = ({ assignments }: { assignments: object[] }) => ({ assignments: [...assignments, ...assignments] })
const call = 'POST /team-access'
const access: Rule[] = [
  buildCallRule('Group and team selection required', call, 'assignments', 'too-short', { assignments: [] }, (world) =>
    buildAssignments(world),
  ),
  buildCallRule(
    'Group and team selection required',
    call,
    'assignments.0.teamId',
    'too-short',
    (world) => buildAssignments(world, { teamId: '' }),
    (world) => buildAssignments(world),
  ),
  buildCallRule(
    'duplicates rejected',
    call,
    'assignments.1',
    'duplicate',
    (world) => duplicateAssignment(buildAssignments(world)),
    (world) => buildAssignments(world),
  ),
  buildCallRule(
    'duplicates rejected',
    'PUT /scans/{id}/access',
    'groups.1',
    'duplicate',
    (world) => ({ teams: [], groups: [world.group, world.group] }),
    (world) => ({ teams: [], groups: [world.group] }),
  ),
  buildCallRule(
    '"Scan or Scan Group must not be empty"',
    call,
    'assignments.0.scanId',
    'required',
    (world) => buildAssignments(world, { scanId: undefined }),
    (world) => buildAssignments(world, { scanId: undefined, scanGroupId: world.group }),
  ),
]

const labels: Rule[] = [
  buildCallRule(
    'Labels cannot be empty',
    'POST /issues/{id}/labels',
    'labels.0',
    'too-short',
    { labels: [' '] },
    { labels: ['brand'] },
  ),
  buildCallRule(
    'Labels cannot be empty',
    'POST /issues/{id}/labels',
    'labels',
    'too-short',
    { labels: [] },
    { labels: ['brand'] },
  ),
]

const preset = 'POST /presets'
const group = 'POST /groups'
const names: Rule[] = [
  buildCallRule('Preset name: required', preset, 'name', 'too-short', { name: '' }, () => ({ name: buildUniqueName('Preset') })),
  buildNameRule('Preset name: unique', preset, { name: 'house rules' }, () => ({ name: buildUniqueName('Preset') })),
  buildCallRule('Preset name: length-limited', preset, 'name', 'too-long', { name: tooLongText }, () => ({
    name: tooLongText.slice(1),
  })),
  buildValidationRule(
    'optionally excluding the edited preset',
    'POST /presets/validate',
    'name-taken',
    { name: 'House rules' },
    (world) => ({ name: 'House rules', presetId: world.preset }),
  ),
  buildCallRule('Group name: required', group, 'scanGroupName', 'too-short', { scanGroupName: ' ' }, () => ({
    scanGroupName: buildUniqueName('Group'),
  })),
  buildNameRule('Group name: unique', group, { scanGroupName: 'GROUP' }, () => ({ scanGroupName: buildUniqueName('Group') })),
  buildCallRule('Group name: length-limited', group, 'scanGroupName', 'too-long', { scanGroupName: tooLongText }, () => ({
    scanGroupName: tooLongText.slice(1),
  })),
  buildValidationRule(
    'optionally excluding the edited group',
    'POST /groups/validate',
    'name-taken',
    { scanGroupName: 'Group' },
    (world) => ({ scanGroupName: 'Group', groupId: world.group }),
  ),
  buildValidationRule(
    'The server validate call returns success false with a message',
    'POST /scans/validate',
    'required',
    { name: ' ' },
    () => ({ name: buildUniqueName('Scan') }),
    'Enter a name.',
  ),
]

const upload = 'Please upload a valid script file.'
const buildScriptRule = (clause: string, type: 'TASK' | 'SESSION', script: string, good: string): Rule =>
  buildValidationRule(
    clause,
    'POST /scripts/validate',
    'invalid-script',
    { script, allowedScriptType: type },
    { script: good, allowedScriptType: type },
    upload,
  )
const noAnalyze = taskScript.replace('- analyze', '- click element "a"')
const asJson = JSON.stringify({
  projects: [{ name: 'P', id: 'p', pageList: [{ name: 'A', url: 'https://a.example/', actions: ['analyze'] }] }],
})
const scripts: Rule[] = [
  buildScriptRule('JSON or YAML file', 'TASK', '<script/>', asJson),
  buildScriptRule(
    'representing a single scan',
    'TASK',
    `${taskScript}  - name: Second\n    id: b\n    pageList: []\n`,
    taskScript,
  ),
  buildScriptRule('TASK needs at least one analyze action', 'TASK', noAnalyze, taskScript),
  buildScriptRule('SESSION must have none', 'SESSION', taskScript, noAnalyze),
  buildScriptRule('otherwise "Please upload a valid script file."', 'TASK', 'projects: [', taskScript),
]

const results = JSON.stringify({
  testEngine: { name: 'axe-core', version: axeVersions[newestAxeVersion] },
  url: 'https://example.org/uploaded',
  violations: [],
})
const fine = [{ text: results }]
const uploads: Rule[] = [
  buildUploadRule('JSON only (application/json)', 'not-json', [{ type: 'text/plain', text: results }], fine),
  buildUploadRule('maximum file size', 'file-too-large', [{ text: `${results}${' '.repeat(20 * 1024 * 1024)}` }], fine),
  buildUploadRule(
    'maximum file size and count',
    'too-many-files',
    Array.from({ length: 21 }, () => ({ text: results })),
    fine,
  ),
  buildUploadRule(
    'issues must parse with required data',
    'invalid-issues',
    [{ text: results.replace('"violations":[]', '"violations":[{}]') }],
    fine,
  ),
]

const roleMessage = '"Boss" is not a role. There are Scan Viewer, Scan Member and Scan Admin.'
const imports: Rule[] = [
  buildImportRule(
    'Bulk CSV import: team',
    'unknown-team',
    () => 'Nobody,Another world,,Scan Viewer',
    'There is no team "Nobody".',
  ),
  buildImportRule('scan', 'unknown-scan', () => 'Editors,Nowhere,,Scan Viewer', 'There is no scan "Nowhere".'),
  buildImportRule(
    'scan group must exist',
    'unknown-group',
    () => 'Editors,,Nowhere,Scan Viewer',
    'There is no scan group "Nowhere".',
  ),
  buildImportRule(
    'scan or group must be specified',
    'no-target',
    () => 'Editors,,,Scan Viewer',
    'Scan or Scan Group must not be empty.',
  ),
  buildImportRule(
    'role must be Scan Viewer, Scan Member or Scan Admin',
    'bad-role',
    () => 'Editors,Another world,,Boss',
    roleMessage,
  ),
]

export const adminRules: Rule[] = [...access, ...labels, ...names, ...scripts, ...uploads, ...imports]
