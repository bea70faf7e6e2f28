import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'

const root = dirname(import.meta.dirname)
// Outside the repository: oxlint passes over what git ignores.
const folder = mkdtempSync(join(tmpdir(), 'clearway-lint-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const long = (lines: number) => Array.from({ length: lines }, (_, i) => `  note(${i})`).join('\n')
const declare = 'declare function note(n: number): void\n'

/** Rule → a file that breaks it. */
const planted: [rule: string, file: string, code: string][] = [
  ['max-lines', 'long.ts', Array.from({ length: 401 }, (_, i) => `export const a${i} = ${i}`).join('\n')],
  ['max-lines-per-function', 'function.ts', `${declare}export function f() {\n${long(61)}\n}`],
  ['max-lines-per-function', 'component.tsx', `${declare}export function F() {\n${long(101)}\n}`],
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

describe('every lint rule bites', () => {
  for (const [, file, code] of planted) writeFileSync(join(folder, file), `${code}\n`)
  writeFileSync(join(folder, 'a.ts'), 'export type A = string\n')
  const options = {
    strict: true,
    module: 'nodenext',
    jsx: 'react-jsx',
    allowImportingTsExtensions: true,
    noEmit: true,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['.'] }))
  // The type-aware half would be looked for beside what is linted.
  const env = { ...process.env, OXLINT_TSGOLINT_PATH: join(root, 'node_modules/.bin/tsgolint') }
  const bin = join(root, 'node_modules/oxlint/bin/oxlint')
  const args = [
    bin,
    '--config',
    join(root, '.oxlintrc.json'),
    '--type-aware',
    '--format',
    'unix',
    '--no-ignore',
    '.',
  ]
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8' })

  it.each(planted)('%s in %s', (rule, file) => {
    const lines = stdout.split('\n').filter((line) => line.includes(file))
    expect(lines.join('\n')).toContain(`(${rule})`)
  })
})
