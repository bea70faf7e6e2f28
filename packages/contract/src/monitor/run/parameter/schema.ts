import * as z from 'zod/mini'
import { Count } from '../../../kit/count.ts'

/** A parameter of URLs that changed no page of a run. */
export const ParameterProposal = z.object({
  name: z.string(),
  /** Pages whose URLs differ in it, and not in their content. */
  pages: Count,
  /** Different contents of these pages. */
  contents: Count,
  /** URLs of two of them with the same content. */
  examples: z.array(z.string()),
})
export type ParameterProposal = z.output<typeof ParameterProposal>

export const ParameterProposals = z.object({ proposals: z.array(ParameterProposal) })
