import * as z from 'zod/mini'

/**
 * Order in which a run visits URLs. `breadth`: by distance from the start URLs. `representative`: what is likely to be new comes
 * first, so that the pages up to the limit stand for the site.
 */
export const CrawlOrder = z.enum(['representative', 'breadth'])
export type CrawlOrder = z.output<typeof CrawlOrder>
