import { AsyncLocalStorage } from 'node:async_hooks'

/** Who acts, from where, by which request: the database records it with what is changed. Null is no person, but the sign-in. */
export type Actor = { id: string | null; address: string; request: string }

const actors = new AsyncLocalStorage<Actor>()

/** Does `work`, and all that it waits for, in somebody's name. */
export const actingAs = <T>(actor: Actor, work: () => T): T => actors.run(actor, work)

/** Does `work` as what the product does by itself, whoever's call it happens in. */
export const actingAsNobody = <T>(work: () => T): T => actors.exit(work)

/** The setting of a connection that says who acts; empty for nobody. */
export function actorSetting(): string {
  const actor = actors.getStore()
  return actor ? JSON.stringify(actor) : ''
}

/** Who acts now; null for nobody's call. */
export const actorNow = (): Actor | null => actors.getStore() ?? null
