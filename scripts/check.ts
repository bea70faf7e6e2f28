import { spawn, spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { findCommitProblems } from './commits.ts'
import { findProductSlowExpressions } from './expressions.ts'
import { findTreeProblems } from './language.ts'
import { findStructureProblems } from './structure.ts'

const root = dirname(import.meta.dirname)
const launcher = join(root, 'scripts/node24.mjs')

type Step = { name: string; run: () => boolean | Promise<boolean>; after?: string }

/** Runs a command of the repository and prints its output when it ends. Resolves to true on success. */
const runCommand =
  (...args: string[]) =>
  () =>
    new Promise<boolean>((resolve) => {
      const child = spawn(process.execPath, [launcher, ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
      const output: Buffer[] = []
      child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
      child.stderr.on('data', (chunk: Buffer) => output.push(chunk))
      child.on('close', (code) => {
        process.stdout.write(Buffer.concat(output))
        resolve(code === 0)
      })
    })

/** A cruise without any modules reports "no violations", too. So the number of modules is part of the check. */
function checkBoundaries(): boolean {
  const args = ['depcruise', '--config', '.dependency-cruiser.mjs', '--output-type', 'json', 'packages', 'e2e', 'fixtures']
  const { stdout } = spawnSync(process.execPath, [launcher, ...args], { cwd: root, encoding: 'utf8', maxBuffer: 1e9 })
  const { modules, summary } = JSON.parse(stdout) as {
    modules: { source: string }[]
    summary: { violations: { rule: { name: string }; from: string; to: string }[] }
  }
  const ownModuleCount = modules.filter((m) => /^(packages|e2e|fixtures)\//.test(m.source)).length
  for (const v of summary.violations) console.error(`${v.rule.name}: ${v.from} → ${v.to}`)
  if (ownModuleCount < 100)
    console.error(`Only ${ownModuleCount} modules were seen: the cruise is blind, so its silence means nothing.`)
  return summary.violations.length === 0 && ownModuleCount >= 100
}

function checkStructure(): boolean {
  const problems = findStructureProblems(root)
  for (const p of problems) console.error(`${p.rule}: ${p.file}: ${p.why}`)
  return problems.length === 0
}

function checkLanguage(): boolean {
  const problems = findTreeProblems(root)
  for (const { rule, file, line, text } of problems) console.error(`${file}:${line}: ${rule}: ${text}`)
  return problems.length === 0
}

function checkCommits(): boolean {
  const problems = findCommitProblems(root)
  for (const problem of problems) console.error(problem)
  return problems.length === 0
}

function checkExpressions(): boolean {
  const slow = findProductSlowExpressions(root)
  for (const { file, expression, why } of slow) console.error(`${file}: ${expression} ${why}`)
  return slow.length === 0
}

/** Folder of what an earlier check learned, so that the next one looks only at what changed. */
const cacheFolder = 'node_modules/.cache'
const checkTypes = (project: string, cacheName: string) =>
  runCommand('tsc', '-p', project, '--incremental', '--tsBuildInfoFile', `${cacheFolder}/types/${cacheName}.json`)

const steps: Step[] = [
  { name: 'format', run: runCommand('oxfmt', '--list-different') },
  { name: 'lint', run: runCommand('oxlint', '--type-aware', '--quiet', 'packages', 'scripts', 'e2e', 'fixtures', 'bench') },
  { name: 'types', run: async () => (await checkTypes('.', 'all')()) && (await checkTypes('packages/web', 'web')()) },
  { name: 'boundaries', run: checkBoundaries },
  { name: 'structure', run: checkStructure },
  { name: 'language', run: checkLanguage },
  { name: 'expressions', run: checkExpressions },
  { name: 'unused', run: runCommand('knip', '--no-progress') },
  { name: 'generated', run: runCommand('scripts/generate.ts', '--check') },
  { name: 'catalogs', run: runCommand('packages/web/check-catalogs.ts') },
  { name: 'build', run: runCommand('packages/web/build.ts') },
  { name: 'size', run: runCommand('packages/web/check-size.ts'), after: 'build' },
]

/** Runs only when named: a checkout may lack the history. */
const onlyByName: Step[] = [{ name: 'commits', run: checkCommits }]

/** Takes minutes, so it shows its progress and runs alone. */
const tests: Step = {
  name: 'tests',
  run: () => spawnSync(process.execPath, [launcher, 'scripts/test.ts', '--all'], { cwd: root, stdio: 'inherit' }).status === 0,
}

/** Runs all steps, those that test nothing (`static`), or the named ones. A failure does not stop the others, so that one call shows all problems. */
const requestedNames = process.argv.slice(2).flatMap((name) => (name === 'static' ? steps.map((step) => step.name) : [name]))
const stepNames = [...steps, ...onlyByName, tests].map(({ name }) => name)
const unknownNames = requestedNames.filter((name) => !stepNames.includes(name))
if (unknownNames.length > 0) {
  console.error(`No such step: ${unknownNames.join(', ')}. There are: ${stepNames.join(', ')}.`)
  process.exit(2)
}
const isRequested = ({ name }: Step) => requestedNames.length === 0 || requestedNames.includes(name)

const resultByStep = new Map<string, Promise<boolean>>()
async function runStep({ name, run, after }: Step): Promise<boolean> {
  if (after !== undefined) await resultByStep.get(after)
  const startedAt = performance.now()
  const isOk = await run()
  console.log(`${isOk ? 'ok    ' : 'FAILED'} ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`)
  return isOk
}
const pendingSteps = [...steps.filter(isRequested), ...onlyByName.filter(({ name }) => requestedNames.includes(name))]
/** Most steps use a single core, so two run in parallel. */
async function runPendingSteps(): Promise<void> {
  for (let step = pendingSteps.shift(); step; step = pendingSteps.shift()) {
    resultByStep.set(step.name, runStep(step))
    await resultByStep.get(step.name)
  }
}
await Promise.all([runPendingSteps(), runPendingSteps()])
if (isRequested(tests)) resultByStep.set(tests.name, runStep(tests))

const failedNames: string[] = []
for (const [name, ok] of resultByStep) if (!(await ok)) failedNames.push(name)
if (failedNames.length > 0) {
  console.error(`Failed: ${failedNames.join(', ')}`)
  process.exit(1)
}
