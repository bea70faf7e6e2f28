import * as z from 'zod/mini'
import { Count } from '../../../kit/count.ts'

/** Maximum number of word hashes in the sketch of a text. */
export const maxSketchWords = 48

export const WallKind = z.enum(['consent-dialog', 'challenge', 'maintenance', 'application-error', 'age-check', 'sign-in'])
export type WallKind = z.output<typeof WallKind>

/** Facts that show whether a page's content was seen. Reachable text is painted, not inert, hidden or behind a modal dialog. */
export const PageEvidence = z.object({
  /** Characters of reachable text, normalized. */
  textLength: Count,
  /** Hash of that text; null if the page has neither text nor images. */
  textHash: z.nullable(z.string()),
  /** The smallest hashes of its distinct words: a sketch, by which two texts are compared. */
  words: z.array(Count).check(z.maxLength(maxSketchWords)),
  /** Share of the painted text that is out of reach, 0–1. */
  outOfReach: z.number().check(z.minimum(0), z.maximum(1)),
  /** Characters of painted text out of reach. */
  outOfReachLength: Count,
  /** Reachable links, landmarks and form controls. */
  links: Count,
  landmarks: Count,
  controls: Count,
  title: z.string(),
  /** Documents, scripts and data that the page requested from its own site without success. */
  failedRequests: Count,
  /** Share of the words of the last whole visit that the page still has; null if there was none. */
  retained: z._default(z.nullable(z.number().check(z.minimum(0), z.maximum(1))), null),
  /** Kind of wall that the words of the page suggest. It names a wall, and never decides that there is one. */
  likelyWall: z.nullable(WallKind),
})
export type PageEvidence = z.output<typeof PageEvidence>
