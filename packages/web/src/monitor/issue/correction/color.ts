import { contrast, type Rgb, rgbOf } from '@clearway/contract/kit/contrast.ts'

const hexOf = (color: Rgb): string =>
  `#${color
    .map((part) =>
      Math.round(part * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`

/** The color nearest to this one, made darker or lighter, that has a contrast of `ratio` with the background; `#rrggbb`. */
export function contrastingColor(text: string, background: string, ratio: number): string | null {
  const [from, behind] = [rgbOf(text), rgbOf(background)]
  for (let step = 1; step <= 255; step++)
    for (const end of [0, 1]) {
      const toward = (part: number) => part + ((end - part) * step) / 255
      const color = hexOf([toward(from[0]), toward(from[1]), toward(from[2])])
      if (contrast(rgbOf(color), behind) >= ratio) return color
    }
  return null
}
