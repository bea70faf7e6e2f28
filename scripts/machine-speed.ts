/**
 * Detects slow machines. There, tests are bound by the processor, and more suites at once exceed their time limits.
 *
 *   node scripts/machine-speed.ts   prints `slow` or `usual`
 */

/** Above this, a machine is slow. The slowest one that ran all tests took 47 to 61 ms. */
const maxUsualLoopMs = 35

/** Measures the processor time that this thread takes for a fixed loop, in milliseconds. */
function measureLoop(): number {
  let state = 1
  const startUsage = process.threadCpuUsage()
  for (let step = 0; step < 3e7; step += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    if (state & 1) state ^= step
  }
  const { user, system } = process.threadCpuUsage(startUsage)
  return (user + system) / 1000
}

/** Returns true on a slow machine. TEST_MACHINE_SPEED (`slow` or `usual`) spares the measurement, which other work disturbs. */
export const isSlowMachine = (): boolean =>
  process.env.TEST_MACHINE_SPEED === undefined ? measureLoop() > maxUsualLoopMs : process.env.TEST_MACHINE_SPEED === 'slow'

if (import.meta.main) process.stdout.write(isSlowMachine() ? 'slow\n' : 'usual\n')
