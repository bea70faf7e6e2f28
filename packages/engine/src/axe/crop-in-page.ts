// Functions that run inside scanned pages, in a world of our own. Each is sent as its own source text: nothing outside of it
// exists there.

/** A part of a photograph, in its pixels; with `seen`, a point that only shows what was meant when nothing that stays put hides it. */
export type Piece = {
  x: number
  y: number
  width: number
  height: number
  seen: { x: number; y: number } | null
}

/** Scrolls to a place of the document at once, and answers where that led. */
export function scrollPage(x: number, y: number): { x: number; y: number } {
  scrollTo({ left: x, top: y, behavior: 'instant' })
  return { x: scrollX, y: scrollY }
}

/** Cuts pieces out of a photograph (base64) and answers each as WebP, base64; null for one that is hidden or larger than `maxBytes`. */
export async function cropImage(
  image: string,
  pieces: Piece[],
  maxBytes: number,
): Promise<(string | null)[]> {
  const hides = (element: Element | null): boolean => {
    for (let now = element; now; now = now.parentElement ?? (now.getRootNode() as ShadowRoot).host ?? null)
      if (['fixed', 'sticky'].includes(getComputedStyle(now).position)) return true
    return false
  }
  const text = atob(image)
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < bytes.length; at++) bytes[at] = text.charCodeAt(at)
  const whole = await createImageBitmap(new Blob([bytes]))
  const texts: (string | null)[] = []
  for (const { x, y, width, height, seen } of pieces) {
    if (seen && hides(document.elementFromPoint(seen.x, seen.y))) {
      texts.push(null)
      continue
    }
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
