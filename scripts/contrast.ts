import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { computeContrastRatio as ratio, parseHexColor } from '../packages/contract/src/kit/contrast.ts'

export const tokensFile = join(import.meta.dirname, '../packages/web/src/app/tokens.css')

const themes = ['light', 'dark'] as const
type Theme = (typeof themes)[number]
export type Pair = { front: string; back: string; minContrast: number; light: number; dark: number }

/** Returns the tokens with a plain color for each theme, by name without leading dashes. */
export function readTokens(css: string): Map<string, Record<Theme, string>> {
  const tokens = new Map<string, Record<Theme, string>>()
  for (const [, name, light, dark] of css.matchAll(/--([a-z-]+):\s*light-dark\(\s*(#[0-9a-f]{6})\s*,\s*(#[0-9a-f]{6})\s*\)/gi))
    tokens.set(name!, { light: light!, dark: dark! })
  return tokens
}

/** Returns the contrast of two colors, `#rrggbb`. */
export const computeContrast = (a: string, b: string): number => ratio(parseHexColor(a), parseHexColor(b))

const surfaces = ['bg', 'surface', 'surface-sunken', 'surface-hover', 'surface-selected']
const impacts = ['critical', 'serious', 'moderate', 'minor', 'good', 'review']

/** Allowed combinations of tokens, and the minimum contrast: 4.5 for text, 3 for controls, focus and chart fills. */
const rules: [front: string, back: string, least: number][] = [
  ...['text', 'text-muted', 'link'].flatMap((t) => surfaces.map((s) => [t, s, 4.5] as [string, string, number])),
  ...impacts.flatMap((i) => [`${i}-bg`, ...surfaces].map((s) => [`${i}-fg`, s, 4.5] as [string, string, number])),
  ...impacts.map((i) => ['text', `${i}-bg`, 4.5] as [string, string, number]),
  ...impacts.flatMap((i) => ['surface', 'bg'].map((s) => [`${i}-solid`, s, 3] as [string, string, number])),
  ...['line-control', 'focus', 'accent'].flatMap((t) => surfaces.map((s) => [t, s, 3] as [string, string, number])),
  ['text-inverse', 'surface-inverse', 4.5],
  ['accent-link-on-inverse', 'surface-inverse', 4.5],
  ['on-accent', 'accent', 4.5],
  ['on-accent', 'accent-hover', 4.5],
  ['on-danger', 'danger', 4.5],
  ['danger', 'surface', 4.5],
  ['accent', 'surface', 4.5],
  ['accent', 'bg', 4.5],
]

/** Returns every pair with its contrast in both themes. Throws when a token of the rules is missing. */
export function computePairs(css: string): Pair[] {
  const tokens = readTokens(css)
  const getColor = (name: string, theme: Theme) => {
    const token = tokens.get(name)
    if (!token) throw new Error(`tokens.css has no plain color --${name}`)
    return token[theme]
  }
  return rules.map(([front, back, minContrast]) => {
    const [light, dark] = themes.map((t) => computeContrast(getColor(front, t), getColor(back, t))) as [number, number]
    return { front, back, minContrast, light, dark }
  })
}

export const findTooLow = (tokenPairs: readonly Pair[]): Pair[] =>
  tokenPairs.filter((p) => p.light < p.minContrast || p.dark < p.minContrast)

/** Builds the table for the documentation. */
export function buildContrastTable(): string {
  const tableRows = computePairs(readFileSync(tokensFile, 'utf8')).map(
    (p) => `| ${p.front} | ${p.back} | ${p.minContrast} | ${p.light.toFixed(2)} | ${p.dark.toFixed(2)} |`,
  )
  const head = ['# Contrast of the color tokens', '', 'Text needs 4.5; controls, focus and chart fills need 3.', '']
  return [
    ...head,
    '| foreground | background | least | light | dark |',
    '| --- | --- | --- | --- | --- |',
    ...tableRows,
    '',
  ].join('\n')
}
