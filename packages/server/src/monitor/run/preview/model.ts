import type { PreviewChange } from '@clearway/contract/monitor/run/preview/schema.ts'

/** Number of a run, and URLs of the pages that it tested. */
export type TestedPages = { number: number; urls: readonly string[] }

/**
 * Compares the pages that a preview includes with those of the last run.
 * @param isWhole the preview has reported all URLs, so that those without a report are left out
 */
export function comparePreview(
  { number, urls }: TestedPages,
  includedUrls: ReadonlySet<string>,
  isWhole: boolean,
): PreviewChange {
  const testedUrls = new Set(urls)
  const added = [...includedUrls].filter((url) => !testedUrls.has(url))
  return {
    run: number,
    keptCount: includedUrls.size - added.length,
    added,
    leftOut: isWhole ? urls.filter((url) => !includedUrls.has(url)) : null,
  }
}

/** Maximum total bytes of pictures of a dry run, and of one picture; further steps come without a picture. */
const maxTotalPictureBytes = 24 * 1024 * 1024
const maxPictureBytes = 1024 * 1024

/** Creates an encoder of pictures to base64, which returns null beyond the byte limits. */
export function createPictureEncoder() {
  let remainingBytes = maxTotalPictureBytes
  return (picture: Uint8Array | null): string | null => {
    if (picture === null || picture.length > maxPictureBytes || picture.length > remainingBytes) return null
    remainingBytes -= picture.length
    return Buffer.from(picture).toString('base64')
  }
}
