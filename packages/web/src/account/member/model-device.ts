/** Words of a browser's name for itself, the telling ones first: most browsers also name those that they are like. */
const browsers: readonly (readonly [word: string, name: string])[] = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
]
const systems: readonly (readonly [word: string, name: string])[] = [
  ['Android', 'Android'],
  ['iPhone', 'iOS'],
  ['iPad', 'iPadOS'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
]
const first = (words: typeof browsers, agent: string): string | undefined =>
  words.find(([word]) => agent.includes(word))?.[1]

/** Browser and system of a session, by their names; empty for what calls itself otherwise. */
export const deviceOf = (agent: string): string =>
  [first(browsers, agent), first(systems, agent)].filter((name) => name !== undefined).join(', ')
