/** Thrown if a bounded queue is full. The caller may retry later. */
export class QueueFullError extends Error {
  constructor() {
    super('The queue is full')
  }
}

export type BoundedQueue = {
  /** Runs a task when a slot is free, in order. @throws QueueFullError at once if too many tasks wait */
  run: <T>(task: () => Promise<T>) => Promise<T>
  isFull: () => boolean
}

/** Creates a queue that runs at most `maxConcurrent` tasks at once while at most `maxWaiting` others wait. */
export function createBoundedQueue(limits: { maxConcurrent: number; maxWaiting: number }): BoundedQueue {
  const waitingStarts: (() => void)[] = []
  let activeCount = 0
  const isFull = () => activeCount >= limits.maxConcurrent && waitingStarts.length >= limits.maxWaiting
  return {
    isFull,
    async run(task) {
      if (isFull()) throw new QueueFullError()
      // A finished task hands its slot to the next one, so that a new caller cannot overtake it.
      if (activeCount < limits.maxConcurrent) activeCount++
      else await new Promise<void>((resolve) => waitingStarts.push(resolve))
      try {
        return await task()
      } finally {
        const startNext = waitingStarts.shift()
        if (startNext) startNext()
        else activeCount--
      }
    },
  }
}
