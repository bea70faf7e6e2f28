import * as cheerio from 'cheerio'

/** Similarity from which two pages have one structure. */
const minSimilarity = 0.8

const ignoredTags = new Set(['script', 'style', 'noscript', 'template', 'br', 'wbr'])

/** An element with what a visitor may see of it: its tag, the type of a field, and its classes without generated ones. */
function describeElement(tag: string, attributes: Readonly<Record<string, string>>): string {
  const classNames = (attributes.class ?? '').split(/\s+/).filter((name) => name !== '' && !/\d/.test(name))
  const type = tag === 'input' ? `[${attributes.type ?? 'text'}]` : ''
  return `${tag}${type}${classNames
    .sort()
    .map((name) => `.${name}`)
    .join('')}`
}

/** Structure of a page: paths of the elements of its main content. Rows of a list or table that are alike have the same paths. */
export function readStructure(html: string): ReadonlySet<string> {
  const $ = cheerio.load(html)
  const paths = new Set<string>()
  const add = (parent: string, elements: readonly cheerio.Element[]): void => {
    for (const element of elements) {
      if (ignoredTags.has(element.name) || element.attribs.type === 'hidden') continue
      const path = `${parent}/${describeElement(element.name, element.attribs)}`
      paths.add(path)
      add(path, $(element).children().toArray())
    }
  }
  const mains = $('main, [role="main"]')
  add(
    '',
    $<cheerio.Element, string>(mains.length > 0 ? 'main, [role="main"]' : 'body')
      .children()
      .toArray(),
  )
  return paths
}

const computeSimilarity = (one: ReadonlySet<string>, other: ReadonlySet<string>): number => {
  const shared = one.intersection(other).size
  const all = one.size + other.size - shared
  return all === 0 ? 1 : shared / all
}

/**
 * Number of the structure of each page. Pages that are similar to each other have one structure, also by way of pages between them, so
 * that the order of the pages does not matter.
 */
export function groupByStructure(structures: ReadonlyMap<string, ReadonlySet<string>>): Map<string, number> {
  const groupsByText = new Map<string, number>()
  const texts = new Map([...structures].map(([url, paths]) => [url, [...paths].sort().join('\n')]))
  const distinct = [...new Map([...structures].map(([url, paths]) => [texts.get(url)!, paths]))]
  for (const [index, [text]] of distinct.entries()) {
    if (groupsByText.has(text)) continue
    const open = [text]
    groupsByText.set(text, index)
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const paths = new Set(next.split('\n'))
      for (const [otherText, otherPaths] of distinct) {
        if (groupsByText.has(otherText) || computeSimilarity(paths, otherPaths) < minSimilarity) continue
        groupsByText.set(otherText, index)
        open.push(otherText)
      }
    }
  }
  return new Map([...texts].map(([url, text]) => [url, groupsByText.get(text)!]))
}
