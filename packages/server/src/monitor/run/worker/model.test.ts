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
    what: 'nothing of a process that has never worked',
    notes: [
      [0, false],
      [600, false],
    ],
    idle: [],
  },
  {
    what: 'nothing of a process that works',
    notes: [
      [0, true],
      [600, true],
    ],
    idle: [],
  },
  {
    what: 'nothing after a short pause',
    notes: [
      [300, true],
      [359, false],
      [360, true],
      [419, false],
    ],
    idle: [],
  },
  {
    what: 'of a long pause, once',
    notes: [
      [300, true],
      [359, false],
      [360, false],
      [900, false],
    ],
    idle: [360],
  },
  {
    what: 'of each long pause',
    notes: [
      [300, true],
      [370, false],
      [380, true],
      [440, false],
    ],
    idle: [370, 440],
  },
  {
    what: 'of the first pause when the process is old enough',
    notes: [
      [0, true],
      [239, false],
      [240, false],
    ],
    idle: [240],
  },
] as const)('tells $what', ({ notes, idle }) => {
  expect(watch(notes)).toEqual(idle)
})
