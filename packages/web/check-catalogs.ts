import { getConfig } from '@lingui/conf'
import { catalogOf } from './catalog-plugin.ts'
import { glossaryFaults, readGlossary } from './glossary.ts'

/** What a message asks for: placeholders, tags, and for each plural its categories. */
type Parts = { names: Set<string>; plurals: Map<string, Set<string>> }

/** Words that are the same in a language as in English: names, and words that both have. */
const same: Record<string, readonly string[]> = {
  de: [
    'Administrator',
    '{name}: {heading}',
    '{name}: {word}',
    'Browser',
    'Dashboard',
    'Details',
    'Code',
    'Domains',
    'Label: {label}',
    'Labels',
    'Link',
    'Name',
    'Passkeys',
    'Person',
    'Scan',
    'Scans',
    'Standard',
    'Status',
    'Support',
    'Team',
    'Tag',
    'Teams',
    'Ticket',
    'Webhook',
    'Webhooks',
    'optional',
  ],
  es: [
    '{name}: {heading}',
    '{name}: {word}',
    'Auditor',
    'Error',
    'Manual',
    'experimental',
    'No',
    'Roles',
    'Script',
    'Scripts',
    'Tag',
    'Tags',
    'Tags…',
    'Webhook',
    'Webhooks',
  ],
  fr: [
    'Administration',
    'Notes',
    'Script',
    'Scripts',
    'Sessions',
    'Tag',
    'Tags',
    'Tags…',
    'Ticket',
    'Quotas',
    '{0} points',
    'Action',
    'Actions',
    'Code',
    'Date',
    'Document',
    'Menu',
    'Messages',
    'Migrations',
    'Minutes',
    'Modification',
    'Page',
    'page {page}',
    'pages',
    'Pages',
    'Score',
    'Session',
    'Type',
    'Webhook',
    'Webhooks',
  ],
  it: [
    'Tag',
    'Ticket',
    '{name}: {heading}',
    '{name}: {word}',
    'Browser',
    'Dashboard',
    'Database',
    'File',
    'Link',
    'Menu',
    'No',
    'Password',
    'Preset',
    'Script',
    'Team',
    'Webhook',
  ],
  ja: ['Webhook'],
}
/** Nothing but placeholders, signs, the word for a build, and a name. */
const wordless = new Set(['{productName} {version} (build {build})', 'WCAG'])

/** Reads an ICU message far enough to compare it: `{name}`, `<0>`, `{n, plural, one {…} other {…}}`. */
export function partsOf(message: string): Parts {
  const parts: Parts = { names: new Set(message.match(/<\/?\d+\/?>/g)), plurals: new Map() }
  walk(message, parts)
  return parts
}

function walk(text: string, parts: Parts): void {
  for (const inner of braces(text)) {
    const plural = /^\s*(\w+)\s*,\s*plural\s*,/.exec(inner)
    const name = plural?.[1] ?? inner.trim()
    parts.names.add(`{${name}}`)
    if (!plural) continue
    const body = inner.slice(plural[0].length)
    const categories = parts.plurals.get(name) ?? new Set<string>()
    let rest = body
    for (const form of braces(body)) {
      const at = rest.indexOf(`{${form}}`)
      categories.add(rest.slice(0, at).trim())
      rest = rest.slice(at + form.length + 2)
      walk(form, parts)
    }
    parts.plurals.set(name, categories)
  }
}

/** The contents of the outermost braces of a text. */
function braces(text: string): string[] {
  const found: string[] = []
  let depth = 0
  let start = 0
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '{' && depth++ === 0) start = i + 1
    if (text[i] === '}' && --depth === 0) found.push(text.slice(start, i))
  }
  return found
}

/** What is wrong with one translation, in English; empty when nothing is. */
export function translationFaults(locale: string, message: string, translation: string): string[] {
  if (translation.trim() === '') return ['is empty']
  const faults: string[] = []
  const wanted = partsOf(message)
  const got = partsOf(translation)
  for (const name of wanted.names) if (!got.names.has(name)) faults.push(`lost ${name}`)
  for (const name of got.names)
    if (!wanted.names.has(name)) faults.push(`has ${name}, which is not in the English`)
  const categories = new Intl.PluralRules(locale).resolvedOptions().pluralCategories
  for (const [name, forms] of got.plurals)
    for (const category of categories)
      if (!forms.has(category)) faults.push(`{${name}} has no form “${category}”`)
  for (const name of wanted.plurals.keys())
    if (!got.plurals.has(name)) faults.push(`{${name}} is no plural any more`)
  const allowed = wordless.has(message) || same[locale]?.includes(message)
  if (translation === message && !allowed) faults.push('is the English text')
  return faults
}

/** What a dictionary lacks, says wrongly, and says for nothing. */
export type DictionaryFaults = { locale: string; lacking: string[]; wrong: string[]; unused: string[] }

/** The state of every dictionary, against what the sources say. */
export async function dictionaryFaults(): Promise<DictionaryFaults[]> {
  const config = getConfig({ cwd: import.meta.dirname })
  const catalog = await catalogOf(config)
  const said = (await catalog.collect()) ?? {}
  const glossary = await readGlossary()
  const found = config.locales.map(async (locale): Promise<DictionaryFaults> => {
    const dictionary = (await catalog.read(locale)) ?? {}
    const wrong = Object.entries(dictionary).flatMap(([id, entry]) => {
      const message = entry.message ?? id
      const faults =
        locale === 'en'
          ? englishFaults(entry.translation || message)
          : translationFaults(locale, message, entry.translation ?? '')
      return faults.map((fault) => `“${message}” ${fault}`)
    })
    const texts = Object.entries(dictionary).map(
      ([id, { message = id, translation = '' }]): [string, string] => [
        message,
        locale === 'en' ? translation || message : translation,
      ],
    )
    wrong.push(...glossaryFaults(glossary, locale, new Map(texts)))
    const lacking = Object.entries(said).flatMap(([id, { message = id }]) =>
      id in dictionary ? [] : [message],
    )
    const unused = Object.entries(dictionary).flatMap(([id, { message = id }]) =>
      id in said ? [] : [message],
    )
    return { locale, lacking, wrong, unused }
  })
  return Promise.all(found)
}

/** Every fault of every dictionary, one line each. */
export async function catalogFaults(): Promise<string[]> {
  return (await dictionaryFaults()).flatMap(({ locale, lacking, wrong, unused }) => [
    ...lacking.map((message) => `${locale}: “${message}” is not in its dictionary: npm run i18n`),
    ...wrong.map((line) => `${locale}: ${line}`),
    ...unused.map((message) => `${locale}: “${message}” is said nowhere: npm run i18n`),
  ])
}

const englishFaults = (message: string): string[] =>
  [...partsOf(message).plurals].flatMap(([name, forms]) =>
    ['one', 'other'].filter((form) => !forms.has(form)).map((form) => `{${name}} has no form “${form}”`),
  )

if (import.meta.main) {
  const faults = await catalogFaults()
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) process.exit(1)
  console.log('The catalogues are whole.')
}
