import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

// Workflows cannot run here: what they call, and what they may do, is checked.

const root = join(import.meta.dirname, '..')
type Step = { uses?: string; run?: string; if?: string; with?: Record<string, unknown>; env?: Record<string, string> }
type Job = { steps: Step[]; permissions?: Record<string, string>; 'timeout-minutes'?: number }
type Workflow = { permissions: Record<string, string>; jobs: Record<string, Job>; on: Record<string, unknown> }
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }

describe.each(globSync('.github/workflows/*.yml', { cwd: root }))('%s', (file) => {
  const text = readFileSync(join(root, file), 'utf8')
  const workflow = parse(text) as Workflow
  const jobs = Object.values(workflow.jobs)
  const steps = jobs.flatMap((job) => job.steps)

  it('calls scripts that exist', () => {
    const commands = steps.map(({ run }) => run ?? '').join('\n')
    const calledFiles = [...commands.matchAll(/(?:scripts|deploy)\/[\w./-]+\.(?:ts|sh|mjs)/g)].map(([path]) => path)
    expect(calledFiles).toContain('scripts/publish.sh')
    expect(calledFiles.filter((path) => !existsSync(join(root, path)))).toEqual([])
    const calledScripts = [...commands.matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, name]) => name!)
    expect(calledScripts.filter((name) => !(name in scripts))).toEqual([])
    for (const { with: inputs } of steps)
      if (typeof inputs?.file === 'string') expect(existsSync(join(root, inputs.file))).toBe(true)
  })

  it('gives each job the rights that it needs, and a time limit', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' })
    for (const job of jobs) expect(job['timeout-minutes']).toBeGreaterThan(0)
    const writers = jobs.filter(({ permissions }) => permissions?.contents === 'write')
    expect(writers.length).toBeLessThanOrEqual(1)
  })

  it('publishes from a tag only: every step with a secret or a right to publish asks for it', () => {
    const publishers = steps.filter(
      ({ uses = '', run = '', with: inputs = {}, env = {} }) =>
        /secrets\./.test(JSON.stringify({ inputs, env })) ||
        /gh release|cosign sign/.test(run) ||
        /deploy-pages|login-action|attest/.test(uses),
    )
    expect(publishers.length).toBeGreaterThanOrEqual(5)
    for (const publisher of publishers) expect(publisher.if).toBe("env.IS_RELEASE == 'true'")
    for (const { with: inputs } of steps) if (inputs && 'push' in inputs) expect(inputs.push).toContain("IS_RELEASE == 'true'")
    // Nothing of a tag or a branch becomes part of a command.
    for (const { run = '' } of steps) expect(run).not.toContain('${{')
  })

  it('signs images, with packages and provenance, and names no registry', () => {
    const image = steps.find(({ uses }) => uses?.startsWith('docker/build-push-action'))
    expect(image?.with).toMatchObject({ sbom: true, provenance: 'mode=max', platforms: 'linux/amd64,linux/arm64' })
    expect(steps.some(({ run }) => run?.startsWith('cosign sign'))).toBe(true)
    expect(text).not.toMatch(/https?:\/\/|\b[\w-]+\.(?:io|org|com)\//)
  })
})
