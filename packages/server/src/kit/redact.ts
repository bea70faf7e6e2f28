/** Shorter texts occur by chance. */
const minSecretLength = 4

/** User and password of any URL. */
const urlUserPattern = /(:\/\/)[^/\s"']+@/g

/** Queries and fragments of URLs, which may hold tokens, and the link that creates the first administrator. */
const urlDetailPattern = /(https?:\/\/[^\s"'?#]*)[?#][^\s"']*/g
const setupPattern = /(Create the first administrator: ).*/g

/** Removes from a line of a log what URLs add to the address of a page. */
export const shortenUrls = (text: string): string =>
  text.replace(setupPattern, '$1[removed]').replace(urlDetailPattern, '$1?[removed]')

/** Creates a function that removes texts, and users and passwords of URLs, from any text. */
export function createRedactor(secretTexts: readonly string[]): (text: string) => string {
  // Longer ones first: a secret may be part of another.
  const secrets = [...new Set(secretTexts)]
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
    .filter((secret) => secret.length >= minSecretLength)
    .sort((left, right) => right.length - left.length)
  return (text) =>
    secrets.reduce((redacted, secret) => redacted.replaceAll(secret, '[removed]'), text).replace(urlUserPattern, '$1[removed]@')
}
