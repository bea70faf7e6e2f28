import { dirname } from 'node:path'
import { expect, it } from 'vitest'
import { findProductSlowExpressions, findSlowExpressions, findProblems } from './expressions.ts'

it('finds expressions that hostile input can slow down', () => {
  const program = String.raw`
    const nested = (text: string) => /^(a+)+$/.test(text)
    const twice = /x*x*y/
    const spaces = /\s+$/
    const fine = [/^[a-z]+$/, /(?<!\s)\s+$/, /"[^"]*"/]`
  expect(findSlowExpressions('planted.ts', program).map(({ expression }) => expression)).toEqual([
    '/^(a+)+$/',
    '/x*x*y/',
    String.raw`/\s+$/`,
  ])
})

it('parses programs with markup, where angle brackets are no types', () => {
  const slow = [expect.objectContaining({ expression: String.raw`/\s+$/` })]
  expect(findSlowExpressions('a.tsx', String.raw`const A = () => <p title="/">{text.replace(/\s+$/, '')}</p>`)).toEqual(slow)
  expect(findSlowExpressions('a.ts', String.raw`const end = <string>text.replace(/\s+$/, '')`)).toEqual(slow)
})

it('exempts one expression of a file, and only while it is slow', () => {
  const createSlowExpression = (expression: string) => ({ file: 'a.ts', expression, why: 'long' })
  const [exempted, otherExpression] = [createSlowExpression('/a*a*b/'), createSlowExpression('/c*c*d/')]
  expect(findProblems([exempted], [exempted])).toEqual([])
  expect(findProblems([exempted, otherExpression], [exempted])).toEqual([otherExpression])
  expect(findProblems([{ ...exempted, file: 'b.ts' }], [exempted])).toHaveLength(2)
  expect(findProblems([], [exempted])).toMatchObject([{ expression: exempted.expression, why: 'is spared, but not slow' }])
})

it('the product has no slow expression', () => {
  expect(findProductSlowExpressions(dirname(import.meta.dirname))).toEqual([])
})
