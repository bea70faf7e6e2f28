import {
  type Bucket,
  getPathName,
  getPatternName,
  getSectionName,
  isOfSeveralPaths,
  listNames,
  parseBucket,
  splitShape,
  viewKind,
} from '../bucket/model.ts'
import { minBases, type Tallies } from '../visit/model.ts'

/** A page of its own, a likely view of another page by the form of its URL, or a view by its words. */
export type Role = 'page' | 'likely-view' | 'view'
export type Roles = ReadonlyMap<string, Role>
export const getGroupName = (bucket: Bucket, role: Role): string =>
  `${role === 'page' ? 'pages' : 'views'} of ${getSectionName(bucket)}`
export const getRoleName = (bucket: Bucket, role: Role): string => `${role} of ${getSectionName(bucket)}`

/** URLs of a form from which the same form with further parameters is considered a view of them. */
const minViewedUrls = 3

/** Parameters of URLs of one path, their number, and the number of bases that they share with URLs without parameters. */
type Form = { names: readonly string[]; urlCount: number; baseCount: number }

/** Known forms by path and query. */
function listForms(tallies: Tallies, counts: Iterable<readonly [bucket: Bucket, count: number]>): Map<string, Map<string, Form>> {
  const formsByPath = new Map<string, Map<string, Form>>()
  for (const [bucket, count] of counts) {
    const { query } = splitShape(bucket.shape)
    const forms = formsByPath.get(getPathName(bucket)) ?? new Map<string, Form>()
    formsByPath.set(getPathName(bucket), forms)
    const baseCount = tallies.basesByPattern.get(getPatternName(bucket))?.size ?? 0
    const form = forms.get(query) ?? { names: listNames(query), urlCount: 0, baseCount }
    forms.set(query, form)
    form.urlCount += count
  }
  return formsByPath
}

/**
 * Returns true if several URLs have some of the parameters of a form alone. Three pages such as `/about` make no view of
 * `/article?id=5`, whose path has the same shape: several of its own paths must be known without parameters.
 */
function isViewOf(form: Form, viewedForm: Form, isOfOnePath: boolean): boolean {
  const { names, urlCount } = viewedForm
  if (urlCount < minViewedUrls || names.length >= form.names.length) return false
  return names.length === 0 ? isOfOnePath || form.baseCount >= minBases : names.every((name) => form.names.includes(name))
}

/**
 * Finds the role of each bucket. The words of URLs tell views, and so do several URLs of the same path with some of their parameters
 * alone, as `?id=5` of `?id=5&do=show`. Sums up the visits by role.
 */
export function assignRoles(tallies: Tallies, waiting: ReadonlyMap<string, number>): Roles {
  const buckets = new Map([...tallies.visitedBuckets, ...waiting.keys()].map((text) => [text, parseBucket(text)]))
  const visited = [...tallies.visitedBuckets].map((text) => ({ text, bucket: buckets.get(text)!, ...tallies.get(text) }))
  const formsByPath = listForms(tallies, [
    ...visited.map(({ bucket, visits }) => [bucket, visits] as const),
    ...[...waiting].map(([text, count]) => [buckets.get(text)!, count] as const),
  ])
  const getRole = (bucket: Bucket): Role => {
    if (bucket.kind === viewKind) return 'view'
    const forms = formsByPath.get(getPathName(bucket))!
    const { path, query } = splitShape(bucket.shape)
    const form = forms.get(query)!
    const isOfOnePath = !isOfSeveralPaths(path)
    return [...forms.values()].some((viewedForm) => isViewOf(form, viewedForm, isOfOnePath)) ? 'likely-view' : 'page'
  }
  const roles = new Map([...buckets].map(([text, bucket]) => [text, getRole(bucket)]))
  for (const { text, bucket, visits, gain } of visited)
    for (const getName of [getGroupName, getRoleName]) {
      const tally = tallies.get(getName(bucket, roles.get(text)!))
      tally.visits += visits
      tally.gain += gain
    }
  return roles
}
