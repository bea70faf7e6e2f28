/** The first of some languages that a browser asks for (`accept-language`); null when it asks for none of them. */
export function firstSpoken<Language extends string>(
  header: string | undefined,
  known: readonly Language[],
): Language | null {
  const asked = (header ?? '')
    .slice(0, 500)
    .split(',')
    .map((part) => part.trim().slice(0, 2).toLowerCase())
  return (asked.find((word) => (known as readonly string[]).includes(word)) as Language | undefined) ?? null
}
