import { fileURLToPath } from 'node:url'
import { accountApi } from '@clearway/contract/account/api.ts'
import { configApi, monitorApi, publicApi } from '@clearway/contract/monitor/api.ts'
import { build } from 'vite'
import { expect, it } from 'vitest'
import { callPlugin } from './call-plugin.ts'

type CallTable = Record<string, { method: string; path: string; reply: object }>

/** Builds a contract module as the browser receives it. */
async function buildModule(moduleName: string): Promise<{ code: string; tables: Record<string, CallTable> }> {
  const buildResult = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [callPlugin()],
    build: {
      write: false,
      minify: false,
      lib: { entry: fileURLToPath(import.meta.resolve(moduleName)), formats: ['es'], fileName: 'calls' },
    },
  })
  const [{ output: buildOutput }] = [buildResult].flat() as { output: { code: string }[] }[] as [{ output: [{ code: string }] }]
  const builtCode = buildOutput[0].code
  const moduleUrl = `data:text/javascript,${encodeURIComponent(builtCode)}`
  return {
    code: builtCode,
    tables: (await import(/* @vite-ignore */ moduleUrl)) as Record<string, CallTable>,
  }
}

it.each<[string, Record<string, CallTable>]>([
  ['@clearway/contract/monitor/api.ts', { monitorApi, configApi, publicApi }],
  ['@clearway/contract/account/api.ts', { accountApi }],
])('a browser gets every call of %s without schemas', async (module, contract) => {
  const { code, tables } = await buildModule(module)
  expect(code).not.toContain('zod')
  for (const [name, table] of Object.entries(contract)) {
    const builtCalls = Object.entries(tables[name] ?? {}).map(([call, { method, path }]) => [call, method, path])
    expect(builtCalls).toEqual(Object.entries(table).map(([call, { method, path }]) => [call, method, path]))
  }
})

it('a browser knows which replies are files', async () => {
  const { tables } = await buildModule('@clearway/contract/monitor/api.ts')
  expect(tables['monitorApi']?.['exportIssuesCsv']?.reply).toEqual({ blob: 'text/csv' })
  expect(tables['monitorApi']?.['listIssues']?.reply).toEqual({})
})
