/** A message of axe-core, or variants by case: `{ "default": "…", "hidden": "…" }`. */
type AxeMessage = string | { readonly [name: string]: AxeMessage }
/** A locale of axe-core as shipped in its package. The template of all locales contains the English messages. */
export type AxeLocale = {
  readonly rules: Readonly<Record<string, { readonly help?: string; readonly description?: string }>>
  readonly checks: Readonly<Record<string, { readonly [state: string]: AxeMessage }>>
}

type MessagePair = { english: string; translated: string; name: string | null }

/** Pairs every message that exists in both locales with the name of its case. */
function pairMessages(
  english: AxeMessage | undefined,
  translated: AxeMessage | undefined,
  name: string | null = null,
): MessagePair[] {
  if (typeof english === 'string') return typeof translated === 'string' ? [{ english, translated, name }] : []
  if (!english || !translated || typeof translated === 'string') return []
  return Object.keys(english).flatMap((key) => pairMessages(english[key], translated[key], key))
}

const placeholderPattern = /\$\{\s*data(?:\.(\w+))?\s*\}/g
const escapeRegExp = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Returns an expression that matches a rendered message, and the names of its inserted values. */
function createExpression(english: string): { expression: RegExp; names: string[] } {
  const placeholderNames: string[] = []
  let patternSource = ''
  let position = 0
  for (const placeholderMatch of english.matchAll(placeholderPattern)) {
    patternSource += `${escapeRegExp(english.slice(position, placeholderMatch.index))}([\\s\\S]*?)`
    placeholderNames.push(placeholderMatch[1] ?? '')
    position = placeholderMatch.index + placeholderMatch[0].length
  }
  return {
    expression: new RegExp(`^${patternSource}${escapeRegExp(english.slice(position))}$`),
    names: placeholderNames,
  }
}

/** Result of a check and the goal; null if the goal depends on measurements. */
export type AxeReading = { text: string; goal: string | null }

/** Returns the message of a passing element for the same case. */
function findGoal(passMessage: AxeMessage | undefined, caseName: string | null): string | null {
  const goalText = typeof passMessage === 'object' ? (passMessage[caseName ?? 'default'] ?? passMessage['default']) : passMessage
  return typeof goalText === 'string' && !goalText.includes('${') ? goalText : null
}

/** Returns a function that translates axe-core messages, recognized by their wording; null for those missing in the locale. */
export function createMessageReader(english: AxeLocale, translatedLocale: AxeLocale): (message: string) => AxeReading | null {
  const plainReadings = new Map<string, AxeReading>()
  const readingPatterns: { expression: RegExp; names: string[]; reading: AxeReading }[] = []
  for (const [checkId, checkStates] of Object.entries(english.checks))
    for (const [stateName, stateMessages] of Object.entries(checkStates))
      for (const messagePair of pairMessages(stateMessages, translatedLocale.checks[checkId]?.[stateName])) {
        const goalText = stateName === 'fail' ? findGoal(translatedLocale.checks[checkId]?.['pass'], messagePair.name) : null
        const axeReading = { text: messagePair.translated, goal: goalText }
        if (messagePair.english.includes('${'))
          readingPatterns.push({ ...createExpression(messagePair.english), reading: axeReading })
        else if (!plainReadings.has(messagePair.english)) plainReadings.set(messagePair.english, axeReading)
      }
  // Longest wording first, because it is the most specific.
  readingPatterns.sort((a, b) => b.expression.source.length - a.expression.source.length)
  return (message) => {
    const plainReading = plainReadings.get(message)
    if (plainReading !== undefined) return plainReading
    for (const { expression, names, reading } of readingPatterns) {
      const expressionMatch = expression.exec(message)
      if (!expressionMatch) continue
      const valuesByName = new Map(names.map((name, index) => [name, expressionMatch[index + 1] ?? '']))
      const translatedText = reading.text.replaceAll(placeholderPattern, (_, name?: string) => valuesByName.get(name ?? '') ?? '')
      return { text: translatedText, goal: reading.goal }
    }
    return null
  }
}
