import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'

const root = dirname(import.meta.dirname)
// Outside the repository, because oxlint skips files that git ignores.
const folder = mkdtempSync(join(tmpdir(), 'clearway-lint-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const repeatLines = (lineCount: number) => Array.from({ length: lineCount }, (_, i) => `  note(${i})`).join('\n')
const declare = 'declare function note(n: number): void\n'

/** Maps each rule to a file that violates it. */
const planted: [rule: string, file: string, code: string][] = [
  ['max-lines', 'long.ts', Array.from({ length: 401 }, (_, i) => `export const a${i} = ${i}`).join('\n')],
  ['max-lines-per-function', 'function.ts', `${declare}export function f() {\n${repeatLines(61)}\n}`],
  ['max-lines-per-function', 'component.tsx', `${declare}export function F() {\n${repeatLines(101)}\n}`],
  ['no-restricted-imports', 'zod.ts', "import * as z from 'zod'\nexport const a = z"],
  ['no-console', 'console.ts', "console.log('a')"],
  ['eqeqeq', 'equal.ts', 'export const f = (a: number, b: number) => a == b'],
  ['no-explicit-any', 'any.ts', 'export const f = (a: any) => a'],
  ['no-floating-promises', 'promise.ts', 'declare function f(): Promise<void>\nf()'],
  ['consistent-type-imports', 'type.ts', "import { A } from './a.ts'\nexport const a = (b: A) => b"],
  [
    'switch-exhaustiveness-check',
    'switch.ts',
    "export const f = (a: 'x' | 'y') => {\n  switch (a) {\n    case 'x':\n      return 1\n  }\n}",
  ],
  ['no-default-export', 'default.ts', 'const a = 1\nexport default a'],
  [
    'rules-of-hooks',
    'hook.tsx',
    "import { useState } from 'react'\nexport function A({ b }: { b: boolean }) {\n  if (b) useState(1)\n  return null\n}",
  ],
  ['alt-text', 'image.tsx', 'export const A = () => <img src="a.png" />'],
]

describe('every lint rule detects its violation', () => {
  for (const [, file, code] of planted) writeFileSync(join(folder, file), `${code}\n`)
  writeFileSync(join(folder, 'a.ts'), 'export type A = string\n')
  const options = { strict: true, module: 'nodenext', jsx: 'react-jsx', allowImportingTsExtensions: true, noEmit: true }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['.'] }))
  // oxlint looks for the type-aware half next to the linted files.
  const env = { ...process.env, OXLINT_TSGOLINT_PATH: join(root, 'node_modules/.bin/tsgolint') }
  const bin = join(root, 'node_modules/oxlint/bin/oxlint')
  const args = [bin, '--config', join(root, '.oxlintrc.json'), '--type-aware', '--format', 'unix', '--no-ignore', '.']
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8' })

  it.each(planted)('%s in %s', (rule, file) => {
    const fileLines = stdout.split('\n').filter((line) => line.includes(file))
    expect(fileLines.join('\n')).toContain(`(${rule})`)
  })
})
