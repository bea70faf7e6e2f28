import { dirname } from 'node:path'
import { expect, it } from 'vitest'
import { slowExpressions, slowIn } from './expressions.ts'

it('finds expressions on which a stranger can make us wait', () => {
  const program = String.raw`
    const nested = (text: string) => /^(a+)+$/.test(text)
    const twice = /x*x*y/
    const spaces = /\s+$/
    const fine = [/^[a-z]+$/, /(?<!\s)\s+$/, /"[^"]*"/]`
  expect(slowIn('planted.ts', program).map(({ expression }) => expression)).toEqual([
    '/^(a+)+$/',
    '/x*x*y/',
    String.raw`/\s+$/`,
  ])
})

it('the product has none', () => {
  expect(slowExpressions(dirname(import.meta.dirname))).toEqual([])
})
