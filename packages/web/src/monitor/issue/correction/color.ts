type Color = readonly [red: number, green: number, blue: number]

const read = (hex: string): Color =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Color
const write = (color: Color): string =>
  `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`

/** Relative luminance. @source WCAG 2.2 */
function luminance(color: Color): number {
  const [red, green, blue] = color.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as unknown as Color
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(a: Color, b: Color): number {
  const [one, other] = [luminance(a), luminance(b)]
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
}

/** The color nearest to this one, made darker or lighter, that has a contrast of `ratio` with the background; `#rrggbb`. */
export function contrastingColor(text: string, background: string, ratio: number): string | null {
  const [from, behind] = [read(text), read(background)]
  for (let step = 1; step <= 255; step++)
    for (const end of [0, 255]) {
      const color = from.map((part) => Math.round(part + ((end - part) * step) / 255)) as unknown as Color
      if (contrast(color, behind) >= ratio) return write(color)
    }
  return null
}
