// Runs inside scanned pages, in an isolated world. Sent as its own source text, so it must not reference anything outside of it.

/**
 * Joins pictures side by side, with a line between them.
 * @param images encoded in base64
 * @returns a JPEG in base64 with its size; null if a picture cannot be decoded
 */
export async function joinPictures(
  images: readonly string[],
  gap: number,
): Promise<{ image: string; width: number; height: number } | null> {
  const decode = (image: string) => createImageBitmap(new Blob([Uint8Array.from(atob(image), (letter) => letter.charCodeAt(0))]))
  const bitmaps = await Promise.all(images.map(decode)).catch(() => [])
  const width = bitmaps.reduce((sum, bitmap) => sum + bitmap.width + gap, -gap)
  const height = Math.max(0, ...bitmaps.map((bitmap) => bitmap.height))
  const drawing = width > 0 && height > 0 ? new OffscreenCanvas(width, height).getContext('2d') : null
  if (!drawing) return null
  drawing.fillStyle = '#fff'
  drawing.fillRect(0, 0, width, height)
  drawing.fillStyle = '#767676'
  let x = 0
  for (const bitmap of bitmaps) {
    if (x > 0) drawing.fillRect(x - gap / 2 - 1, 0, 2, height)
    drawing.drawImage(bitmap, x, 0)
    x += bitmap.width + gap
  }
  const joined = await drawing.canvas.convertToBlob({ type: 'image/jpeg', quality: 0.8 })
  const bytes = new Uint8Array(await joined.arrayBuffer())
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return { image: btoa(text), width, height }
}
