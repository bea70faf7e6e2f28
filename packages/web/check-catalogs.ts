import { getConfig } from '@lingui/conf'
import { getCatalog } from './catalog-plugin.ts'
import { findGlossaryFaults, readGlossary } from './glossary.ts'

/** Required parts of a message: placeholders, tags, and the categories of each plural. */
type MessageParts = { names: Set<string>; plurals: Map<string, Set<string>> }

/** Messages that are the same in a language as in English. */
const sameAsEnglish: Record<string, readonly string[]> = {
  de: [
    'URL',
    'URLs',
    '{value, plural, one {# URL} other {# URLs}}',
    'Branch',
    'Branches',
    'Branches: {0}',
    'Build',
    'Commit',
    'Parameter',
    'Administrator',
    '{personName}: {dialogTitle}',
    '{personName}: {doneLabel}',
    '{personName}: {roleLabel}',
    '{labelText}: {valueText}',
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
    'Status: {statusName}',
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
    'Commit',
    '{personName}: {dialogTitle}',
    '{personName}: {doneLabel}',
    '{personName}: {roleLabel}',
    '{labelText}: {valueText}',
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
    'Page {formattedNumber}',
    'Score {points}',
    'Branches',
    'Build',
    'Commit',
    'Administration',
    'Interruptions',
    'Notes',
    'Orientation',
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
    'page {pageNumber}',
    'pages',
    'Pages',
    'Score',
    'Session',
    'Type',
    'Webhook',
    'Webhooks',
  ],
  it: [
    'Branch',
    'Build',
    'Commit',
    'Tag',
    'Ticket',
    '{personName}: {dialogTitle}',
    '{personName}: {doneLabel}',
    '{personName}: {roleLabel}',
    '{labelText}: {valueText}',
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
/** Messages without words: only placeholders, punctuation, the word for a build, or a name. */
const wordlessMessages = new Set(['{productName} {productVersion} (build {buildId})', 'WCAG'])

/** Parses the parts of an ICU message that are compared: `{name}`, `<0>`, `{n, plural, one {…} other {…}}`. */
export function parseMessageParts(message: string): MessageParts {
  const messageParts: MessageParts = { names: new Set(message.match(/<\/?\d+\/?>/g)), plurals: new Map() }
  collectParts(message, messageParts)
  return messageParts
}

function collectParts(text: string, messageParts: MessageParts): void {
  for (const braceContent of findBraceContents(text)) {
    const pluralMatch = /^\s*(\w+)\s*,\s*plural\s*,/.exec(braceContent)
    const placeholderName = pluralMatch?.[1] ?? braceContent.trim()
    messageParts.names.add(`{${placeholderName}}`)
    if (!pluralMatch) continue
    const pluralBody = braceContent.slice(pluralMatch[0].length)
    const pluralCategories = messageParts.plurals.get(placeholderName) ?? new Set<string>()
    let remainingBody = pluralBody
    for (const pluralForm of findBraceContents(pluralBody)) {
      const formIndex = remainingBody.indexOf(`{${pluralForm}}`)
      pluralCategories.add(remainingBody.slice(0, formIndex).trim())
      remainingBody = remainingBody.slice(formIndex + pluralForm.length + 2)
      collectParts(pluralForm, messageParts)
    }
    messageParts.plurals.set(placeholderName, pluralCategories)
  }
}

/** Returns the contents of the outermost braces of a text. */
function findBraceContents(text: string): string[] {
  const braceContents: string[] = []
  let nestingDepth = 0
  let contentStart = 0
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '{' && nestingDepth++ === 0) contentStart = i + 1
    if (text[i] === '}' && --nestingDepth === 0) braceContents.push(text.slice(contentStart, i))
  }
  return braceContents
}

/** Returns the faults of a translation in English; empty if there are none. */
export function findTranslationFaults(locale: string, message: string, translation: string): string[] {
  if (translation.trim() === '') return ['is empty']
  const foundFaults: string[] = []
  const messageParts = parseMessageParts(message)
  const translatedParts = parseMessageParts(translation)
  for (const partName of messageParts.names) if (!translatedParts.names.has(partName)) foundFaults.push(`lost ${partName}`)
  for (const name of translatedParts.names)
    if (!messageParts.names.has(name)) foundFaults.push(`has ${name}, which is not in the English`)
  const requiredCategories = new Intl.PluralRules(locale).resolvedOptions().pluralCategories
  for (const [pluralName, pluralForms] of translatedParts.plurals)
    for (const requiredCategory of requiredCategories)
      if (!pluralForms.has(requiredCategory)) foundFaults.push(`{${pluralName}} has no form “${requiredCategory}”`)
  for (const name of messageParts.plurals.keys())
    if (!translatedParts.plurals.has(name)) foundFaults.push(`{${name}} is no longer a plural`)
  const isSameAllowed = wordlessMessages.has(message) || sameAsEnglish[locale]?.includes(message)
  if (translation === message && !isSameAllowed) foundFaults.push('is the English text')
  return foundFaults
}

/** Missing, faulty and unused entries of a dictionary. */
export type DictionaryFaults = { locale: string; lacking: string[]; wrong: string[]; unused: string[] }

/** Compares every dictionary with the messages in the sources. */
export async function findDictionaryFaults(): Promise<DictionaryFaults[]> {
  const linguiConfig = getConfig({ cwd: import.meta.dirname })
  const linguiCatalog = await getCatalog(linguiConfig)
  const usedMessages = (await linguiCatalog.collect()) ?? {}
  const wordGlossary = await readGlossary()
  const faultPromises = linguiConfig.locales.map(async (locale): Promise<DictionaryFaults> => {
    const dictionaryEntries = (await linguiCatalog.read(locale)) ?? {}
    const wrongEntries = Object.entries(dictionaryEntries).flatMap(([id, entry]) => {
      const englishMessage = entry.message ?? id
      const entryFaults =
        locale === 'en'
          ? findEnglishFaults(entry.translation || englishMessage)
          : findTranslationFaults(locale, englishMessage, entry.translation ?? '')
      return entryFaults.map((fault) => `“${englishMessage}” ${fault}`)
    })
    const textEntries = Object.entries(dictionaryEntries).map(([id, { message = id, translation = '' }]): [string, string] => [
      message,
      locale === 'en' ? translation || message : translation,
    ])
    wrongEntries.push(...findGlossaryFaults(wordGlossary, locale, new Map(textEntries)))
    const missingEntries = Object.entries(usedMessages).flatMap(([id, { message = id }]) =>
      id in dictionaryEntries ? [] : [message],
    )
    const unusedEntries = Object.entries(dictionaryEntries).flatMap(([id, { message = id }]) =>
      id in usedMessages ? [] : [message],
    )
    return { locale, lacking: missingEntries, wrong: wrongEntries, unused: unusedEntries }
  })
  return Promise.all(faultPromises)
}

/** Returns every fault of every dictionary, one line each. */
export async function listCatalogFaults(): Promise<string[]> {
  return (await findDictionaryFaults()).flatMap(({ locale, lacking, wrong, unused }) => [
    ...lacking.map((message) => `${locale}: “${message}” is not in its dictionary: npm run i18n`),
    ...wrong.map((line) => `${locale}: ${line}`),
    ...unused.map((message) => `${locale}: “${message}” is not used: npm run i18n`),
  ])
}

const findEnglishFaults = (message: string): string[] =>
  [...parseMessageParts(message).plurals].flatMap(([name, forms]) =>
    ['one', 'other'].filter((form) => !forms.has(form)).map((form) => `{${name}} has no form “${form}”`),
  )

if (import.meta.main) {
  const catalogFaultLines = await listCatalogFaults()
  for (const faultLine of catalogFaultLines) console.error(faultLine)
  if (catalogFaultLines.length > 0) process.exit(1)
  console.log('The catalogs are complete.')
}
