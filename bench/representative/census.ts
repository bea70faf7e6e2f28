import * as cheerio from 'cheerio'
import type { SitePage } from './sites.ts'
import { readStructure } from './structure.ts'

/** Pages of a template to read: links to further templates may be on some of them only. */
const maxPagesOfTemplate = 25
/** Pages of a template to read beyond them, if their paths differ in more than numbers, or their parameters by name. */
const maxPagesOfForm = 3
const pagesAtOnce = 6

/** URLs that a page links to. */
function listLinks(html: string, url: URL): URL[] {
  const $ = cheerio.load(html)
  const base = new URL($('base').attr('href') ?? '', url)
  return $('a[href], area[href], option[value^="/"], link[rel~="alternate"][hreflang]')
    .toArray()
    .flatMap((element) => URL.parse($(element).attr('href') ?? $(element).attr('value') ?? '', base) ?? [])
}

/** Reads an HTML page; null for anything else. Redirects count under the URL that they lead to. */
async function read(url: URL): Promise<{ html: string; finalUrl: URL } | null> {
  const response = await fetch(url, { signal: AbortSignal.timeout(120_000) })
  const isHtml = response.ok && (response.headers.get('content-type') ?? '').startsWith('text/html')
  if (isHtml) return { html: await response.text(), finalUrl: new URL(response.url) }
  await response.body?.cancel()
  return null
}

/** Structures of pages by path; none for paths that are no HTML pages. */
export async function readStructures(origin: string, paths: readonly string[]): Promise<Map<string, ReadonlySet<string>>> {
  const structures = new Map<string, ReadonlySet<string>>()
  const queue = [...paths]
  while (queue.length > 0)
    await Promise.all(
      queue.splice(0, pagesAtOnce).map(async (path) => {
        const page = await read(new URL(path, origin))
        if (page) structures.set(path, readStructure(page.html))
      }),
    )
  return structures
}

const getForm = ({ pathname, search }: URL): string => {
  const names = search
    .slice(1)
    .split(/[&;]/)
    .map((pair) => pair.split('=')[0])
  return `${pathname.replaceAll(/\d+/g, '0')}?${[...new Set(names)].sort().join('&')}`
}

/** Templates of a site, and the structures of its pages by path. */
type Census = { templates: ReadonlySet<string>; structures: ReadonlyMap<string, ReadonlySet<string>> }

/** Reads a site that serves HTML: every link is followed, breadth-first, but only a few pages of a template are read. */
export async function readCensus(start: string, answer: (url: URL) => SitePage | null): Promise<Census> {
  const { origin } = new URL(start)
  const templates = new Set<string>()
  const structures = new Map<string, ReadonlySet<string>>()
  const readCounts = new Map<string, number>()
  const seenUrls = new Set([start])
  const queue = [new URL(start)]
  const takeNext = (): URL[] => {
    const url = queue.shift()
    if (!url) return []
    const template = answer(url)?.template ?? ''
    const form = `${template} ${getForm(url)}`
    const [templateCount, formCount] = [readCounts.get(template) ?? 0, readCounts.get(form) ?? 0]
    if (templateCount >= maxPagesOfTemplate && formCount >= maxPagesOfForm) return takeNext()
    readCounts.set(template, templateCount + 1)
    readCounts.set(form, formCount + 1)
    return [url]
  }
  const visit = async (url: URL) => {
    const page = await read(url)
    if (!page || page.finalUrl.origin !== origin) return
    const template = answer(page.finalUrl)?.template
    if (template !== undefined) templates.add(template)
    structures.set(page.finalUrl.href.slice(origin.length), readStructure(page.html))
    for (const target of listLinks(page.html, page.finalUrl)) {
      target.hash = ''
      if (target.origin !== origin || seenUrls.has(target.href)) continue
      seenUrls.add(target.href)
      queue.push(target)
    }
  }
  while (queue.length > 0) await Promise.all(Array.from({ length: pagesAtOnce }, takeNext).flat().map(visit))
  return { templates, structures }
}
