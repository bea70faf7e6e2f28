import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'

/** Memory in bytes of all browsers together up to which an extra page may load, which takes up to 250 MB. */
const maxUsedBytes = 600e6
/** Share of the container's memory that the browsers may have then: the rest is for the page, the process and its PDFs. */
const maxUsedShare = 0.4
/** Share of the processors' time that has to be idle: on a busy machine, an extra page only delays the others. */
const minIdleShare = 0.1

export type Room = {
  /** Notes how much memory the browsers use (Infinity: unknown), and how long the processors were idle since the last call. */
  update(usedBytes: number): void
  /** Returns true if there is memory and processor time for an extra page. False before the first update. */
  hasRoom(): boolean
}

type ProcessorTimes = { idleMs: number; totalMs: number }

/** Times of a container with a limit of processors, which the machine's own say nothing about; never idle if they cannot be read. */
function readContainerTimes(): ProcessorTimes {
  const totalMs = performance.now() * availableParallelism()
  try {
    const usedMicroseconds = /^usage_usec (\d+)$/m.exec(readFileSync('/sys/fs/cgroup/cpu.stat', 'utf8'))?.[1]
    return { idleMs: usedMicroseconds === undefined ? 0 : totalMs - Number(usedMicroseconds) / 1000, totalMs }
  } catch {
    return { idleMs: 0, totalMs }
  }
}

function readProcessorTimes(): ProcessorTimes {
  const processors = cpus()
  if (availableParallelism() < processors.length) return readContainerTimes()
  const times: ProcessorTimes = { idleMs: 0, totalMs: 0 }
  for (const processor of processors) {
    times.idleMs += processor.times.idle
    for (const modeMs of Object.values(processor.times)) times.totalMs += modeMs
  }
  return times
}

/** Returns the memory in bytes that this process and its children may use: the limit of the container, or that of the machine. */
function getMemoryLimit(): number {
  const constrainedBytes = process.constrainedMemory()
  return constrainedBytes > 0 ? Math.min(constrainedBytes, totalmem()) : totalmem()
}

/**
 * Watches whether there is room for an extra page.
 * @param memoryLimit in bytes, of the container or the machine
 * @param readTimes times of the processors since the start of the machine
 */
export function openRoom(memoryLimit: number = getMemoryLimit(), readTimes: () => ProcessorTimes = readProcessorTimes): Room {
  const usableBytes = Math.min(maxUsedBytes, memoryLimit * maxUsedShare)
  let lastTimes = readTimes()
  let hasRoom = false
  return {
    update(usedBytes) {
      const times = readTimes()
      const totalMs = times.totalMs - lastTimes.totalMs
      // No time has passed for the processors' clocks, which tick every 10 ms.
      if (totalMs <= 0) return
      hasRoom = usedBytes <= usableBytes && (times.idleMs - lastTimes.idleMs) / totalMs >= minIdleShare
      lastTimes = times
    },
    hasRoom: () => hasRoom,
  }
}
