import type { PdfFile } from '../object/document.ts'
import { isArray, isName, type PdfDict, type PdfValue } from '../object/value.ts'

/** Red, green, blue from 0 to 1; null for what we cannot name (patterns, inks). */
export type Color = readonly [number, number, number] | null

export type ColorSpace = 'gray' | 'rgb' | 'cmyk' | 'unknown'

const byName: Record<string, ColorSpace> = {
  DeviceGray: 'gray',
  G: 'gray',
  CalGray: 'gray',
  DeviceRGB: 'rgb',
  RGB: 'rgb',
  CalRGB: 'rgb',
  DeviceCMYK: 'cmyk',
  CMYK: 'cmyk',
}
const byComponents: Record<number, ColorSpace> = { 1: 'gray', 3: 'rgb', 4: 'cmyk' }

/** A color space as far as contrast needs it: inks and patterns are unknown. */
export function readColorSpace(file: PdfFile, resources: PdfDict | null, name: string): ColorSpace {
  const known = byName[name]
  if (known) return known
  const value: PdfValue = file.resolve(file.dict(resources?.entries.get('ColorSpace'))?.entries.get(name))
  if (isName(value)) return byName[value.name] ?? 'unknown'
  if (!isArray(value)) return 'unknown'
  const family = file.name(value.items[0])
  if (family === 'ICCBased')
    return byComponents[file.number(file.dict(value.items[1])?.entries.get('N')) ?? 0] ?? 'unknown'
  return byName[family ?? ''] ?? 'unknown'
}

const clamp = (value: number | undefined): number => Math.min(1, Math.max(0, value ?? 0))

/** The color that some components mean. */
export function colorOf(space: ColorSpace, components: readonly number[]): Color {
  const [a, b, c, d] = components.map(clamp)
  if (space === 'gray') return [a ?? 0, a ?? 0, a ?? 0]
  if (space === 'rgb') return [a ?? 0, b ?? 0, c ?? 0]
  if (space === 'cmyk')
    return [(1 - (a ?? 0)) * (1 - (d ?? 0)), (1 - (b ?? 0)) * (1 - (d ?? 0)), (1 - (c ?? 0)) * (1 - (d ?? 0))]
  return null
}
