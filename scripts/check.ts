import { spawn, spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { findCommitProblems } from './commits.ts'
import { slowExpressions } from './expressions.ts'
import { findTreeProblems } from './language.ts'
import { structureProblems } from './structure.ts'

const root = dirname(import.meta.dirname)
const launcher = join(root, 'scripts/node24.mjs')

type Step = { name: string; run: () => boolean | Promise<boolean>; after?: string }

/** Runs a command of the repository, and shows what it said when it has ended; true when it ended well. */
const command =
  (...args: string[]) =>
  () =>
    new Promise<boolean>((resolve) => {
      const child = spawn(process.execPath, [launcher, ...args], {
        cwd: root,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const said: Buffer[] = []
      child.stdout.on('data', (part: Buffer) => said.push(part))
      child.stderr.on('data', (part: Buffer) => said.push(part))
      child.on('close', (code) => {
        process.stdout.write(Buffer.concat(said))
        resolve(code === 0)
      })
    })

/**
 * A cruise that finds no modules says "no violations" too. So the number of modules is part of the check.
 */
function boundaries(): boolean {
  const args = [
    'depcruise',
    '--config',
    '.dependency-cruiser.mjs',
    '--output-type',
    'json',
    'packages',
    'e2e',
    'fixtures',
  ]
  const { stdout } = spawnSync(process.execPath, [launcher, ...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e9,
  })
  const { modules, summary } = JSON.parse(stdout) as {
    modules: { source: string }[]
    summary: { violations: { rule: { name: string }; from: string; to: string }[] }
  }
  const own = modules.filter((m) => /^(packages|e2e|fixtures)\//.test(m.source)).length
  for (const v of summary.violations) console.error(`${v.rule.name}: ${v.from} → ${v.to}`)
  if (own < 100)
    console.error(`Only ${own} modules were seen: the cruise is blind, so its silence means nothing.`)
  return summary.violations.length === 0 && own >= 100
}

function structure(): boolean {
  const problems = structureProblems(root)
  for (const p of problems) console.error(`${p.rule}: ${p.file}: ${p.why}`)
  return problems.length === 0
}

function language(): boolean {
  const problems = findTreeProblems(root)
  for (const { rule, file, line, text } of problems) console.error(`${file}:${line}: ${rule}: ${text}`)
  return problems.length === 0
}

function commits(): boolean {
  const problems = findCommitProblems(root)
  for (const problem of problems) console.error(problem)
  return problems.length === 0
}

function expressions(): boolean {
  const slow = slowExpressions(root)
  for (const { file, expression, why } of slow) console.error(`${file}: ${expression} ${why}`)
  return slow.length === 0
}

const steps: Step[] = [
  { name: 'format', run: command('prettier', '--check', '--log-level', 'warn', '.') },
  {
    name: 'lint',
    run: command('oxlint', '--type-aware', '--quiet', 'packages', 'scripts', 'e2e', 'fixtures', 'bench'),
  },
  {
    name: 'types',
    run: async () => (await command('tsc', '-p', '.')()) && (await command('tsc', '-p', 'packages/web')()),
  },
  { name: 'boundaries', run: boundaries },
  { name: 'structure', run: structure },
  { name: 'language', run: language },
  { name: 'expressions', run: expressions },
  { name: 'unused', run: command('knip', '--no-progress') },
  { name: 'generated', run: command('scripts/generate.ts', '--check') },
  { name: 'catalogues', run: command('packages/web/check-catalogs.ts') },
  { name: 'build', run: command('packages/web/build.ts') },
  { name: 'size', run: command('packages/web/check-size.ts'), after: 'build' },
]

/** Runs only when named: a checkout may lack the history. */
const onlyByName: Step[] = [{ name: 'commits', run: commits }]

/** What takes minutes says how far it is, and has the machine to itself. */
const tests: Step = {
  name: 'tests',
  run: () =>
    spawnSync(process.execPath, [launcher, 'scripts/test.ts', '--project=node', '--project=browser'], {
      cwd: root,
      stdio: 'inherit',
    }).status === 0,
}

/** All steps, or the named ones; every one runs, so that one call shows all that is wrong. */
const wanted = process.argv.slice(2)
const names = [...steps, ...onlyByName, tests].map(({ name }) => name)
const unknown = wanted.filter((name) => !names.includes(name))
if (unknown.length > 0) {
  console.error(`No such step: ${unknown.join(', ')}. There are: ${names.join(', ')}.`)
  process.exit(2)
}
const isWanted = ({ name }: Step) => wanted.length === 0 || wanted.includes(name)

const ended = new Map<string, Promise<boolean>>()
async function runStep({ name, run, after }: Step): Promise<boolean> {
  if (after !== undefined) await ended.get(after)
  const start = performance.now()
  const ok = await run()
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`)
  return ok
}
const waiting = [...steps.filter(isWanted), ...onlyByName.filter(({ name }) => wanted.includes(name))]
/** Most steps keep one core busy, so two go side by side. */
async function lane(): Promise<void> {
  for (let step = waiting.shift(); step; step = waiting.shift()) {
    ended.set(step.name, runStep(step))
    await ended.get(step.name)
  }
}
await Promise.all([lane(), lane()])
if (isWanted(tests)) ended.set(tests.name, runStep(tests))

const failed: string[] = []
for (const [name, ok] of ended) if (!(await ok)) failed.push(name)
if (failed.length > 0) {
  console.error(`Failed: ${failed.join(', ')}`)
  process.exit(1)
}
