/** PDFDocEncoding where it differs from Latin-1 (ISO 32000-1, D.2). */
const documentEncoding: Record<number, string> = {}
for (const [from, text] of [
  [0x18, '˘ˇˆ˙˝˛˚˜'],
  [0x80, '•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž'],
  [0xa0, '€'],
] as const)
  for (const [i, char] of Array.from(text).entries()) documentEncoding[from + i] = char

/** Language escapes (ISO 32000-1, 7.9.2.2): ESC, code, ESC. */
const escape = String.fromCharCode(0x1b)
const languageEscape = new RegExp(`${escape}[A-Za-z]{2,8}${escape}`, 'g')

/** A text string's characters. @param raw its bytes, one character each */
export function decodeText(raw: string): string {
  if (raw.startsWith('\xfe\xff')) {
    const bytes = Buffer.from(raw.slice(2), 'latin1')
    const even = bytes.subarray(0, bytes.length - (bytes.length % 2))
    return Buffer.from(even).swap16().toString('utf16le').replace(languageEscape, '')
  }
  if (raw.startsWith('\xff\xfe')) return Buffer.from(raw.slice(2), 'latin1').toString('utf16le')
  if (raw.startsWith('\xef\xbb\xbf')) return Buffer.from(raw.slice(3), 'latin1').toString('utf8')
  let text = ''
  for (const char of raw) text += documentEncoding[char.charCodeAt(0)] ?? char
  return text
}

/** The instant that a PDF date names (`D:YYYYMMDDHHmmSSOHH'mm`), or null. */
export function parsePdfDate(text: string): Date | null {
  const match = /^D?:?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([-+Z])(\d\d)?'?(\d\d)?)?/.exec(
    text.trim(),
  )
  if (!match) return null
  const [
    ,
    year,
    month = '01',
    day = '01',
    hour = '00',
    minute = '00',
    second = '00',
    sign,
    oh = '00',
    om = '00',
  ] = match
  const offset = sign === '+' || sign === '-' ? `${sign}${oh}:${om}` : 'Z'
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`)
  return Number.isNaN(date.getTime()) ? null : date
}
