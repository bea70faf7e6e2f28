/** PDFDocEncoding where it differs from Latin-1 (ISO 32000-1, D.2). */
const documentEncoding: Record<number, string> = {}
for (const [firstCode, characters] of [
  [0x18, '˘ˇˆ˙˝˛˚˜'],
  [0x80, '•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž'],
  [0xa0, '€'],
] as const)
  for (const [characterIndex, character] of Array.from(characters).entries())
    documentEncoding[firstCode + characterIndex] = character

/** Language escapes (ISO 32000-1, 7.9.2.2): ESC, code, ESC. */
const escapeCharacter = String.fromCharCode(0x1b)
const languageEscapePattern = new RegExp(`${escapeCharacter}[A-Za-z]{2,8}${escapeCharacter}`, 'g')

/** Decodes a text string. @param raw its bytes, one character each */
export function decodeText(raw: string): string {
  if (raw.startsWith('\xfe\xff')) {
    const utf16Bytes = Buffer.from(raw.slice(2), 'latin1')
    const evenBytes = utf16Bytes.subarray(0, utf16Bytes.length - (utf16Bytes.length % 2))
    return Buffer.from(evenBytes).swap16().toString('utf16le').replace(languageEscapePattern, '')
  }
  if (raw.startsWith('\xff\xfe')) return Buffer.from(raw.slice(2), 'latin1').toString('utf16le')
  if (raw.startsWith('\xef\xbb\xbf')) return Buffer.from(raw.slice(3), 'latin1').toString('utf8')
  let decodedText = ''
  for (const rawCharacter of raw) decodedText += documentEncoding[rawCharacter.charCodeAt(0)] ?? rawCharacter
  return decodedText
}

/** Parses a PDF date (`D:YYYYMMDDHHmmSSOHH'mm`); null if it is invalid. */
export function parsePdfDate(text: string): Date | null {
  const dateMatch = /^D?:?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([-+Z])(\d\d)?'?(\d\d)?)?/.exec(text.trim())
  if (!dateMatch) return null
  const [
    ,
    year,
    month = '01',
    day = '01',
    hour = '00',
    minute = '00',
    second = '00',
    sign,
    offsetHours = '00',
    offsetMinutes = '00',
  ] = dateMatch
  const utcOffset = sign === '+' || sign === '-' ? `${sign}${offsetHours}:${offsetMinutes}` : 'Z'
  const parsedDate = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${utcOffset}`)
  return Number.isNaN(parsedDate.getTime()) ? null : parsedDate
}
