import { afterEach, expect, it, vi } from 'vitest'
import { openSlots, type Slot } from './slots.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Whoever asks for slots, and who has them by now. */
function asking(count: number, slowMs?: number) {
  const slots = openSlots(count, slowMs)
  const inside: string[] = []
  const ask = (name: string, need = 1, signal?: AbortSignal) =>
    slots.take(need, signal).then((slot) => {
      inside.push(slot ? name : `not ${name}`)
      return slot!
    })
  const now = async () => {
    await new Promise((resolve) => setTimeout(resolve))
    return inside.splice(0)
  }
  return { ask, now }
}

it('lets in so many, in the order in which they asked', async () => {
  const { ask, now } = asking(2)
  const [first, second] = [await ask('a'), await ask('b')]
  void ask('c')
  void ask('d')
  expect(await now()).toEqual(['a', 'b'])
  second.leave()
  expect(await now()).toEqual(['c'])
  first.leave()
  // Who has left has nothing more to leave.
  first.leave()
  expect(await now()).toEqual(['d'])
  void ask('e')
  expect(await now()).toEqual([])
})

it('lets another in while one only waits, and half as many at the most', async () => {
  const { ask, now } = asking(2)
  const [first, second] = [await ask('a'), await ask('b')]
  void ask('c')
  void ask('d')
  await now()
  first.idle(true)
  first.idle(true)
  expect(await now()).toEqual(['c'])
  second.idle(true)
  expect(await now()).toEqual([])
  // It goes on at once, and one too many is made up for by the next that leaves.
  first.idle(false)
  second.leave()
  expect(await now()).toEqual([])
  first.leave()
  expect(await now()).toEqual(['d'])
})

it('lets nobody in beside one that has been at work for long, until that one waits itself', async () => {
  let clock = 0
  vi.spyOn(performance, 'now').mockImplementation(() => clock)
  const { ask, now } = asking(2, 20)
  const [slow, quick] = [await ask('slow'), await ask('quick')]
  void ask('b')
  await now()
  clock = 30
  quick.idle(true)
  expect(await now()).toEqual([])
  slow.idle(true)
  expect(await now()).toEqual(['b'])
  // By now, the one that was let in is slow.
  clock = 60
  slow.idle(false)
  quick.leave()
  void ask('c')
  slow.idle(true)
  expect(await now()).toEqual([])
})

it('gives a slot back once that is left while its holder only waits', async () => {
  const { ask, now } = asking(2)
  const [first] = [await ask('a'), await ask('b')]
  first.idle(true)
  void ask('c')
  await now()
  first.leave()
  first.idle(false)
  void ask('d')
  expect(await now()).toEqual([])
})

it('has nobody beside a single slot, nor beside who takes all', async () => {
  const single = asking(1)
  const only = await single.ask('a')
  void single.ask('b')
  only.idle(true)
  expect(await single.now()).toEqual(['a'])

  const { ask, now } = asking(2)
  const waiting = await ask('a')
  waiting.idle(true)
  const all: Promise<Slot> = ask('all', 2)
  void ask('b')
  expect(await now()).toEqual(['a'])
  waiting.leave()
  expect(await now()).toEqual(['all'])
  ;(await all).leave()
  expect(await now()).toEqual(['b'])
})

it('forgets who no longer waits, and serves who is behind', async () => {
  const { ask, now } = asking(2)
  await ask('a')
  const stop = new AbortController()
  void ask('all', 2, stop.signal)
  void ask('b')
  expect(await now()).toEqual(['a'])
  stop.abort()
  expect((await now()).sort()).toEqual(['b', 'not all'])
  expect(await ask('late', 1, stop.signal)).toBeNull()
})
