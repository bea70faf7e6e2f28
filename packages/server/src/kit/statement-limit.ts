import { AsyncLocalStorage } from 'node:async_hooks'

const limitStorage = new AsyncLocalStorage<number>()

/** Runs `work`, including its asynchronous parts, with a shorter time limit for each database statement. */
export const runWithStatementLimit = <T>(limitMs: number, work: () => T): T => limitStorage.run(limitMs, work)

/** The time limit of statements: the pool's own, unless the current work has a shorter one. 0 is no limit. */
export const getStatementLimitMs = (poolLimitMs: number): number =>
  poolLimitMs === 0 ? 0 : Math.min(poolLimitMs, limitStorage.getStore() ?? poolLimitMs)
