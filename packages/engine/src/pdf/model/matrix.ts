import type { Rect } from './page.ts'

/** `a b c d e f` as PDF writes a transformation. */
export type Matrix = readonly [number, number, number, number, number, number]

export const identityMatrix: Matrix = [1, 0, 0, 1, 0, 0]

/** Applies `firstMatrix`, then `secondMatrix`. */
export const multiplyMatrices = (firstMatrix: Matrix, secondMatrix: Matrix): Matrix => [
  firstMatrix[0] * secondMatrix[0] + firstMatrix[1] * secondMatrix[2],
  firstMatrix[0] * secondMatrix[1] + firstMatrix[1] * secondMatrix[3],
  firstMatrix[2] * secondMatrix[0] + firstMatrix[3] * secondMatrix[2],
  firstMatrix[2] * secondMatrix[1] + firstMatrix[3] * secondMatrix[3],
  firstMatrix[4] * secondMatrix[0] + firstMatrix[5] * secondMatrix[2] + secondMatrix[4],
  firstMatrix[4] * secondMatrix[1] + firstMatrix[5] * secondMatrix[3] + secondMatrix[5],
]

/** Returns the smallest axis-aligned rectangle around a transformed one. */
export function transformRect([x0, y0, x1, y1]: Rect, [a, b, c, d, e, f]: Matrix): Rect {
  const cornerXs = [a * x0 + c * y0, a * x1 + c * y0, a * x0 + c * y1, a * x1 + c * y1]
  const cornerYs = [b * x0 + d * y0, b * x1 + d * y0, b * x0 + d * y1, b * x1 + d * y1]
  return [Math.min(...cornerXs) + e, Math.min(...cornerYs) + f, Math.max(...cornerXs) + e, Math.max(...cornerYs) + f]
}

export const unionRects = (current: Rect | null, added: Rect): Rect =>
  current
    ? [
        Math.min(current[0], added[0]),
        Math.min(current[1], added[1]),
        Math.max(current[2], added[2]),
        Math.max(current[3], added[3]),
      ]
    : added
