import { fileURLToPath } from 'node:url'
import { accountApi } from '@clearway/contract/account/api.ts'
import { configApi, monitorApi, publicApi } from '@clearway/contract/monitor/api.ts'
import { build } from 'vite'
import { expect, it } from 'vitest'
import { callPlugin } from './call-plugin.ts'

type Calls = Record<string, { method: string; path: string; reply: object }>

/** What a browser gets of a module of the contract. */
async function built(module: string): Promise<{ code: string; tables: Record<string, Calls> }> {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [callPlugin()],
    build: {
      write: false,
      minify: false,
      lib: { entry: fileURLToPath(import.meta.resolve(module)), formats: ['es'], fileName: 'calls' },
    },
  })
  const [{ output }] = [result].flat() as { output: { code: string }[] }[] as [{ output: [{ code: string }] }]
  const code = output[0].code
  const url = `data:text/javascript,${encodeURIComponent(code)}`
  return { code, tables: (await import(/* @vite-ignore */ url)) as Record<string, Calls> }
}

it.each<[string, Record<string, Calls>]>([
  ['@clearway/contract/monitor/api.ts', { monitorApi, configApi, publicApi }],
  ['@clearway/contract/account/api.ts', { accountApi }],
])('a browser gets every call of %s, and no schema', async (module, contract) => {
  const { code, tables } = await built(module)
  expect(code).not.toContain('zod')
  for (const [name, table] of Object.entries(contract)) {
    const known = Object.entries(tables[name] ?? {}).map(([call, { method, path }]) => [call, method, path])
    expect(known).toEqual(Object.entries(table).map(([call, { method, path }]) => [call, method, path]))
  }
})

it('a browser knows which answers are files', async () => {
  const { tables } = await built('@clearway/contract/monitor/api.ts')
  expect(tables['monitorApi']?.['exportIssuesCsv']?.reply).toEqual({ blob: 'text/csv' })
  expect(tables['monitorApi']?.['listIssues']?.reply).toEqual({})
})
