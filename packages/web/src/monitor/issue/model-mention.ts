import { mentionOf, partsOf } from '@clearway/contract/monitor/issue/mention/model.ts'
import { getPersonName } from '../../kit/text/person.ts'

/** A person who can be mentioned, and what one types for them: a name that nobody else has. */
export type Mentionable = { id: string; name: string }
type Person = { id: string; firstName: string; lastName: string; username: string }
type Mentions = readonly { id: string; name: string | null }[]

/** The people of a scan by the names that they are typed with; namesakes by their user names. */
export function mentionables(people: readonly Person[]): Mentionable[] {
  const count = new Map<string, number>()
  for (const person of people) count.set(getPersonName(person), (count.get(getPersonName(person)) ?? 0) + 1)
  return people.map((person) => {
    const name = getPersonName(person)
    return { id: person.id, name: count.get(name) === 1 ? name : person.username }
  })
}

/**
 * Those of a comment too, who may not be there any more to be chosen, or were called otherwise when its text was taken to be
 * edited: the names of now come last.
 */
const withMentioned = (people: readonly Mentionable[], mentions: Mentions): Mentionable[] => [
  ...mentions.flatMap(({ id, name }) =>
    name === null || people.some((one) => one.name === name) ? [] : [{ id, name }],
  ),
  ...people,
]

/** A comment as it is stored: `@Name` of those who can be mentioned becomes their id. */
export function toStored(typed: string, people: readonly Mentionable[], mentions: Mentions = []): string {
  const ids = new Map(withMentioned(people, mentions).map(({ id, name }) => [name, id]))
  // The longest first: "Ann Lee" before "Ann".
  const names = [...ids.keys()]
    .sort((a, b) => b.length - a.length)
    .map((name) => name.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  if (names.length === 0) return typed
  const named = new RegExp(`(?<![\\p{L}\\p{N}])@(${names.join('|')})(?![\\p{L}\\p{N}])`, 'gu')
  return typed.replaceAll(named, (_, name: string) => mentionOf(ids.get(name)!))
}

/** A stored comment as it is typed. */
export function toTyped(stored: string, people: readonly Mentionable[], mentions: Mentions): string {
  const names = new Map(withMentioned(people, mentions).map(({ id, name }) => [id, name]))
  return partsOf(stored, new Set(names.keys()))
    .map((part) => (typeof part === 'string' ? part : `@${names.get(part.id)!}`))
    .join('')
}
