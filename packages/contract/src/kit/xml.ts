// oxlint-disable-next-line no-control-regex -- matches the characters that XML forbids
const forbiddenCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** Replaces characters that XML cannot represent: control characters, and unpaired surrogates. */
export const replaceInvalidXml = (text: string): string => text.toWellFormed().replaceAll(forbiddenCharacters, '\ufffd')

export const escapeXml = (text: string): string =>
  replaceInvalidXml(text).replaceAll(/[<>&"'\n\r\t]/g, (markupCharacter) => `&#${markupCharacter.charCodeAt(0)};`)
