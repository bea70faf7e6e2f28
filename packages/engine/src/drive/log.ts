import { hash } from 'node:crypto'
import type { DriveMode, DriveLevel } from '@clearway/contract/monitor/ruleset/drive/schema.ts'
import type { PageTemplate } from './template-in-page.ts'

/** Templates of one run: which pages are driven, and how far. */
export type DriveLog = {
  chooseLevel(key: string, page: PageTemplate): DriveLevel
}

const maxTemplates = 60
/** Share of the boxes that pages of similar layouts have in common. */
const minLikeness = 0.6
/**
 * One page in so many is driven whatever its template: it shows whether templates hold what they promise. A page in full costs
 * two to four visits, one in narrow windows costs one.
 */
const fullShare = 200
const narrowShare = 20

/** Number from 0 that a page keeps in every run. */
const computeBucket = (key: string, bucketCount: number): number =>
  Number.parseInt(hash('sha256', key, 'hex').slice(0, 8), 16) % bucketCount

/** Returns true for a page that is driven by its own key, whatever its template. */
export const isInFullShare = (key: string): boolean => computeBucket(key, fullShare) === 0

function computeLikeness(first: ReadonlySet<string>, second: ReadonlySet<string>): number {
  const commonCount = [...first].filter((token) => second.has(token)).length
  const totalCount = first.size + second.size - commonCount
  return totalCount === 0 ? 1 : commonCount / totalCount
}

/** `boxes`: the layout without names, which a page may have for itself, such as `post-harbor`. */
type Template = { layout: ReadonlySet<string>; boxes: ReadonlySet<string>; controls: ReadonlySet<string> }

const removeNames = (token: string): string => token.replaceAll(/\.\S+/g, '')

/** Opens the log of a run in this process. */
export function openDriveLog(mode: DriveMode): DriveLog {
  const templates: Template[] = []
  /** Returns true if pages of similar layouts were driven that together have all boxes and kinds of controls of this one. */
  const isCovered = ({ layout, boxes, controls }: Template): boolean => {
    const similar = templates.filter((template) => computeLikeness(template.layout, layout) >= minLikeness)
    return (
      similar.length > 0 &&
      [...boxes].every((box) => similar.some((template) => template.boxes.has(box))) &&
      [...controls].every((kind) => similar.some((template) => template.controls.has(kind)))
    )
  }
  return {
    chooseLevel(key, page) {
      if (mode === 'every') return 'full'
      const boxes = new Set(page.layout.map(removeNames))
      const template = { layout: new Set(page.layout), boxes, controls: new Set(page.controls) }
      if (templates.length < maxTemplates && !isCovered(template)) {
        templates.push(template)
        return 'full'
      }
      if (isInFullShare(key)) return 'full'
      return computeBucket(key, narrowShare) === 0 ? 'narrow' : 'page'
    },
  }
}
