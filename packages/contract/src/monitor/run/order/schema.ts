import * as z from 'zod/mini'

/** Order of visits. `breadth`: by distance from the start URLs. `representative`: likely new content first. */
export const CrawlOrder = z.enum(['representative', 'breadth'])
export type CrawlOrder = z.output<typeof CrawlOrder>
