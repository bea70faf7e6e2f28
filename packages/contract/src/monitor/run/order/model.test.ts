import { expect, test } from 'vitest'
import { buildBucketText as build } from '../../../../test/bucket.ts'
import { openTrapBucket, viewKind } from '../bucket/model.ts'
import { listTraps, planBatch, selectRandomBuckets, type BatchRequest } from './model.ts'
import { assignRoles } from '../view/model.ts'
import { addVisits, copyTallies, openVisitSums, type Tallies, type VisitedEntry } from '../visit/model.ts'

const visit = (bucket: string, content: string): VisitedEntry => ({
  bucket,
  content,
  masked: content,
  chain: 0,
  template: 'a',
  isUnlisted: false,
  isListing: false,
  bases: [],
})

function tallyVisits(visits: readonly VisitedEntry[]): Tallies {
  const sums = openVisitSums()
  addVisits(sums, visits)
  return copyTallies(sums)
}

const plan = (visits: readonly VisitedEntry[], request: Pick<BatchRequest, 'waiting' | 'size'>): string[] => {
  const tallies = tallyVisits(visits)
  return planBatch({ tallies, roles: assignRoles(tallies, request.waiting), pageLimit: 100, ...request })
}

const calendar = build({ depth: 1, shape: '/calendar/0' })
const deeper = build({ depth: 2, shape: '/help/*' })
const isCalendarTrap = Array.from({ length: 12 }, () => visit(calendar, 'the same'))

test('a level of traps alone does not end a run: the next level is visited', () => {
  const waiting = new Map([
    [calendar, 40],
    [deeper, 3],
  ])
  expect(listTraps(tallyVisits(isCalendarTrap), waiting.keys())).toEqual([calendar])
  expect(plan(isCalendarTrap, { waiting, size: 8 })).toEqual([deeper, deeper, deeper])
})

test('nothing is chosen if all that waits are traps', () => {
  expect(plan(isCalendarTrap, { waiting: new Map([[calendar, 40]]), size: 8 })).toEqual([])
})

test('a deeper level waits for the pages of the level before', () => {
  const near = build({ depth: 1, shape: '/news/*' })
  const waiting = new Map([
    [near, 1],
    [deeper, 3],
  ])
  expect(plan([], { waiting, size: 8 })).toEqual([near])
})

test('further lists of links, and further forms of parameters of a list, give way to other pages', () => {
  const tag = build({ shape: '/tag/*?', section: 'example.org tag' })
  const post = build({ shape: '/post/*?', section: 'example.org post' })
  const visits = [tag, post].flatMap((bucket) =>
    Array.from({ length: 4 }, (_, index) => ({ ...visit(bucket, `${bucket} ${index}`), isListing: bucket === tag })),
  )
  const waiting = new Map([
    [tag, 40],
    [post, 40],
  ])
  const planned = plan(visits, { waiting, size: 12 })
  expect(planned.filter((bucket) => bucket === post).length).toBeGreaterThanOrEqual(9)

  const sorted = build({ shape: '/shop?sort' })
  const filtered = build({ shape: '/shop?color&sort' })
  const product = build({ shape: '/product?' })
  const repeated = Array.from({ length: 6 }, () => visit(sorted, 'the same'))
  const choice = new Map([
    [filtered, 20],
    [product, 20],
  ])
  const batch = plan(repeated, { waiting: choice, size: 12 })
  expect(batch.filter((bucket) => bucket === product).length).toBeGreaterThanOrEqual(10)
})

test('views of pages wait for a tenth of the visits, each kind of them once, and are not drawn at random', () => {
  const page = build({ shape: '/doku.php?id' })
  const likelyViews = ['index', 'recent', 'register'].map((name) => build({ shape: `/doku.php?do=${name}&id` }))
  const history = build({ shape: '/doku.php?do=history&id', kind: viewKind, prior: 0.1 })
  const waiting = new Map([page, ...likelyViews, history].map((bucket) => [bucket, 90]))
  const tallies = tallyVisits([])
  const roles = assignRoles(tallies, waiting)
  expect(selectRandomBuckets([...waiting.keys()], roles, tallies)).toEqual([page])
  expect(selectRandomBuckets([history, ...likelyViews], roles, tallies)).toEqual(likelyViews)
  const planned = planBatch({ tallies, roles, waiting, size: 80, pageLimit: 100 })
  const counts = [page, ...likelyViews, history].map((bucket) => planned.filter((text) => text === bucket).length)
  expect(counts[0]).toBeGreaterThanOrEqual(70)
  for (const count of counts.slice(1)) expect(count).toBeGreaterThan(0)
})

test('a trap that the scan opens is visited, after what brings new content', () => {
  const opened = openTrapBucket(calendar)
  const visits = isCalendarTrap.map((entry) => ({ ...entry, bucket: opened }))
  expect(listTraps(tallyVisits(visits), [opened])).toEqual([])
  expect(plan(visits, { waiting: new Map([[opened, 40]]), size: 3 })).toEqual([opened, opened, opened])
  const unseen = build({ depth: 1, shape: '/help/*' })
  const waiting = new Map([
    [opened, 40],
    [unseen, 1],
  ])
  expect(plan(visits, { waiting, size: 1 })).toEqual([unseen])
})

test('sums that grow with the visits, and are copied before each batch, give the same batches as all visits at once', () => {
  const post = build({ shape: '/post/*?' })
  const list = build({ shape: '/list/*?' })
  const visits = Array.from({ length: 40 }, (_, index) => ({
    ...visit(index % 3 === 0 ? list : post, `content ${index % 17}`),
    template: `template ${index % 5}`,
    isUnlisted: index < 12,
    isListing: index % 3 === 0,
  }))
  const waiting = new Map([
    [post, 90],
    [list, 90],
  ])
  const sums = openVisitSums()
  for (const [index, entry] of visits.entries()) {
    addVisits(sums, [entry])
    const tallies = copyTallies(sums)
    const batch = planBatch({ tallies, roles: assignRoles(tallies, waiting), waiting, size: 8, pageLimit: 100 })
    expect(batch).toEqual(plan(visits.slice(0, index + 1), { waiting, size: 8 }))
  }
})
