import { formatMention, splitComment } from '@clearway/contract/monitor/issue/mention/model.ts'
import { getPersonName } from '../../kit/text/person.ts'

/** A person who can be mentioned, with the unique name that the user types. */
export type Mentionable = { id: string; name: string }
type ScanPerson = { id: string; firstName: string; lastName: string; username: string }
type StoredMentions = readonly { id: string; name: string | null }[]

/** Returns the people of a scan with their typed names. People with the same name get their username. */
export function toMentionables(people: readonly ScanPerson[]): Mentionable[] {
  const nameCounts = new Map<string, number>()
  for (const person of people) nameCounts.set(getPersonName(person), (nameCounts.get(getPersonName(person)) ?? 0) + 1)
  return people.map((person) => {
    const fullName = getPersonName(person)
    return { id: person.id, name: nameCounts.get(fullName) === 1 ? fullName : person.username }
  })
}

/** Adds the people mentioned in a comment, who may no longer be selectable or had another name. Current names win. */
const addMentionedPeople = (people: readonly Mentionable[], mentions: StoredMentions): Mentionable[] => [
  ...mentions.flatMap(({ id, name }) => (name === null || people.some((person) => person.name === name) ? [] : [{ id, name }])),
  ...people,
]

/** Converts a typed comment to its stored form: `@Name` of mentionable people becomes their id. */
export function toStoredText(typedText: string, people: readonly Mentionable[], mentions: StoredMentions = []): string {
  const idsByName = new Map(addMentionedPeople(people, mentions).map(({ id, name }) => [name, id]))
  // Longest names first: "Ann Lee" before "Ann".
  const escapedNames = [...idsByName.keys()]
    .sort((a, b) => b.length - a.length)
    .map((name) => name.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  if (escapedNames.length === 0) return typedText
  const mentionPattern = new RegExp(`(?<![\\p{L}\\p{N}])@(${escapedNames.join('|')})(?![\\p{L}\\p{N}])`, 'gu')
  return typedText.replaceAll(mentionPattern, (_, name: string) => formatMention(idsByName.get(name)!))
}

/** Converts a stored comment to its typed form. */
export function toTypedText(storedText: string, people: readonly Mentionable[], mentions: StoredMentions): string {
  const namesById = new Map(addMentionedPeople(people, mentions).map(({ id, name }) => [id, name]))
  return splitComment(storedText, new Set(namesById.keys()))
    .map((part) => (typeof part === 'string' ? part : `@${namesById.get(part.id)!}`))
    .join('')
}
