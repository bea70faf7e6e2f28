import { readFileSync } from 'node:fs'

type Case = { name: string; goal: number; path: (n: number) => string }
/** Ids that exist in the database, for the parameters of paths. */
export type Samples = { scanId: string; run: number; pageId: string; issueId: string; rule: string }

/** Filters and orders of lists over all scans, which read the most. */
const listQueries: Readonly<Record<string, readonly string[]>> = {
  '/issues': [
    'status=open&rule=color-contrast',
    'status=open&tag=wcag2aa',
    'status=open&search=nth-child',
    'status=open&search=section/17',
    'status=open&search=nowhere',
    'status=ignored',
    'status=open&needsReview=true',
    'status=open&engine=axe',
    'status=open&sort=rule,asc',
    'change=new',
  ],
  '/issues/groups': ['by=rule&status=open', 'by=page&status=open', 'by=component&status=open', 'by=template&status=open'],
  '/pages': ['', 'search=section/17', 'search=nowhere', 'sort=url,asc', 'health=critical'],
  '/scans/{id}/runs/{run}/compare/{other}/issues': ['side=both'],
  '/scans/{id}/runs/{run}/compare/{other}/pages': ['side=both'],
  '/search': ['q=section/17', 'q=nowhere'],
  '/tags': ['', 'search=wcag'],
  '/violations': ['', 'search=contrast'],
  '/rollup/trend': ['days=90&by=day&timeZone=UTC'],
}

/** Streams, bytes, and calls that need what the database does not have. */
const isOther = (path: string): boolean => /(events|recheck|public-token)$|\/content$|views|picture|draft$/.test(path)

/** A case for each GET of the API whose parameters the samples fill, by the generated description. */
export function buildGetCases(samples: Samples): Case[] {
  const { paths } = JSON.parse(readFileSync(new URL('../../docs/generated/openapi.json', import.meta.url), 'utf8')) as {
    paths: Record<string, Record<string, unknown>>
  }
  const fill = (path: string): string =>
    path
      .replace('/pages/{id}', `/pages/${samples.pageId}`)
      .replace('/issues/{id}', `/issues/${samples.issueId}`)
      .replace(/\/(scans?)\/\{id\}/, `/$1/${samples.scanId}`)
      .replace('/{run}', `/${samples.run}`)
      .replace('/{other}', `/${samples.run - 1}`)
      .replace('/{rule}', `/${samples.rule}`)
  return Object.entries(paths)
    .filter(([path, methods]) => path.startsWith('/monitor-api/') && 'get' in methods && !isOther(path))
    .flatMap(([path]) => {
      const template = path.replace('/monitor-api', '')
      const filled = fill(template)
      if (filled.includes('{')) return []
      return (listQueries[template] ?? ['']).map((query) => {
        const whole = query === '' ? filled : `${filled}?${query}`
        return { name: whole, goal: 100, path: () => whole }
      })
    })
}
