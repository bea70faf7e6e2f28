/** Converts a picture to a data URL. The content security policy allows data URLs but not blob URLs. */
export const toDataUrl = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const fileReader = new FileReader()
    fileReader.addEventListener('load', () => resolve(typeof fileReader.result === 'string' ? fileReader.result : ''))
    fileReader.addEventListener('error', () => reject(fileReader.error ?? new Error('The picture cannot be read')))
    fileReader.readAsDataURL(blob)
  })

export type LoadedPicture = { src: string; type: string; width: number; height: number }

/** Loads a picture with its size in pixels. Rejects if the blob is not an image. */
export async function loadPicture(blob: Blob): Promise<LoadedPicture> {
  const [pictureUrl, bitmap] = await Promise.all([toDataUrl(blob), createImageBitmap(blob)])
  const { width: pixelWidth, height: pixelHeight } = bitmap
  bitmap.close()
  return { src: pictureUrl, type: blob.type, width: pixelWidth, height: pixelHeight }
}
