import { expect, it } from 'vitest'
import { createIdleWatch } from './model.ts'

/** Notes at the given seconds with and without work; returns the seconds at which the watch told that it is idle. */
function watch(notes: readonly (readonly [second: number, hasWork: boolean])[]): number[] {
  let second = 0
  const idleSeconds: number[] = []
  const idleWatch = createIdleWatch({ afterMs: 60_000, onIdle: () => idleSeconds.push(second), now: () => second * 1000 })
  for (const [noteSecond, hasWork] of notes) {
    second = noteSecond
    idleWatch.note(hasWork)
  }
  return idleSeconds
}

it.each([
  {
    what: 'a process that has never worked',
    notes: [
      [0, false],
      [600, false],
    ],
    idle: [],
  },
  {
    what: 'a process that works',
    notes: [
      [0, true],
      [600, true],
    ],
    idle: [],
  },
  {
    what: 'a pause that is too short',
    notes: [
      [0, true],
      [59, false],
      [60, true],
      [119, false],
    ],
    idle: [],
  },
  {
    what: 'a long pause after work, once',
    notes: [
      [0, true],
      [59, false],
      [60, false],
      [600, false],
    ],
    idle: [60],
  },
  {
    what: 'each long pause after work',
    notes: [
      [0, true],
      [70, false],
      [80, true],
      [140, false],
    ],
    idle: [70, 140],
  },
] as const)('tells of $what', ({ notes, idle }) => {
  expect(watch(notes)).toEqual(idle)
})
