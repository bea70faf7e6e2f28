import type { WalkStop } from '@clearway/contract/monitor/ruleset/drive/schema.ts'
import type { DriveHit } from './driver.ts'
import type { StateResults } from './rule/axe-state.ts'

/** Hits and states of a page. `isPartial`: not everything was tested. */
export type DriveResults = {
  hits: DriveHit[]
  states: { state: string; results: StateResults }[]
  /** Stops of the Tab key, and a picture of the page for them; null if the page was not walked. */
  walk: { stops: WalkStop[]; picture: Uint8Array | null } | null
  isPartial: boolean
  problems: string[]
}

/** Runs a part of a drive. A part that fails leaves what the others found. */
export async function runPart(results: DriveResults, part: () => Promise<void>): Promise<boolean> {
  try {
    await part()
    return true
  } catch (error) {
    results.isPartial = true
    results.problems.push(error instanceof Error ? error.message.split('\n', 1)[0]! : String(error))
    return false
  }
}
