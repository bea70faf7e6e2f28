import type { PdfFile } from '../object/document.ts'
import { isArray, isName, type PdfDict, type PdfValue } from '../object/value.ts'

/** Red, green, blue from 0 to 1; null for unsupported colors (patterns, inks). */
export type Color = readonly [number, number, number] | null

export type ColorSpace = 'gray' | 'rgb' | 'cmyk' | 'unknown'

const spacesByName: ReadonlyMap<string, ColorSpace> = new Map(
  Object.entries({
    DeviceGray: 'gray',
    G: 'gray',
    CalGray: 'gray',
    DeviceRGB: 'rgb',
    RGB: 'rgb',
    CalRGB: 'rgb',
    DeviceCMYK: 'cmyk',
    CMYK: 'cmyk',
  }),
)
const spacesByComponentCount: Record<number, ColorSpace> = { 1: 'gray', 3: 'rgb', 4: 'cmyk' }

/** Reads a color space to the extent that contrast requires: inks and patterns are unknown. */
export function readColorSpace(file: PdfFile, resources: PdfDict | null, name: string): ColorSpace {
  const deviceSpace = spacesByName.get(name)
  if (deviceSpace) return deviceSpace
  const spaceValue: PdfValue = file.resolve(file.dict(resources?.entries.get('ColorSpace'))?.entries.get(name))
  if (isName(spaceValue)) return spacesByName.get(spaceValue.name) ?? 'unknown'
  if (!isArray(spaceValue)) return 'unknown'
  const spaceFamily = file.name(spaceValue.items[0])
  if (spaceFamily === 'ICCBased')
    return spacesByComponentCount[file.number(file.dict(spaceValue.items[1])?.entries.get('N')) ?? 0] ?? 'unknown'
  return spacesByName.get(spaceFamily ?? '') ?? 'unknown'
}

const clampComponent = (value: number | undefined): number => Math.min(1, Math.max(0, value ?? 0))

/** Converts components of a color space to RGB. */
export function toColor(space: ColorSpace, components: readonly number[]): Color {
  const [first, second, third, fourth] = components.map(clampComponent)
  if (space === 'gray') return [first ?? 0, first ?? 0, first ?? 0]
  if (space === 'rgb') return [first ?? 0, second ?? 0, third ?? 0]
  if (space === 'cmyk')
    return [
      (1 - (first ?? 0)) * (1 - (fourth ?? 0)),
      (1 - (second ?? 0)) * (1 - (fourth ?? 0)),
      (1 - (third ?? 0)) * (1 - (fourth ?? 0)),
    ]
  return null
}
