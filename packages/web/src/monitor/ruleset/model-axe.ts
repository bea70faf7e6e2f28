/** A message of axe, or several by case: `{ "default": "…", "hidden": "…" }`. */
type Message = string | { readonly [name: string]: Message }
/** A locale of axe-core, as its package ships it. The template of all locales holds the English. */
export type AxeLocale = {
  readonly rules: Readonly<Record<string, { readonly help?: string; readonly description?: string }>>
  readonly checks: Readonly<Record<string, { readonly [state: string]: Message }>>
}

type Pair = { english: string; own: string }

/** Every message that both have, side by side. */
function pairs(english: Message | undefined, own: Message | undefined): Pair[] {
  if (typeof english === 'string') return typeof own === 'string' ? [{ english, own }] : []
  if (!english || !own || typeof own === 'string') return []
  return Object.keys(english).flatMap((name) => pairs(english[name], own[name]))
}

const placeholder = /\$\{\s*data(?:\.(\w+))?\s*\}/g
const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** An expression that fits what axe made of a message, and the names of what it filled in. */
function expressionOf(english: string): { expression: RegExp; names: string[] } {
  const names: string[] = []
  let pattern = ''
  let at = 0
  for (const match of english.matchAll(placeholder)) {
    pattern += `${escaped(english.slice(at, match.index))}([\\s\\S]*?)`
    names.push(match[1] ?? '')
    at = match.index + match[0].length
  }
  return { expression: new RegExp(`^${pattern}${escaped(english.slice(at))}$`), names }
}

/**
 * A function that says an English message of axe in another language: known again by its wording, with what axe filled in
 * put where the other language has it. Null for a message that the locale does not have.
 */
export function messageTranslator(english: AxeLocale, own: AxeLocale): (message: string) => string | null {
  const plain = new Map<string, string>()
  const patterns: { expression: RegExp; names: string[]; own: string }[] = []
  for (const [id, states] of Object.entries(english.checks))
    for (const pair of pairs(states, own.checks[id])) {
      if (pair.english.includes('${')) patterns.push({ ...expressionOf(pair.english), own: pair.own })
      else plain.set(pair.english, pair.own)
    }
  // The longest wording first: it says most about which message it is.
  patterns.sort((a, b) => b.expression.source.length - a.expression.source.length)
  return (message) => {
    const known = plain.get(message)
    if (known !== undefined) return known
    for (const { expression, names, own: text } of patterns) {
      const found = expression.exec(message)
      if (!found) continue
      const values = new Map(names.map((name, i) => [name, found[i + 1] ?? '']))
      return text.replaceAll(placeholder, (_, name: string | undefined) => values.get(name ?? '') ?? '')
    }
    return null
  }
}
