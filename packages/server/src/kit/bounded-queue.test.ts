import { expect, it } from 'vitest'
import { createBoundedQueue, QueueFullError } from './bounded-queue.ts'

it('runs a limited number of tasks at once, in order, and refuses the ones beyond its limit', async () => {
  const queue = createBoundedQueue({ maxConcurrent: 2, maxWaiting: 2 })
  const finishTask: (() => void)[] = []
  const startedTasks: number[] = []
  const addTask = (number: number) =>
    queue.run(async () => {
      startedTasks.push(number)
      await new Promise<void>((resolve) => finishTask.push(resolve))
      return number
    })
  const accepted = [1, 2, 3, 4].map(addTask)
  expect(queue.isFull()).toBe(true)
  await expect(addTask(5)).rejects.toThrow(QueueFullError)
  expect(startedTasks).toEqual([1, 2])
  finishTask[0]!()
  expect(await accepted[0]).toBe(1)
  expect(startedTasks).toEqual([1, 2, 3])
  const late = addTask(6)
  for (let index = 1; index < 5; index++) {
    await expect.poll(() => finishTask.length).toBeGreaterThan(index)
    finishTask[index]!()
  }
  expect(await Promise.all([...accepted, late])).toEqual([1, 2, 3, 4, 6])
  expect(startedTasks).toEqual([1, 2, 3, 4, 6])
})

it('frees the slot of a task that fails', async () => {
  const queue = createBoundedQueue({ maxConcurrent: 1, maxWaiting: 0 })
  await expect(queue.run(() => Promise.reject(new Error('for a reason')))).rejects.toThrow('for a reason')
  expect(await queue.run(() => Promise.resolve('next'))).toBe('next')
})
