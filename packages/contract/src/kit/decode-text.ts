/** Returns the encoding that the first bytes show: a byte order mark, or a Latin character in two bytes. */
function detectEncoding([first, second, third]: Uint8Array): string | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === undefined || second === undefined) return null
  if (first !== 0 && second === 0) return 'utf-16le'
  return first === 0 && second !== 0 ? 'utf-16be' : null
}

/** Decodes a text file: UTF-16 as PowerShell and Excel write it, UTF-8, or Windows-1252; removes a byte order mark. */
export function decodeFileText(bytes: Uint8Array): string {
  const detectedEncoding = detectEncoding(bytes)
  if (detectedEncoding) return new TextDecoder(detectedEncoding).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
