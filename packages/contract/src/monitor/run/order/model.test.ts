import { expect, test } from 'vitest'
import { formatBucket, listTraps, openTrapBucket, planBatch, tallyVisits, type Bucket, type VisitedEntry } from './model.ts'

const build = (fields: Partial<Bucket>): string =>
  formatBucket({ depth: 0, kind: '', language: '', section: 'example.org', shape: '/', source: '', prior: 1, ...fields })
const visit = (bucket: string, content: string): VisitedEntry => ({
  bucket,
  content,
  masked: content,
  chain: 0,
  template: 'a',
  isUnlisted: false,
  isListing: false,
})

const calendar = build({ depth: 1, shape: '/calendar/0' })
const deeper = build({ depth: 2, shape: '/help/*' })
const isCalendarTrap = Array.from({ length: 12 }, () => visit(calendar, 'the same'))

test('a level of traps alone does not end a run: the next level is visited', () => {
  const waiting = new Map([
    [calendar, 40],
    [deeper, 3],
  ])
  expect(listTraps(tallyVisits(isCalendarTrap), waiting.keys())).toEqual([calendar])
  expect(planBatch({ tallies: tallyVisits(isCalendarTrap), waiting, size: 8, pageLimit: 100 })).toEqual([deeper, deeper, deeper])
})

test('nothing is chosen if all that waits are traps', () => {
  expect(
    planBatch({ tallies: tallyVisits(isCalendarTrap), waiting: new Map([[calendar, 40]]), size: 8, pageLimit: 100 }),
  ).toEqual([])
})

test('a deeper level waits for the pages of the level before', () => {
  const near = build({ depth: 1, shape: '/news/*' })
  const waiting = new Map([
    [near, 1],
    [deeper, 3],
  ])
  expect(planBatch({ tallies: tallyVisits([]), waiting, size: 8, pageLimit: 100 })).toEqual([near])
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
  const planned = planBatch({ tallies: tallyVisits(visits), waiting, size: 12, pageLimit: 100 })
  expect(planned.filter((bucket) => bucket === post).length).toBeGreaterThanOrEqual(9)

  const sorted = build({ shape: '/shop?sort' })
  const filtered = build({ shape: '/shop?color&sort' })
  const product = build({ shape: '/product?' })
  const repeated = Array.from({ length: 6 }, () => visit(sorted, 'the same'))
  const choice = new Map([
    [filtered, 20],
    [product, 20],
  ])
  const batch = planBatch({ tallies: tallyVisits(repeated), waiting: choice, size: 12, pageLimit: 100 })
  expect(batch.filter((bucket) => bucket === product).length).toBeGreaterThanOrEqual(10)
})

test('a trap that the scan opens is visited, after what brings new content', () => {
  const opened = openTrapBucket(calendar)
  const tallies = () => tallyVisits(isCalendarTrap.map((entry) => ({ ...entry, bucket: opened })))
  expect(listTraps(tallies(), [opened])).toEqual([])
  expect(planBatch({ tallies: tallies(), waiting: new Map([[opened, 40]]), size: 3, pageLimit: 100 })).toEqual([
    opened,
    opened,
    opened,
  ])
  const unseen = build({ depth: 1, shape: '/help/*' })
  const waiting = new Map([
    [opened, 40],
    [unseen, 1],
  ])
  expect(planBatch({ tallies: tallies(), waiting, size: 1, pageLimit: 100 })).toEqual([unseen])
})
