import { expect, test } from 'vitest'
import { buildBucketText as build } from '../../../../test/bucket.ts'
import { getPatternName, parseBucket } from '../bucket/model.ts'
import { copyTallies, openVisitSums } from '../visit/model.ts'
import { assignRoles } from './model.ts'

/** Numbers of waiting URLs by shape, and the bases of a shape. */
type Waiting = readonly (readonly [shape: string, count: number, bases?: readonly string[]])[]
const describeRole = (shape: string, waiting: Waiting): string | undefined => {
  const sums = openVisitSums()
  for (const [waitingShape, , bases = []] of waiting)
    sums.basesByPattern.set(getPatternName(parseBucket(build({ shape: waitingShape }))), new Set(bases))
  const buckets = waiting.map(([waitingShape, count]) => [build({ shape: waitingShape }), count] as const)
  const roles = assignRoles(copyTallies(sums), new Map(buckets))
  return [...roles].find(([text]) => text.split('\t')[4] === shape)?.[1]
}

test.each<[role: string, shape: string, waiting: Waiting, reason: string]>([
  [
    'page',
    '/*?nr',
    [
      ['/*?', 3],
      ['/*?nr', 40],
    ],
    '/article?nr=5 beside /about, /contact, /team',
  ],
  [
    'page',
    '/shop/*?id',
    [
      ['/shop/*?', 3],
      ['/shop/*?id', 1],
    ],
    '/shop/item?id=7 beside /shop/terms and others',
  ],
  [
    'page',
    '/*?id',
    [
      ['/*?', 9],
      ['/*?id', 40, ['3']],
    ],
    '/events?id=5 of the page /events alone',
  ],
  [
    'page',
    '/*?id',
    [
      ['/*?', 9],
      ['/*?id', 40, ['3', '5']],
    ],
    '/events?id=5 and /people?id=5',
  ],
  [
    'page',
    '/*?id',
    [
      ['/*?', 9],
      ['/*?id', 40, ['3', '5', '6']],
    ],
    'three such programs',
  ],
  [
    'likely-view',
    '/topic/*?post',
    [
      ['/topic/*?', 40],
      ['/topic/*?post', 9, ['1', '4', '6', '7']],
    ],
    'posts of several topics',
  ],
  [
    'likely-view',
    '/topic/*?post',
    [
      ['/topic/*?', 40],
      ['/topic/*?post', 4, ['1', '4', '6', '7']],
    ],
    'four posts of several topics',
  ],
  [
    'page',
    '/topic/*?post',
    [
      ['/topic/*?', 2],
      ['/topic/*?post', 9, ['1', '4', '6', '7']],
    ],
    'two topics alone',
  ],
  [
    'likely-view',
    '/doku.php?do&id',
    [
      ['/doku.php?id', 3],
      ['/doku.php?do&id', 9],
    ],
    'a program with further parameters',
  ],
  [
    'page',
    '/index.php?id&lang',
    [
      ['/index.php?lang', 1],
      ['/index.php?id&lang', 90],
    ],
    'a home page alone is no page to view',
  ],
  [
    'likely-view',
    '/*?id&tab',
    [
      ['/*?id', 9],
      ['/*?id&tab', 9],
    ],
    '/article?id=5&tab=reviews',
  ],
])('%s: %s (%#)', (role, shape, waiting) => {
  expect(describeRole(shape, waiting)).toBe(role)
})
