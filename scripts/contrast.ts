import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { computeContrastRatio as ratio, parseHexColor } from '../packages/contract/src/kit/contrast.ts'

export const tokensFile = join(import.meta.dirname, '../packages/web/src/app/tokens.css')

const themes = ['light', 'dark'] as const
type Theme = (typeof themes)[number]
export type Pair = { front: string; back: string; least: number; light: number; dark: number }

/** Tokens with a plain color for each theme, by name without dashes in front. */
export function readTokens(css: string): Map<string, Record<Theme, string>> {
  const tokens = new Map<string, Record<Theme, string>>()
  for (const [, name, light, dark] of css.matchAll(
    /--([a-z-]+):\s*light-dark\(\s*(#[0-9a-f]{6})\s*,\s*(#[0-9a-f]{6})\s*\)/gi,
  ))
    tokens.set(name!, { light: light!, dark: dark! })
  return tokens
}

/** Contrast of two colors, `#rrggbb`. */
export const contrast = (a: string, b: string): number => ratio(parseHexColor(a), parseHexColor(b))

const surfaces = ['bg', 'surface', 'surface-sunken', 'surface-hover', 'surface-selected']
const impacts = ['critical', 'serious', 'moderate', 'minor', 'good', 'review']

/** Which token may stand on which, and the least contrast: 4.5 for text, 3 for controls, focus and chart fills. */
const rules: [front: string, back: string, least: number][] = [
  ...['text', 'text-muted', 'link'].flatMap((t) =>
    surfaces.map((s) => [t, s, 4.5] as [string, string, number]),
  ),
  ...impacts.flatMap((i) =>
    [`${i}-bg`, ...surfaces].map((s) => [`${i}-fg`, s, 4.5] as [string, string, number]),
  ),
  ...impacts.map((i) => ['text', `${i}-bg`, 4.5] as [string, string, number]),
  ...impacts.flatMap((i) => ['surface', 'bg'].map((s) => [`${i}-solid`, s, 3] as [string, string, number])),
  ...['line-control', 'focus', 'accent'].flatMap((t) =>
    surfaces.map((s) => [t, s, 3] as [string, string, number]),
  ),
  ['text-inverse', 'surface-inverse', 4.5],
  ['accent-link-on-inverse', 'surface-inverse', 4.5],
  ['on-accent', 'accent', 4.5],
  ['on-accent', 'accent-hover', 4.5],
  ['on-danger', 'danger', 4.5],
  ['danger', 'surface', 4.5],
  ['accent', 'surface', 4.5],
  ['accent', 'bg', 4.5],
]

/** Every pair with its contrast in both themes. Throws when a token of the rules is not there. */
export function pairs(css: string): Pair[] {
  const tokens = readTokens(css)
  const color = (name: string, theme: Theme) => {
    const token = tokens.get(name)
    if (!token) throw new Error(`tokens.css has no plain color --${name}`)
    return token[theme]
  }
  return rules.map(([front, back, least]) => {
    const [light, dark] = themes.map((t) => contrast(color(front, t), color(back, t))) as [number, number]
    return { front, back, least, light, dark }
  })
}

export const tooLow = (list: readonly Pair[]): Pair[] =>
  list.filter((p) => p.light < p.least || p.dark < p.least)

/** The table for the documentation. */
export function contrastTable(): string {
  const rows = pairs(readFileSync(tokensFile, 'utf8')).map(
    (p) => `| ${p.front} | ${p.back} | ${p.least} | ${p.light.toFixed(2)} | ${p.dark.toFixed(2)} |`,
  )
  const head = [
    '# Contrast of the color tokens',
    '',
    'Text needs 4.5; controls, focus and chart fills need 3.',
    '',
  ]
  return [
    ...head,
    '| foreground | background | least | light | dark |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}
