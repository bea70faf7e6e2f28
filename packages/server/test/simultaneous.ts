import { setTimeout as sleep } from 'node:timers/promises'

/** Rounds of each pair of changes; the environment sets another number. */
export const roundCount = Number(process.env.RACE_ROUNDS ?? 2)
/** Rounds at the same time, each with objects of its own: most of a round waits for replies. */
const simultaneousRounds = 4

/** Runs all rounds of a pair, several at a time. */
export async function runRounds(runRound: (round: number) => Promise<void>): Promise<void> {
  for (let round = 0; round < roundCount; round += simultaneousRounds)
    await Promise.all(
      Array.from({ length: Math.min(simultaneousRounds, roundCount - round) }, (_, index) => runRound(round + index)),
    )
}

/** Starts two changes at the same time; in later rounds, one of them starts up to four milliseconds after the other, either first. */
export function fireBoth<T>(round: number, first: () => Promise<T>, second: () => Promise<T>): Promise<[T, T]> {
  const delayMs = (round % 9) / 2
  return Promise.all([sleep(round % 2 === 0 ? 0 : delayMs).then(first), sleep(round % 2 === 0 ? delayMs : 0).then(second)])
}

/** All pairs of names, each also with itself. */
export const listPairs = (names: readonly string[]): { first: string; second: string }[] =>
  names.flatMap((first, index) => names.slice(index).map((second) => ({ first, second })))
