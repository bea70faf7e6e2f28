import { afterEach, expect, it, vi } from 'vitest'
import { openSlots, type Slot } from './slots.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Requests slots and records which requests were admitted. */
function openSlotTest(slotCount: number, slowAfterMs?: number) {
  const slots = openSlots(slotCount, slowAfterMs)
  const admittedNames: string[] = []
  const requestSlot = (name: string, neededSlots = 1, signal?: AbortSignal) =>
    slots.take(neededSlots, signal).then((slot) => {
      admittedNames.push(slot ? name : `not ${name}`)
      return slot!
    })
  const takeAdmitted = async () => {
    await new Promise((resolve) => setTimeout(resolve))
    return admittedNames.splice(0)
  }
  return { ask: requestSlot, now: takeAdmitted }
}

it('admits up to the limit in request order', async () => {
  const { ask, now: takeAdmitted } = openSlotTest(2)
  const [firstSlot, secondSlot] = [await ask('a'), await ask('b')]
  void ask('c')
  void ask('d')
  expect(await takeAdmitted()).toEqual(['a', 'b'])
  secondSlot.leave()
  expect(await takeAdmitted()).toEqual(['c'])
  firstSlot.leave()
  // Leaving twice has no effect.
  firstSlot.leave()
  expect(await takeAdmitted()).toEqual(['d'])
  void ask('e')
  expect(await takeAdmitted()).toEqual([])
})

it('admits another while one is idle, at most half as many', async () => {
  const { ask, now: takeAdmitted } = openSlotTest(2)
  const [firstSlot, secondSlot] = [await ask('a'), await ask('b')]
  void ask('c')
  void ask('d')
  await takeAdmitted()
  firstSlot.setIdle(true)
  firstSlot.setIdle(true)
  expect(await takeAdmitted()).toEqual(['c'])
  secondSlot.setIdle(true)
  expect(await takeAdmitted()).toEqual([])
  // The holder resumes immediately. The excess is absorbed by the next one that leaves.
  firstSlot.setIdle(false)
  secondSlot.leave()
  expect(await takeAdmitted()).toEqual([])
  firstSlot.leave()
  expect(await takeAdmitted()).toEqual(['d'])
})

it('admits no extra request next to a slow holder until it is idle', async () => {
  let fakeNow = 0
  vi.spyOn(performance, 'now').mockImplementation(() => fakeNow)
  const { ask, now: takeAdmitted } = openSlotTest(2, 20)
  const [slowSlot, quickSlot] = [await ask('slow'), await ask('quick')]
  void ask('b')
  await takeAdmitted()
  fakeNow = 30
  quickSlot.setIdle(true)
  expect(await takeAdmitted()).toEqual([])
  slowSlot.setIdle(true)
  expect(await takeAdmitted()).toEqual(['b'])
  // The extra holder is slow by now.
  fakeNow = 60
  slowSlot.setIdle(false)
  quickSlot.leave()
  void ask('c')
  slowSlot.setIdle(true)
  expect(await takeAdmitted()).toEqual([])
})

it('releases a slot once if it is left while idle', async () => {
  const { ask, now: takeAdmitted } = openSlotTest(2)
  const [firstSlot] = [await ask('a'), await ask('b')]
  firstSlot.setIdle(true)
  void ask('c')
  await takeAdmitted()
  firstSlot.leave()
  firstSlot.setIdle(false)
  void ask('d')
  expect(await takeAdmitted()).toEqual([])
})

it('admits no extra request to a single slot or next to an exclusive one', async () => {
  const singleSlot = openSlotTest(1)
  const onlySlot = await singleSlot.ask('a')
  void singleSlot.ask('b')
  onlySlot.setIdle(true)
  expect(await singleSlot.now()).toEqual(['a'])

  const { ask, now: takeAdmitted } = openSlotTest(2)
  const waitingSlot = await ask('a')
  waitingSlot.setIdle(true)
  const allSlots: Promise<Slot> = ask('all', 2)
  void ask('b')
  expect(await takeAdmitted()).toEqual(['a'])
  waitingSlot.leave()
  expect(await takeAdmitted()).toEqual(['all'])
  ;(await allSlots).leave()
  expect(await takeAdmitted()).toEqual(['b'])
})

it('drops an aborted request and admits the next one', async () => {
  const { ask, now: takeAdmitted } = openSlotTest(2)
  await ask('a')
  const stopController = new AbortController()
  void ask('all', 2, stopController.signal)
  void ask('b')
  expect(await takeAdmitted()).toEqual(['a'])
  stopController.abort()
  expect((await takeAdmitted()).sort()).toEqual(['b', 'not all'])
  expect(await ask('late', 1, stopController.signal)).toBeNull()
})
