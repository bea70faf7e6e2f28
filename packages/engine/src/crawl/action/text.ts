/** Decodes escapes as often as servers do; invalid ones stay. */
export function decodeText(text: string): string {
  let decodedText = text
  for (let round = 0; round < 2 && decodedText.includes('%'); round++)
    try {
      decodedText = decodeURIComponent(decodedText)
    } catch {
      return decodedText
    }
  return decodedText
}

const germanLetters = new Map([
  ['ä', 'ae'],
  ['ö', 'oe'],
  ['ü', 'ue'],
  ['ß', 'ss'],
])

/** Lower case without diacritics; German letters in their usual spelling of addresses. */
export const foldText = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[äöüß]/g, (letter) => germanLetters.get(letter)!)
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f\u200b-\u200f\ufeff]/g, '')
    .normalize('NFC')
    .replaceAll('avourite', 'avorite')
