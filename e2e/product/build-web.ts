import { startWebBuild } from '../../packages/server/src/process/web.ts'

/** Builds the web application once, before suites that each start a product at the same time on one checkout. */
export async function setup(): Promise<void> {
  const { done: buildDone, state } = startWebBuild()
  await buildDone
  const built = state()
  if (built.kind === 'failed') throw new Error(built.message)
}
