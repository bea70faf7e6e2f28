import { toPathForm } from '@clearway/contract/monitor/run/left-out/model.ts'
import type { ParameterProposal } from '@clearway/contract/monitor/run/parameter/schema.ts'

/** A tested page. `content`: hash of its text, controls and media. */
export type ParameterPage = { url: string; content: string }

/** Fewer pages may be alike by chance. */
const minPages = 3
/** Names of parameters that tell pages apart on most sites: a list without a result is the same for every search. */
const tellingNames =
  /^(?:id|\w*_id|p|page|paged|start|offset|n|q|s|search|query|suche|recherche|buscar|cerca|lang|language|locale|hl|title|name|slug|cat|category|tag|year|month|day|date|view|tab|step|action|do)$/i
const minTellingContents = 3
const maxNames = 50
const maxProposals = 20

type ParsedPage = {
  page: ParameterPage
  base: string
  path: string
  parameters: readonly (readonly [name: string, value: string])[]
}

function parsePage(page: ParameterPage): ParsedPage[] {
  const url = URL.parse(page.url)
  return url
    ? [{ page, base: `${url.origin}${url.pathname}${url.hash}`, path: url.pathname, parameters: [...url.searchParams] }]
    : []
}

const groupWithout = (pages: readonly ParsedPage[], names: ReadonlySet<string>): ParsedPage[][] => [
  ...Map.groupBy(pages, ({ base, parameters }) =>
    JSON.stringify([base, parameters.filter(([name]) => !names.has(name))]),
  ).values(),
]

const hasOneContent = (group: readonly ParsedPage[]): boolean => new Set(group.map(({ page }) => page.content)).size === 1
const varies = (group: readonly ParsedPage[], name: string): boolean =>
  new Set(group.map(({ parameters }) => JSON.stringify(parameters.filter(([other]) => other === name)))).size > 1

/** Names by the number of pages that have them. */
function listNames(pages: readonly ParsedPage[]): string[] {
  const names = pages.flatMap(({ parameters }) => [...new Set(parameters.map(([name]) => name))])
  const counts = [...Map.groupBy(names, (name) => name)].map(([name, { length }]) => ({ name, count: length }))
  return counts
    .toSorted((first, second) => second.count - first.count)
    .slice(0, maxNames)
    .map(({ name }) => name)
}

/** Names that changed no content, alone or together with each other. */
function findUnchanging(pages: readonly ParsedPage[]): Set<string> {
  const names = listNames(pages).filter((name) => groupWithout(pages, new Set([name])).every(hasOneContent))
  const unchanging = new Set(names)
  for (;;) {
    const mixedGroups = groupWithout(pages, unchanging).filter((group) => !hasOneContent(group))
    const changing = names.filter((name) => unchanging.has(name) && mixedGroups.some((group) => varies(group, name)))
    if (changing.length === 0) return unchanging
    for (const name of changing) unchanging.delete(name)
  }
}

/** Parameters that changed no page of a group, with the evidence. */
function proposeInGroup(pages: readonly ParsedPage[], path: string): ParameterProposal[] {
  const unchanging = findUnchanging(pages)
  const groups = groupWithout(pages, unchanging).filter(({ length }) => length > 1)
  return [...unchanging]
    .map((name): ParameterProposal => {
      const variedGroups = groups.filter((group) => varies(group, name))
      return {
        name,
        path,
        pages: variedGroups.reduce((sum, { length }) => sum + length, 0),
        contents: new Set(variedGroups.map(([first]) => first!.page.content)).size,
        examples: (variedGroups[0] ?? []).slice(0, 2).map(({ page }) => page.url),
      }
    })
    .filter((proposal) => proposal.pages >= minPages)
    .filter(({ name, contents }) => contents >= minTellingContents || !tellingNames.test(name))
}

/**
 * Finds parameters of URLs that never changed a page at some paths, with the evidence: not those that vary together with another
 * that may have changed pages. Paths that differ in their last segment or in digits are alike, unless a parameter changes some.
 */
export function proposeParameters(pages: readonly ParameterPage[]): ParameterProposal[] {
  const pagesByForm = Map.groupBy(pages.flatMap(parsePage), ({ path }) => toPathForm(path, 0))
  return [...pagesByForm]
    .flatMap(([form, alikePages]) => {
      const pagesByPath = Map.groupBy(alikePages, ({ path }) => path)
      const shared = pagesByPath.size === 1 ? [] : proposeInGroup(alikePages, form)
      const sharedNames = new Set(shared.map(({ name }) => name))
      const single = [...pagesByPath].flatMap(([path, samePages]) => proposeInGroup(samePages, path))
      return [...shared, ...single.filter(({ name }) => !sharedNames.has(name))]
    })
    .toSorted((first, second) => second.pages - first.pages)
    .slice(0, maxProposals)
}
