/** A message of axe, or several by case: `{ "default": "…", "hidden": "…" }`. */
type Message = string | { readonly [name: string]: Message }
/** A locale of axe-core, as its package ships it. The template of all locales contains the English. */
export type AxeLocale = {
  readonly rules: Readonly<Record<string, { readonly help?: string; readonly description?: string }>>
  readonly checks: Readonly<Record<string, { readonly [state: string]: Message }>>
}

type Pair = { english: string; own: string; name: string | null }

/** Every message that both have, side by side, with the name of its case. */
function pairs(english: Message | undefined, own: Message | undefined, name: string | null = null): Pair[] {
  if (typeof english === 'string') return typeof own === 'string' ? [{ english, own, name }] : []
  if (!english || !own || typeof own === 'string') return []
  return Object.keys(english).flatMap((key) => pairs(english[key], own[key], key))
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

/** What a check found, and how it would be right; null where that depends on what axe measured. */
export type AxeReading = { text: string; goal: string | null }

/** What a check says of an element that passes: of the same case where there are several. */
function goalOf(pass: Message | undefined, name: string | null): string | null {
  const text = typeof pass === 'object' ? (pass[name ?? 'default'] ?? pass['default']) : pass
  return typeof text === 'string' && !text.includes('${') ? text : null
}

/**
 * A function that reads an English message of axe in another language: known again by its wording, with what axe filled in
 * put where the other language has it. Null for a message that the locale does not have.
 */
export function messageReader(english: AxeLocale, own: AxeLocale): (message: string) => AxeReading | null {
  const plain = new Map<string, AxeReading>()
  const patterns: { expression: RegExp; names: string[]; reading: AxeReading }[] = []
  for (const [id, states] of Object.entries(english.checks))
    for (const [state, messages] of Object.entries(states))
      for (const pair of pairs(messages, own.checks[id]?.[state])) {
        const goal = state === 'fail' ? goalOf(own.checks[id]?.['pass'], pair.name) : null
        const reading = { text: pair.own, goal }
        if (pair.english.includes('${')) patterns.push({ ...expressionOf(pair.english), reading })
        else if (!plain.has(pair.english)) plain.set(pair.english, reading)
      }
  // The longest wording first: it says most about which message it is.
  patterns.sort((a, b) => b.expression.source.length - a.expression.source.length)
  return (message) => {
    const known = plain.get(message)
    if (known !== undefined) return known
    for (const { expression, names, reading } of patterns) {
      const found = expression.exec(message)
      if (!found) continue
      const values = new Map(names.map((name, i) => [name, found[i + 1] ?? '']))
      const text = reading.text.replaceAll(placeholder, (_, name?: string) => values.get(name ?? '') ?? '')
      return { text, goal: reading.goal }
    }
    return null
  }
}
