import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ExclusionReason, FailureReason } from '../packages/contract/src/monitor/page/schema.ts'
import { Sources } from '../packages/contract/src/monitor/scan/crawl/schema.ts'
import { ScanSettings } from '../packages/contract/src/monitor/scan/schema.ts'
import { advancedSettings } from '../packages/contract/src/monitor/scan/advanced/schema.ts'
import { sentenceForms } from '../packages/contract/src/monitor/script/action/model.ts'
import { AuthType } from '../packages/contract/src/monitor/session/schema.ts'
import { expect, test } from 'vitest'
import { testOfSetting } from './scan-settings.ts'

const root = join(import.meta.dirname, '..')
const text = readFileSync(join(root, 'docs/SCANNING.md'), 'utf8')

type Row = { name: string; file: string; words: string }

/** The rows of the table below a heading. */
function rowsOf(heading: string): Row[] {
  const section = text.split(/^#{2,3} /m).find((part) => part.startsWith(`${heading}\n`)) ?? ''
  return [...section.matchAll(/^\| `(.+?)`\s*\|.*\| `([^`]+)`: (.+?)\s*\|$/gm)].map(
    ([, name, file, words]) => ({
      name: name!,
      file: file!,
      words: words!,
    }),
  )
}

/** Fields of a scan that the crawl has nothing to do with. */
const notOfTheCrawl = new Set(['name', 'priority', 'advanced'])
const others = /^(schedule|notification|send|group|team|preset|owner|report|access|share)/i

const tables: [string, readonly string[]][] = [
  [
    'Settings of a scan',
    Object.keys(ScanSettings.shape).filter((name) => !notOfTheCrawl.has(name) && !others.test(name)),
  ],
  ['Sources', Object.keys(Sources.shape)],
  ['Sessions', AuthType.options],
  ['Script actions', sentenceForms.map(({ form }) => form)],
  ['Failures', FailureReason.options],
  ['Exclusions', ExclusionReason.options],
]

test.each(tables)('%s: every one has a row, and no row is of none', (heading, names) => {
  expect(
    rowsOf(heading)
      .map(({ name }) => name)
      .sort(),
  ).toEqual([...names].sort())
})

/** A test, with the support of the tests that it imports: pages and what is expected of them. */
function textOf(file: string): string {
  const own = readFileSync(join(root, file), 'utf8')
  const support = [...own.matchAll(/from '(\.[^']*\/test\/[^']+)'/g)].map(([, path]) =>
    join(root, dirname(file), path!),
  )
  return [own, ...support.map((path) => readFileSync(path, 'utf8'))].join('\n')
}

test.each(tables)('%s: every row names a test that checks what it says', (heading) => {
  const wrong = rowsOf(heading).filter(
    ({ file, words }) =>
      !file.endsWith('.test.ts') || !existsSync(join(root, file)) || !textOf(file).includes(words),
  )
  expect(wrong).toEqual([])
})

test.each(Object.keys(advancedSettings))('advanced setting %s: a test of the engine sets it', (name) => {
  expect(testOfSetting(name)).not.toBeNull()
})
