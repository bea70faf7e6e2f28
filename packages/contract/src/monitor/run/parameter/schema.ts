import * as z from 'zod/mini'
import { Count } from '../../../kit/count.ts'

/** A parameter of URLs that changed no page of a run at some paths. */
export const ParameterProposal = z.object({
  name: z.string(),
  /** The path of the pages; `*` stands for a segment in which they differ. */
  path: z.string(),
  /** Pages whose URLs differ in it, and not in their content. */
  pages: Count,
  /** Different contents of these pages. */
  contents: Count,
  /** URLs of two of them with the same content. */
  examples: z.array(z.string()),
})
export type ParameterProposal = z.output<typeof ParameterProposal>

export const ParameterProposals = z.object({ proposals: z.array(ParameterProposal) })
