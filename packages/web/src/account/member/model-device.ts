/** Tokens in a browser's user agent, most specific first: most browsers also name the browsers they resemble. */
const browserTokens: readonly (readonly [token: string, name: string])[] = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
]
const systemTokens: readonly (readonly [token: string, name: string])[] = [
  ['Android', 'Android'],
  ['iPhone', 'iOS'],
  ['iPad', 'iPadOS'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
]
const findFirstName = (tokens: typeof browserTokens, userAgent: string): string | undefined =>
  tokens.find(([token]) => userAgent.includes(token))?.[1]

/** Returns browser and operating system of a session; empty if neither is recognized. */
export const describeDevice = (userAgent: string): string =>
  [findFirstName(browserTokens, userAgent), findFirstName(systemTokens, userAgent)]
    .filter((name) => name !== undefined)
    .join(', ')
