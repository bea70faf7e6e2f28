const blockBytes = 512

const decodeText = (bytes: Buffer): string => {
  const terminatorIndex = bytes.indexOf(0)
  return bytes.toString('utf8', 0, terminatorIndex < 0 ? bytes.length : terminatorIndex)
}

/** Reads the plain files of a tar archive (ustar, as shipped by the browser package). Names are relative and without `..`. */
export function readTar(archive: Buffer): { name: string; content: Buffer }[] {
  const plainFiles: { name: string; content: Buffer }[] = []
  for (let headerOffset = 0; headerOffset + blockBytes <= archive.length;) {
    const headerBlock = archive.subarray(headerOffset, headerOffset + blockBytes)
    const fileName = decodeText(headerBlock.subarray(0, 100))
    if (fileName === '') break
    const contentBytes = Number.parseInt(decodeText(headerBlock.subarray(124, 136)), 8)
    const entryType = String.fromCharCode(headerBlock[156] ?? 0)
    const fileContent = archive.subarray(headerOffset + blockBytes, headerOffset + blockBytes + contentBytes)
    const isInside = !fileName.startsWith('/') && !fileName.split('/').includes('..')
    if ((entryType === '0' || entryType === '\0') && isInside) plainFiles.push({ name: fileName, content: fileContent })
    headerOffset += blockBytes + Math.ceil(contentBytes / blockBytes) * blockBytes
  }
  return plainFiles
}
