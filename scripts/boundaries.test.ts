import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'

const root = dirname(import.meta.dirname)
mkdirSync(join(root, '.cache'), { recursive: true })
const folder = mkdtempSync(join(root, '.cache', 'planted-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const server = 'packages/server/src/monitor/scan'
const web = 'packages/web/src/monitor/scan'
/** A part of a noun follows the same rules. */
const partFolder = 'packages/server/src/monitor/run/frontier'

/** Maps each file to the modules that it imports against a rule, and to the rule. */
const planted: [rule: string, file: string, imports: string][] = [
  ['contract-stands-alone', 'packages/contract/src/kit/a.ts', '../../../engine/src/scan.ts'],
  ['contract-is-pure', 'packages/contract/src/kit/b.ts', 'node:net'],
  ['engine-knows-contract-only', 'packages/engine/src/a.ts', '../../server/src/config.ts'],
  ['web-knows-contract-only', 'packages/web/src/app/a.ts', '../../../engine/src/scan.ts'],
  ['cli-knows-engine-and-contract', 'packages/cli/src/a.ts', '../../server/src/config.ts'],
  ['server-knows-contract-and-engine', 'packages/server/src/kit/a.ts', '../../../web/src/kit/x.ts'],
  ['engine-from-jobs-only', `${server}/service.ts`, '../../../../engine/src/scan.ts'],
  ['engine-from-jobs-only', 'packages/server/src/monitor/notification/jobs.ts', '../../../../engine/src/scan.ts'],
  ['dialer-from-webhooks-only', 'packages/server/src/process/public-api.ts', '../../../engine/src/guard/dial.ts'],
  ['dialer-stands-alone', 'packages/engine/src/guard/dial.ts', './guard.ts'],
  ['worker-jobs-from-worker-only', 'packages/server/src/process/api.ts', '../monitor/run/preview/jobs.ts'],
  ['worker-loaded-by-need', 'packages/server/src/process/serve.ts', './worker.ts'],
  ['server-kit-knows-no-noun', 'packages/server/src/kit/b.ts', '../monitor/scan/model.ts'],
  ['server-kit-knows-no-noun', 'packages/server/src/kit/d.ts', '../../../contract/src/monitor/scan/api.ts'],
  ['monitor-is-a-stranger', `${server}/service.ts`, '../../idp/key.ts'],
  ['account-is-a-stranger', 'packages/server/src/account/member/service.ts', '../../monitor/scan/model.ts'],
  ['idp-is-a-stranger', 'packages/server/src/idp/key.ts', '../account/member/model.ts'],
  ['routes-go-through-service', `${server}/routes.ts`, './store.ts'],
  ['store-knows-table-only', `${server}/store.ts`, './service.ts'],
  ['table-knows-nothing', `${server}/table.ts`, './store.ts'],
  ['server-model-is-pure', `${server}/model.ts`, 'kysely'],
  ['service-knows-no-door', `${server}/service.ts`, 'fastify'],
  ['nouns-meet-in-service', `${server}/store.ts`, '../run/store.ts'],
  ['sql-in-stores-only', `${server}/routes.ts`, 'kysely'],
  ['sql-in-stores-only', 'packages/server/src/idp/adapter.ts', 'kysely'],
  ['engine-from-jobs-only', `${partFolder}/service.ts`, '../../../../../engine/src/scan.ts'],
  ['monitor-is-a-stranger', `${partFolder}/service.ts`, '../../../idp/key.ts'],
  ['routes-go-through-service', `${partFolder}/routes.ts`, './store.ts'],
  ['routes-go-through-service', `${partFolder}/jobs.ts`, '../store.ts'],
  ['store-knows-table-only', `${partFolder}/store.ts`, '../service.ts'],
  ['table-knows-nothing', `${partFolder}/table.ts`, './store.ts'],
  ['server-model-is-pure', `${partFolder}/model.ts`, '../table.ts'],
  ['service-knows-no-door', `${partFolder}/service.ts`, '../jobs.ts'],
  ['nouns-meet-in-service', `${partFolder}/store.ts`, '../../scan/store.ts'],
  ['nouns-meet-in-service', `${partFolder}/routes.ts`, '../../scan/service.ts'],
  ['sql-in-stores-only', `${partFolder}/service.ts`, 'kysely'],
  ['product-knows-no-test-support', `${server}/service.ts`, '../../../test/world.ts'],
  ['web-kit-knows-no-noun', 'packages/web/src/kit/a.ts', '../monitor/scan/queries.ts'],
  ['web-kit-knows-no-noun', 'packages/web/src/kit/table/row.tsx', '../../monitor/scan/queries.ts'],
  ['web-pages-know-no-app', `${web}/pages/list.tsx`, '../../../app/a.ts'],
  ['web-pages-know-no-app', `${web}/form/fields/scope.tsx`, '../../../../app/a.ts'],
  ['web-parts-know-no-pages', `${web}/parts/row.tsx`, '../pages/list.tsx'],
  ['web-parts-know-no-pages', `${web}/list/table.tsx`, '../pages/list.tsx'],
  ['web-parts-know-no-pages', `${web}/queries.ts`, './pages/list.tsx'],
  ['web-parts-are-made-of-kit', `${web}/parts/row.tsx`, '../list/table.tsx'],
  ['web-parts-are-made-of-kit', `${web}/queries.ts`, './rollup/queries.ts'],
  ['web-nouns-meet-in-queries-and-parts', `${web}/pages/list.tsx`, '../../run/pages/x.tsx'],
  ['web-nouns-meet-in-queries-and-parts', `${web}/list/table.tsx`, '../../run/overview/card.tsx'],
  ['web-nouns-meet-in-queries-and-parts', `${web}/form/fields/scope.tsx`, '../../../run/history/queries.ts'],
  ['web-nouns-meet-in-queries-and-parts', 'packages/web/src/monitor/run/overview/card.tsx', '../../scan/form/values.ts'],
  ['web-preset-has-the-fields-of-a-scan', 'packages/web/src/monitor/preset/form/steps.tsx', '../../run/overview/card.tsx'],
  ['no-cycles', 'packages/cli/src/b.ts', './c.ts'],
  ['no-orphans', 'packages/cli/src/alone.ts', ''],
  ['no-unresolved', 'packages/cli/src/b.ts', './missing.ts'],
  ['named-dependencies-only', 'packages/engine/src/a.ts', 'fastify'],
]

function plantViolations() {
  const imports = new Map<string, Set<string>>()
  for (const [, file, importedModule] of planted) {
    if (!imports.has(file)) imports.set(file, new Set())
    if (importedModule) imports.get(file)!.add(importedModule)
    if (!importedModule.startsWith('.') || importedModule.includes('missing')) continue
    const target = join(dirname(file), importedModule)
    if (!imports.has(target)) imports.set(target, new Set())
  }
  imports.set('packages/cli/src/c.ts', new Set(['./b.ts']))
  for (const [file, tos] of imports) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    const importLines = [...tos].map(
      (importedModule, i) => `import * as m${i} from '${importedModule}'\nexport const u${i} = m${i}\n`,
    )
    writeFileSync(join(folder, file), importLines.join('') || 'const lone = 1\n')
  }
  for (const name of ['contract', 'engine', 'server', 'web', 'cli'])
    writeFileSync(join(folder, 'packages', name, 'package.json'), JSON.stringify({ name, dependencies: { kysely: '1' } }))
  writeFileSync(join(folder, 'package.json'), '{}')
}

type CruiseReport = { summary: { violations: { rule: { name: string }; from: string }[] }; modules: unknown[] }

function runCruise(): CruiseReport {
  const args = ['--config', join(root, '.dependency-cruiser.mjs'), '--output-type', 'json', 'packages']
  const bin = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs')
  const { stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { cwd: folder, encoding: 'utf8', maxBuffer: 1e8 })
  if (!stdout) throw new Error(stderr)
  return JSON.parse(stdout) as CruiseReport
}

describe('every import rule detects its violation', () => {
  plantViolations()
  const { violations } = runCruise().summary

  it.each(planted)('%s: %s may not import %s', (rule, file) => {
    expect(violations.filter((v) => v.from === file).map((v) => v.rule.name)).toContain(rule)
  })

  it('every rule has a planted violation', async () => {
    const config = pathToFileURL(join(root, '.dependency-cruiser.mjs')).href
    const { default: cruiser } = (await import(config)) as { default: { forbidden: { name: string }[] } }
    const rules = cruiser.forbidden.map((r) => r.name)
    expect(new Set(planted.map(([rule]) => rule))).toEqual(new Set(rules))
  })
})
