/** Bytes of pictures that one dry run sends at most, and of one picture; later steps come without. */
const picturesBytes = 24 * 1024 * 1024
const pictureBytes = 1024 * 1024

/** Pictures as base64, until there are too many bytes of them. */
export function pictureTaker() {
  let left = picturesBytes
  return (picture: Uint8Array | null): string | null => {
    if (picture === null || picture.length > pictureBytes || picture.length > left) return null
    left -= picture.length
    return Buffer.from(picture).toString('base64')
  }
}
