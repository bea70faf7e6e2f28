/** Maximum total bytes of pictures of a dry run, and of one picture; further steps come without a picture. */
const maxTotalPictureBytes = 24 * 1024 * 1024
const maxPictureBytes = 1024 * 1024

/** Creates an encoder of pictures to base64, which returns null beyond the byte limits. */
export function createPictureEncoder() {
  let remainingBytes = maxTotalPictureBytes
  return (picture: Uint8Array | null): string | null => {
    if (picture === null || picture.length > maxPictureBytes || picture.length > remainingBytes) return null
    remainingBytes -= picture.length
    return Buffer.from(picture).toString('base64')
  }
}
