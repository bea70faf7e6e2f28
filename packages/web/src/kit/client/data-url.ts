/** A picture as a data URL, which the content security policy allows where it forbids blobs. */
export const dataUrl = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The picture cannot be read')))
    reader.readAsDataURL(blob)
  })

export type LoadedPicture = { src: string; type: string; width: number; height: number }

/** A picture to show, with its size in pixels. Rejects when it is none. */
export async function loadPicture(blob: Blob): Promise<LoadedPicture> {
  const [src, bitmap] = await Promise.all([dataUrl(blob), createImageBitmap(blob)])
  const { width, height } = bitmap
  bitmap.close()
  return { src, type: blob.type, width, height }
}
