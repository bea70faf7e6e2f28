import { parseBucket } from '../bucket/model.ts'

/** Groups of alike URLs that a bucket belongs to, the narrowest first; the last one has all URLs. */
function listGroups(bucketText: string): string[] {
  if (bucketText === '') return ['']
  const { section, shape } = parseBucket(bucketText)
  const [path = ''] = shape.split('?')
  return [JSON.stringify([section, shape]), JSON.stringify([section, path]), JSON.stringify([section]), '']
}

/** Counts URLs by bucket, given the bucket of each. */
export const countByBucket = (buckets: readonly string[]): Map<string, number> =>
  new Map([...Map.groupBy(buckets, (bucket) => bucket)].map(([bucket, { length }]) => [bucket, length]))

/**
 * Computes for each visited URL how many known ones it stands for: itself, and its share of those that the page limit left out. The
 * visited URLs of the narrowest group share a URL.
 * @param visitedBuckets buckets of the visited URLs, empty for start URLs; also of those without a result, which stand for the same
 * @param leftOutCounts numbers of URLs that were left out, by bucket
 */
export function computeWeights(
  visitedBuckets: readonly string[],
  leftOutCounts: Iterable<readonly [bucket: string, count: number]>,
): number[] {
  const visitCounts = new Map<string, number>()
  const visitedGroups = visitedBuckets.map(listGroups)
  for (const group of visitedGroups.flat()) visitCounts.set(group, (visitCounts.get(group) ?? 0) + 1)
  const shares = new Map<string, number>()
  for (const [bucket, count] of leftOutCounts) {
    const group = listGroups(bucket).find((name) => visitCounts.has(name)) ?? ''
    shares.set(group, (shares.get(group) ?? 0) + count / (visitCounts.get(group) ?? 1))
  }
  return visitedGroups.map((groups) => groups.reduce((weight, group) => weight + (shares.get(group) ?? 0), 1))
}
