// oxlint-disable-next-line no-control-regex -- these are the ones that XML forbids
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** Text without what XML takes in no form: control characters, and halves of surrogate pairs. */
export const xmlCharacters = (text: string): string => text.toWellFormed().replaceAll(forbidden, '\ufffd')

/** Text inside XML, in content and attributes alike. */
export const xmlText = (text: string): string =>
  xmlCharacters(text).replaceAll(/[<>&"'\n\r\t]/g, (sign) => `&#${sign.charCodeAt(0)};`)
