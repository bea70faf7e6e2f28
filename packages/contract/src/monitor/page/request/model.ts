import { maxChangingRequests, type ChangingRequest, type RequestMethod, type SentRequests } from './schema.ts'

/** Adds up the requests of several visits. Addresses with the most requests come first, and the last ones are left out. */
export function mergeSentRequests(visits: readonly SentRequests[]): SentRequests {
  const methodCounts = new Map<RequestMethod, number>()
  const changingRequests = new Map<string, ChangingRequest>()
  for (const { byMethod, changing } of visits) {
    for (const { method, count } of byMethod) methodCounts.set(method, (methodCounts.get(method) ?? 0) + count)
    for (const { method, address, count, held } of changing) {
      const addressKey = `${method} ${address}`
      const sum = changingRequests.get(addressKey) ?? { method, address, count: 0, held: 0 }
      changingRequests.set(addressKey, { ...sum, count: sum.count + count, held: sum.held + held })
    }
  }
  return {
    byMethod: [...methodCounts]
      .map(([method, count]) => ({ method, count }))
      .toSorted((first, second) => second.count - first.count),
    changing: [...changingRequests.values()]
      .toSorted((first, second) => second.count - first.count)
      .slice(0, maxChangingRequests),
  }
}
