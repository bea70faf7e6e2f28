import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { computeContrast, computePairs, tokensFile, findTooLow } from './contrast.ts'

const css = readFileSync(tokensFile, 'utf8')

describe('contrast of the tokens', () => {
  it('follows the formula of WCAG', () => {
    expect(computeContrast('#000000', '#ffffff')).toBe(21)
    expect(computeContrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2)
  })
  it('is sufficient in every pair, light and dark', () => expect(findTooLow(computePairs(css))).toEqual([]))
  it('finds a pale text', () =>
    expect(
      findTooLow(computePairs(css.replace(/(--text-muted: light-dark\()#[0-9a-f]{6}/, '$1#9aa5b0'))).map((p) => p.front),
    ).toContain('text-muted'))
})
