const block = 512

const text = (bytes: Buffer): string => {
  const end = bytes.indexOf(0)
  return bytes.toString('utf8', 0, end < 0 ? bytes.length : end)
}

/** The plain files of a tar archive (ustar, as the browser package ships), names relative and without `..`. */
export function readTar(archive: Buffer): { name: string; content: Buffer }[] {
  const files: { name: string; content: Buffer }[] = []
  for (let at = 0; at + block <= archive.length;) {
    const header = archive.subarray(at, at + block)
    const name = text(header.subarray(0, 100))
    if (name === '') break
    const size = Number.parseInt(text(header.subarray(124, 136)), 8)
    const type = String.fromCharCode(header[156] ?? 0)
    const content = archive.subarray(at + block, at + block + size)
    const inside = !name.startsWith('/') && !name.split('/').includes('..')
    if ((type === '0' || type === '\0') && inside) files.push({ name, content })
    at += block + Math.ceil(size / block) * block
  }
  return files
}
