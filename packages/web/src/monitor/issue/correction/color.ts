import { computeContrastRatio, type RgbColor, parseHexColor } from '@clearway/contract/kit/contrast.ts'

const toHexColor = (color: RgbColor): string =>
  `#${color
    .map((channel) =>
      Math.round(channel * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`

/** Returns the nearest color with a contrast of at least `ratio` to the background, as `#rrggbb`; null if there is none. */
export function findContrastingColor(textColor: string, backgroundColor: string, minRatio: number): string | null {
  const [textRgb, backgroundRgb] = [parseHexColor(textColor), parseHexColor(backgroundColor)]
  for (let blendStep = 1; blendStep <= 255; blendStep++)
    for (const targetChannel of [0, 1]) {
      const blendChannel = (channel: number) => channel + ((targetChannel - channel) * blendStep) / 255
      const candidateColor = toHexColor([blendChannel(textRgb[0]), blendChannel(textRgb[1]), blendChannel(textRgb[2])])
      if (computeContrastRatio(parseHexColor(candidateColor), backgroundRgb) >= minRatio) return candidateColor
    }
  return null
}
