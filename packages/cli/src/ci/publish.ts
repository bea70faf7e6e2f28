import type { BuildSystem } from '../options.ts'
import { publishToGithub } from './github.ts'
import { publishToGitlab } from './gitlab.ts'
import type { Environment, PublishedGate } from './published-gate.ts'
import { VendorError } from './vendor-request.ts'

const publishers: Record<BuildSystem, (gate: PublishedGate, environment: Environment) => Promise<string | null>> = {
  github: publishToGithub,
  gitlab: publishToGitlab,
}

/**
 * Shows the result of a gate in a build system. Never fails: the exit code is that of the gate.
 * @returns one sentence for what could not be shown; null if all was
 */
export async function publishGate(system: BuildSystem, gate: PublishedGate, environment: Environment): Promise<string | null> {
  try {
    return await publishers[system](gate, environment)
  } catch (error) {
    if (error instanceof VendorError) return `No comment was written: ${error.message}`
    return `The result could not be shown: ${error instanceof Error ? error.message : String(error)}`
  }
}
