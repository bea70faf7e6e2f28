import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * The person, address and request behind a change; the database records them with it. Null `id` for the sign-in itself. With
 * `key`, a program acts for the person: the database refuses its changes once the key is deleted.
 */
export type Actor = { id: string | null; address: string; request: string; key?: { id: string; name: string } }

const actorStorage = new AsyncLocalStorage<Actor>()

/** Runs `work`, including its asynchronous parts, on behalf of an actor. */
export const runAsActor = <T>(actor: Actor, work: () => T): T => actorStorage.run(actor, work)

/** Runs `work` on behalf of the product itself, regardless of the current request. */
export const runWithoutActor = <T>(work: () => T): T => actorStorage.exit(work)

/** The connection setting that names the actor; empty without one. */
export function formatActorSetting(): string {
  const currentActor = actorStorage.getStore()
  return currentActor ? JSON.stringify(currentActor) : ''
}

/** The current actor; null outside of requests. */
export const getCurrentActor = (): Actor | null => actorStorage.getStore() ?? null
