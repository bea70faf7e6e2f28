/**
 * Tells a slow machine, on which the tests take other care: it computes for so much longer that it waits for nothing, and more
 * suites at once reach the limits of their tests.
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

/** Measures again at each call, for about 50 ms. */
export const isSlowMachine = (): boolean => measureLoop() > maxUsualLoopMs

if (import.meta.main) process.stdout.write(isSlowMachine() ? 'slow\n' : 'usual\n')
