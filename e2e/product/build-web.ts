import { startWebBuild } from '../../packages/server/src/process/web.ts'

/** Builds the web application once, before suites that start a product each, at the same time, on one checkout. */
export async function setup(): Promise<void> {
  const { done, state } = startWebBuild()
  await done
  const built = state()
  if (built.kind === 'failed') throw new Error(built.message)
}
