import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writePdf } from '../fixtures/pdf/write.ts'
import { buildProductionArgs } from './javascript.ts'

const root = join(import.meta.dirname, '..')
const [flag = ''] = buildProductionArgs('packages/server/src/main.ts')

/** Runs a module that imports from `packages/<name>/dist`, as in production, and returns its output. */
function runInProduction(code: string): unknown {
  const output = execFileSync(process.execPath, [flag, '--eval', code], { cwd: root, encoding: 'utf8' })
  return JSON.parse(output)
}

describe('production JavaScript', () => {
  it('references no source file', () => {
    const files = globSync('packages/{contract,engine,server,cli}/dist/**/*.js', { cwd: root })
    expect(files.length).toBeGreaterThan(400)
    const filesWithSources = files.filter((file) =>
      /(from|import\(|URL\(|resolve\()\s*'[^']*\.ts'/.test(readFileSync(join(root, file), 'utf8')),
    )
    expect(filesWithSources).toEqual([])
  })

  it('loads in processes that cannot load a source', () => {
    expect(
      runInProduction(`
        const source = await import('./packages/contract/src/kit/limit.ts').catch(({ code }) => code)
        const built = await import('./packages/contract/dist/kit/limit.js')
        console.log(JSON.stringify([process.features.typescript, source, typeof built]))
      `),
    ).toEqual([false, 'ERR_UNKNOWN_FILE_EXTENSION', 'object'])
  })

  it('reads PDFs in processes of the same kind', () => {
    const pdf = writePdf({ tags: [{ type: 'Document', kids: [{ type: 'P', kids: ['Hello'] }] }] })
    expect(
      runInProduction(`
        import { readFileSync } from 'node:fs'
        import { checkPdf, listPdfProcesses } from './packages/engine/dist/pdf/process-pool.js'
        const bytes = Buffer.from('${Buffer.from(pdf).toString('base64')}', 'base64')
        const scope = { wcag: null, bestPractices: true, pdfUa: true }
        const { kind } = await checkPdf(bytes, { scope, withPictures: true })
        const called = listPdfProcesses().map((pid) => readFileSync('/proc/' + pid + '/cmdline', 'utf8').split('\\0'))
        console.log(JSON.stringify([kind, called.map((words) => words.includes('${flag}'))]))
        process.exit()
      `),
    ).toEqual(['checked', [true]])
  })

  it('reads long texts in threads of the same kind', () => {
    expect(
      runInProduction(`
        import { runInThread } from './packages/server/dist/kit/thread-pool.js'
        import { parseScript } from './packages/contract/dist/monitor/script/model.js'
        const reader = import.meta.resolve('./packages/contract/dist/monitor/script/model.js')
        const { ok } = await runInThread(parseScript, reader, '{}'.repeat(10_000), 'TASK')
        console.log(JSON.stringify(ok))
        process.exit()
      `),
    ).toBe(false)
  })
})
