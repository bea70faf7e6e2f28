// Runs inside scanned pages, in a world of our own; sent as its own source text: nothing outside of it exists there.

/**
 * Cuts pieces out of an image (base64) and answers each as WebP, base64; null for one that is larger than
 * `maxBytes`. Pieces are in the image's pixels.
 */
export async function cropImage(
  image: string,
  pieces: { x: number; y: number; width: number; height: number }[],
  maxBytes: number,
): Promise<(string | null)[]> {
  const bytes = Uint8Array.from(atob(image), (character) => character.charCodeAt(0))
  const whole = await createImageBitmap(new Blob([bytes]))
  const texts: (string | null)[] = []
  for (const { x, y, width, height } of pieces) {
    const canvas = new OffscreenCanvas(width, height)
    canvas.getContext('2d')!.drawImage(whole, x, y, width, height, 0, 0, width, height)
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.6 })
    if (blob.size > maxBytes) {
      texts.push(null)
      continue
    }
    const piece = new Uint8Array(await blob.arrayBuffer())
    let text = ''
    for (let at = 0; at < piece.length; at += 8192)
      text += String.fromCharCode(...piece.subarray(at, at + 8192))
    texts.push(btoa(text))
  }
  whole.close()
  return texts
}
