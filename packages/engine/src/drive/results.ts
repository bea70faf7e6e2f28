import type { WalkStop } from '@clearway/contract/monitor/ruleset/drive/schema.ts'
import type { DriveHit, StateResults } from './driver.ts'
import type { StatePicture } from './state-picture.ts'

/** Violations in a state, and its picture; null without new ones. */
export type DrivenState = { state: string; results: StateResults; picture: StatePicture | null }

/** Hits and states of a page. `isPartial`: not everything was tested. */
export type DriveResults = {
  hits: DriveHit[]
  states: DrivenState[]
  /** Pictures of states in which driven rules were hit. */
  pictures: { state: string; picture: StatePicture }[]
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
