import type { serveFolder } from '../engine/serve-folder.ts'

/** Pages of each part of a served folder, at most `count` of them, evenly spread over all it has. */
export const pickUrls = (
  site: Pick<Awaited<ReturnType<typeof serveFolder>>, 'url' | 'pages'>,
  parts: readonly string[],
  count: number,
): string[] =>
  parts.flatMap((part) => {
    const pages = site.pages.filter((url) => url.startsWith(`${site.url}/${part}`))
    const step = Math.max(1, pages.length / count)
    return pages.filter((_, number) => Math.floor(number / step) > Math.floor((number - 1) / step)).slice(0, count)
  })
