/** Red, green and blue, 0 to 1. */
export type RgbColor = readonly [red: number, green: number, blue: number]

export const parseHexColor = (hex: string): RgbColor => {
  const [red, green, blue] = [1, 3, 5].map((hexOffset) => Number.parseInt(hex.slice(hexOffset, hexOffset + 2), 16) / 255)
  return [red!, green!, blue!]
}

const toLinear = (channel: number): number => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4)
const computeLuminance = ([red, green, blue]: RgbColor): number =>
  0.2126 * toLinear(red) + 0.7152 * toLinear(green) + 0.0722 * toLinear(blue)

/** Contrast ratio of two colors, 1 to 21. @source WCAG 2.2, contrast ratio */
export function computeContrastRatio(firstColor: RgbColor, secondColor: RgbColor): number {
  const [firstLuminance, secondLuminance] = [computeLuminance(firstColor), computeLuminance(secondColor)]
  return (Math.max(firstLuminance, secondLuminance) + 0.05) / (Math.min(firstLuminance, secondLuminance) + 0.05)
}
