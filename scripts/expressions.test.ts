import { dirname } from 'node:path'
import { expect, it } from 'vitest'
import { slowExpressions, slowIn, unsparedOf } from './expressions.ts'

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

it('reads programs with markup, where a type in angle brackets is none', () => {
  const slow = [expect.objectContaining({ expression: String.raw`/\s+$/` })]
  expect(slowIn('a.tsx', String.raw`const A = () => <p title="/">{text.replace(/\s+$/, '')}</p>`)).toEqual(
    slow,
  )
  expect(slowIn('a.ts', String.raw`const end = <string>text.replace(/\s+$/, '')`)).toEqual(slow)
})

it('spares one expression of a file, and only while it is slow', () => {
  const slow = (expression: string) => ({ file: 'a.ts', expression, why: 'long' })
  const [known, other] = [slow('/a*a*b/'), slow('/c*c*d/')]
  expect(unsparedOf([known], [known])).toEqual([])
  expect(unsparedOf([known, other], [known])).toEqual([other])
  expect(unsparedOf([{ ...known, file: 'b.ts' }], [known])).toHaveLength(2)
  expect(unsparedOf([], [known])).toMatchObject([
    { expression: known.expression, why: 'is spared, but not slow' },
  ])
})

it('the product has none', () => {
  expect(slowExpressions(dirname(import.meta.dirname))).toEqual([])
})
