/** Shorter texts occur by chance. */
const minSecretLength = 4

/** User and password of any URL. */
const urlUserPattern = /(:\/\/)[^/\s"']+@/g

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
