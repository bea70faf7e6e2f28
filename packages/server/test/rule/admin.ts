import { axeVersions, newestAxeVersion } from '@clearway/contract/monitor/ruleset/schema.ts'
import { ofCall, ofImport, ofName, ofUpload, ofValidation, type Rule } from './rule.ts'
import { taskScript, type World } from '../world.ts'

const long = 'x'.repeat(256)
let made = 0
const fresh = (what: string) => `${what} ${(made += 1)}`

const team = (world: World, more: object = {}) => ({
  assignments: [{ teamId: world.team, scanId: world.otherScan, role: 'scanViewer', ...more }],
})
const twice = ({ assignments }: { assignments: object[] }) => ({
  assignments: [...assignments, ...assignments],
})
const call = 'POST /team-access'
const access: Rule[] = [
  ofCall(
    'Group and team selection required',
    call,
    'assignments',
    'too-short',
    { assignments: [] },
    (world) => team(world),
  ),
  ofCall(
    'Group and team selection required',
    call,
    'assignments.0.teamId',
    'too-short',
    (world) => team(world, { teamId: '' }),
    (world) => team(world),
  ),
  ofCall(
    'duplicates rejected',
    call,
    'assignments.1',
    'duplicate',
    (world) => twice(team(world)),
    (world) => team(world),
  ),
  ofCall(
    'duplicates rejected',
    'PUT /scans/{id}/access',
    'groups.1',
    'duplicate',
    (world) => ({ teams: [], groups: [world.group, world.group] }),
    (world) => ({ teams: [], groups: [world.group] }),
  ),
  ofCall(
    '"Scan or Scan Group must not be empty"',
    call,
    'assignments.0.scanId',
    'required',
    (world) => team(world, { scanId: undefined }),
    (world) => team(world, { scanId: undefined, scanGroupId: world.group }),
  ),
]

const labels: Rule[] = [
  ofCall(
    'Labels cannot be empty',
    'POST /issues/{id}/labels',
    'labels.0',
    'too-short',
    { labels: [' '] },
    { labels: ['brand'] },
  ),
  ofCall(
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
  ofCall('Preset name: required', preset, 'name', 'too-short', { name: '' }, () => ({
    name: fresh('Preset'),
  })),
  ofName('Preset name: unique', preset, { name: 'house rules' }, () => ({ name: fresh('Preset') })),
  ofCall('Preset name: length-limited', preset, 'name', 'too-long', { name: long }, () => ({
    name: long.slice(1),
  })),
  ofValidation(
    'optionally excluding the edited preset',
    'POST /presets/validate',
    'name-taken',
    { name: 'House rules' },
    (world) => ({ name: 'House rules', presetId: world.preset }),
  ),
  ofCall('Group name: required', group, 'scanGroupName', 'too-short', { scanGroupName: ' ' }, () => ({
    scanGroupName: fresh('Group'),
  })),
  ofName('Group name: unique', group, { scanGroupName: 'GROUP' }, () => ({ scanGroupName: fresh('Group') })),
  ofCall('Group name: length-limited', group, 'scanGroupName', 'too-long', { scanGroupName: long }, () => ({
    scanGroupName: long.slice(1),
  })),
  ofValidation(
    'optionally excluding the edited group',
    'POST /groups/validate',
    'name-taken',
    { scanGroupName: 'Group' },
    (world) => ({ scanGroupName: 'Group', groupId: world.group }),
  ),
  ofValidation(
    'The server validate call returns success false with a message',
    'POST /scans/validate',
    'required',
    { name: ' ' },
    () => ({ name: fresh('Scan') }),
    'Enter a name.',
  ),
]

const upload = 'Please upload a valid script file.'
const ofScript = (clause: string, type: 'TASK' | 'SESSION', script: string, good: string): Rule =>
  ofValidation(
    clause,
    'POST /scripts/validate',
    'invalid-script',
    { script, allowedScriptType: type },
    { script: good, allowedScriptType: type },
    upload,
  )
const noAnalyze = taskScript.replace('- analyze', '- click element "a"')
const asJson = JSON.stringify({
  projects: [
    { name: 'P', id: 'p', pageList: [{ name: 'A', url: 'https://a.example/', actions: ['analyze'] }] },
  ],
})
const scripts: Rule[] = [
  ofScript('JSON or YAML file', 'TASK', '<script/>', asJson),
  ofScript(
    'representing a single scan',
    'TASK',
    `${taskScript}  - name: Second\n    id: b\n    pageList: []\n`,
    taskScript,
  ),
  ofScript('TASK needs at least one analyze action', 'TASK', noAnalyze, taskScript),
  ofScript('SESSION must have none', 'SESSION', taskScript, noAnalyze),
  ofScript('otherwise "Please upload a valid script file."', 'TASK', 'projects: [', taskScript),
]

const results = JSON.stringify({
  testEngine: { name: 'axe-core', version: axeVersions[newestAxeVersion] },
  url: 'https://example.org/uploaded',
  violations: [],
})
const fine = [{ text: results }]
const uploads: Rule[] = [
  ofUpload('JSON only (application/json)', 'not-json', [{ type: 'text/plain', text: results }], fine),
  ofUpload(
    'maximum file size',
    'file-too-large',
    [{ text: `${results}${' '.repeat(20 * 1024 * 1024)}` }],
    fine,
  ),
  ofUpload(
    'maximum file size and count',
    'too-many-files',
    Array.from({ length: 21 }, () => ({ text: results })),
    fine,
  ),
  ofUpload(
    'issues must parse with required data',
    'invalid-issues',
    [{ text: results.replace('"violations":[]', '"violations":[{}]') }],
    fine,
  ),
]

const roleMessage = '"Boss" is not a role. There are Scan Viewer, Scan Member and Scan Admin.'
const imports: Rule[] = [
  ofImport(
    'Bulk CSV import: team',
    'unknown-team',
    () => 'Nobody,Another world,,Scan Viewer',
    'There is no team "Nobody".',
  ),
  ofImport('scan', 'unknown-scan', () => 'Editors,Nowhere,,Scan Viewer', 'There is no scan "Nowhere".'),
  ofImport(
    'scan group must exist',
    'unknown-group',
    () => 'Editors,,Nowhere,Scan Viewer',
    'There is no scan group "Nowhere".',
  ),
  ofImport(
    'scan or group must be specified',
    'no-target',
    () => 'Editors,,,Scan Viewer',
    'Scan or Scan Group must not be empty.',
  ),
  ofImport(
    'role must be Scan Viewer, Scan Member or Scan Admin',
    'bad-role',
    () => 'Editors,Another world,,Boss',
    roleMessage,
  ),
]

export const adminRules: Rule[] = [...access, ...labels, ...names, ...scripts, ...uploads, ...imports]
