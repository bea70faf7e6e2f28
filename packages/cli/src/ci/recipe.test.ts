/** @module-tag slow */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { openVendorDouble, type VendorDouble } from '../../test/vendor-double.ts'

// The recipes for build systems, run as their shells run them, with the real command on a real site.

const folder = mkdtempSync(join(tmpdir(), 'clearway-recipe-'))
const programPath = join(import.meta.dirname, '../../bin/clearway.mjs')
const deployFolder = join(import.meta.dirname, '../../../../deploy')

const hostile = '@everyone closes #1 ::error::mine | `code` <!-- --> [x](javascript:alert(1))'
const filler = `<p>${'Enough to read here. '.repeat(60)}</p>`
const buildPage = (body: string) =>
  `<!doctype html><html lang="en"><head><title>Shop</title></head><body><main><h1>Shop</h1>${filler}${body}</main></body></html>`
const knownPart = '<img src="/a.png"><input name="amount">'
const newPart = `<p><a href="/" class="${hostile.replaceAll('"', '')}"></a></p>`
let page = buildPage(knownPart)
let site: Server
let siteUrl: string
let github: VendorDouble
let gitlab: VendorDouble

type ShellResult = { code: number | null; out: string }
function run(command: string, args: string[], env: Record<string, string>): Promise<ShellResult> {
  return new Promise((resolve) => {
    const shell = spawn(command, args, { cwd: folder, env: { ...process.env, ...env, PATH: `${folder}:${process.env.PATH}` } })
    let out = ''
    for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk: Buffer) => (out += chunk.toString()))
    shell.on('close', (code) => resolve({ code, out }))
  })
}

beforeAll(async () => {
  site = createServer((request, response) => {
    const isKnown = request.url === '/'
    response.writeHead(isKnown ? 200 : 404, { 'content-type': 'text/html' }).end(isKnown ? page : buildPage('<p>Not found</p>'))
  }).listen(0, '127.0.0.1')
  await once(site, 'listening')
  siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  github = await openVendorDouble('github', { id: 41, type: 'Bot', canAsk: false })
  gitlab = await openVendorDouble('gitlab', { id: 41, type: 'User', canAsk: true })
  writeFileSync(join(folder, 'event.json'), JSON.stringify({ pull_request: { number: 7 } }))
  // The package of this version, which no registry has yet.
  writeFileSync(
    join(folder, 'npx'),
    `#!/bin/sh\n[ "$1" = --yes ] && [ "$2" = clearway@latest ] || exit 99\nshift 2\nexec "${process.execPath}" "${programPath}" "$@"\n`,
  )
  chmodSync(join(folder, 'npx'), 0o755)
  writeFileSync(join(folder, 'clearway.config.json'), JSON.stringify({ 'allow-private': true, sandbox: false }))
  const written = await run('npx', ['--yes', 'clearway@latest', 'baseline', siteUrl, '--output', 'accessibility.baseline'], {})
  expect(written.code, written.out).toBe(0)
})
afterAll(async () => {
  await Promise.all([github.close(), gitlab.close()])
  site.close()
  rmSync(folder, { recursive: true })
})

type Action = {
  inputs: Record<string, { default?: string }>
  runs: { steps: { shell: string; env: Record<string, string>; run: string }[] }
}

/** Environment of the step, with inputs as they are given or by default. */
function resolveInputs({ inputs, runs }: Action, given: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(runs.steps[0]!.env).map(([name, expression]) => {
      const inputName = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(expression)![1]!
      return [name, given[inputName] ?? inputs[inputName]!.default ?? '']
    }),
  )
}

async function runAction(): Promise<ShellResult> {
  const action = parse(readFileSync(join(deployFolder, 'github-action/action.yml'), 'utf8')) as Action
  const [step] = action.runs.steps
  // Nothing of a pull request is part of the script.
  expect(step!.run).not.toContain('${{')
  const environment = {
    ...resolveInputs(action, { url: siteUrl, 'github-token': 'good' }),
    GITHUB_API_URL: github.url,
    GITHUB_REPOSITORY: 'team/shop',
    GITHUB_EVENT_PATH: join(folder, 'event.json'),
    GITHUB_OUTPUT: join(folder, 'output'),
    GITHUB_STEP_SUMMARY: join(folder, 'summary'),
  }
  return run(step!.shell, ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step!.run], environment)
}

async function runComponent(): Promise<ShellResult> {
  const [spec, jobs] = parseAllDocuments(readFileSync(join(deployFolder, 'gitlab-component/templates/gate.yml'), 'utf8')).map(
    (document) => document.toJS() as unknown,
  ) as [
    { spec: { inputs: Record<string, { default?: string }> } },
    Record<string, { variables: Record<string, string>; script: string[] }>,
  ]
  const given: Record<string, string> = { url: siteUrl, 'site-url': 'https://www.shop.example' }
  const [job] = Object.values(jobs)
  const variables = Object.fromEntries(
    Object.entries(job!.variables).map(([name, expression]) => {
      const inputName = /^\$\[\[ inputs\.([\w-]+) \]\]$/.exec(expression)![1]!
      return [name, given[inputName] ?? spec.spec.inputs[inputName]!.default ?? '']
    }),
  )
  const environment = { CI_API_V4_URL: gitlab.url, CI_PROJECT_ID: '12', CI_MERGE_REQUEST_IID: '7', GITLAB_TOKEN: 'good' }
  return run('sh', ['-ec', job!.script.join('\n')], { ...variables, ...environment })
}

const readJson = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as never

it('the action comments, annotates, and fails on the new issue alone; then it says that nothing is new', async () => {
  page = buildPage(knownPart + newPart)
  const failed = await runAction()
  expect(failed.code, failed.out).toBe(1)
  expect(readFileSync(join(folder, 'output'), 'utf8')).toContain('new=1\nknown=2\n')
  const [comment] = github.comments
  expect(comment!.body).toContain('1 new issue')
  // Text of the page stands in code, where it mentions no person and closes no issue.
  const withoutCode = comment!.body.replaceAll(/(`+) .*? \1/g, '')
  expect(withoutCode).not.toMatch(/@everyone|#1\b|javascript:/)
  expect(failed.out.split('\n').filter((line) => line.startsWith('::error '))).toHaveLength(1)
  // Between these lines, GitHub takes nothing for a command.
  const [, token] = /^::stop-commands::(\S+)$/m.exec(failed.out)!
  expect(failed.out).toContain(`\n::${token}::`)
  expect(existsSync(join(folder, 'accessibility.html'))).toBe(true)

  page = buildPage(knownPart)
  const passed = await runAction()
  expect(passed.code, passed.out).toBe(0)
  expect(github.comments).toHaveLength(1)
  expect(github.comments[0]!.body).toContain('0 new issues')
  expect(github.violations).toEqual([])
}, 60_000)

it('the component fills reports that harmless changes of the page do not change', async () => {
  page = buildPage(knownPart)
  const passed = await runComponent()
  expect(passed.code, passed.out).toBe(0)
  const report = readJson('gl-accessibility.json') as { results: Record<string, { context: string; code: string }[]> }
  expect(Object.keys(report.results)).toEqual(['https://www.shop.example/'])
  expect(report.results['https://www.shop.example/']!.map(({ code }) => code.replace(/\.[^.]+$/, ''))).toEqual([
    'clearway.image-alt',
    'clearway.label',
  ])
  const quality = readJson('gl-code-quality.json') as { fingerprint: string }[]
  page = buildPage(
    `<div class="css-1x2y3z"><div id="r:4:"><input name="amount" class="field-9"></div></div><div><img src="/a.png" class="e4f5"></div>`,
  )
  const changedRun = await runComponent()
  expect(changedRun.code, changedRun.out).toBe(0)
  const sortEntries = (entries: { context: string }[]) => entries.toSorted((one, other) => (one.context < other.context ? -1 : 1))
  const changed = readJson('gl-accessibility.json') as typeof report
  expect(sortEntries(Object.values(changed.results)[0]!)).toEqual(sortEntries(Object.values(report.results)[0]!))
  const fingerprints = (entries: { fingerprint: string }[]) => entries.map(({ fingerprint }) => fingerprint).toSorted()
  expect(fingerprints(readJson('gl-code-quality.json'))).toEqual(fingerprints(quality))
  expect(gitlab.comments).toHaveLength(1)
  expect(gitlab.violations).toEqual([])
}, 60_000)

it('a page that fails does not count as resolved', async () => {
  site.removeAllListeners('request')
  site.on('request', (_, response) => response.writeHead(500).end())
  const failed = await runComponent()
  expect(failed.code, failed.out).toBe(3)
  const { results } = existsSync(join(folder, 'gl-accessibility.json'))
    ? (readJson('gl-accessibility.json') as { results: Record<string, object[]> })
    : { results: {} }
  expect(Object.values(results).flat()).toHaveLength(2)
}, 60_000)
