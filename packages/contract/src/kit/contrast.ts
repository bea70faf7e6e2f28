/** Red, green and blue, 0 to 1. */
export type Rgb = readonly [red: number, green: number, blue: number]

/** The color that `#rrggbb` means. */
export const rgbOf = (hex: string): Rgb => {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
  return [red!, green!, blue!]
}

const linear = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
const luminance = ([red, green, blue]: Rgb): number =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)

/** How far two colors stand out from each other, 1 to 21. @source WCAG 2.2, contrast ratio */
export function contrast(a: Rgb, b: Rgb): number {
  const [x, y] = [luminance(a), luminance(b)]
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05)
}
