import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ExclusionReason, FailureReason } from '../packages/contract/src/monitor/page/schema.ts'
import { Sources } from '../packages/contract/src/monitor/scan/crawl/schema.ts'
import { ScanSettings } from '../packages/contract/src/monitor/scan/schema.ts'
import { advancedSettings } from '../packages/contract/src/monitor/scan/advanced/schema.ts'
import { sentenceForms } from '../packages/contract/src/monitor/script/action/model.ts'
import { AuthType } from '../packages/contract/src/monitor/session/schema.ts'
import { expect, test } from 'vitest'
import { findTestOfSetting } from './scan-settings.ts'

const root = join(import.meta.dirname, '..')
const scanningDoc = readFileSync(join(root, 'docs/SCANNING.md'), 'utf8')

type Row = { name: string; file: string; words: string }

/** Returns the rows of the table below a heading. */
function parseRows(heading: string): Row[] {
  const section = scanningDoc.split(/^#{2,3} /m).find((part) => part.startsWith(`${heading}\n`)) ?? ''
  return [...section.matchAll(/^\| `(.+?)`\s*\|.*\| `([^`]+)`: (.+?)\s*\|$/gm)].map(([, name, file, words]) => ({
    name: name!,
    file: file!,
    words: words!,
  }))
}

/** Scan fields without any effect on the crawl. */
const notOfTheCrawl = new Set(['name', 'priority', 'advanced'])
const unrelatedFields = /^(schedule|notification|send|group|team|preset|owner|report|access|share)/i

const tables: [string, readonly string[]][] = [
  [
    'Settings of a scan',
    Object.keys(ScanSettings.shape).filter((name) => !notOfTheCrawl.has(name) && !unrelatedFields.test(name)),
  ],
  ['Sources', Object.keys(Sources.shape)],
  ['Sessions', AuthType.options],
  ['Script actions', sentenceForms.map(({ form }) => form)],
  ['Failures', FailureReason.options],
  ['Exclusions', ExclusionReason.options],
]

test.each(tables)('%s: each has a row, and each row has one', (heading, names) => {
  expect(
    parseRows(heading)
      .map(({ name }) => name)
      .sort(),
  ).toEqual([...names].sort())
})

/** Returns a test together with the test support that it imports: pages and expected results. */
function readTestText(file: string): string {
  const testText = readFileSync(join(root, file), 'utf8')
  const support = [...testText.matchAll(/from '(\.[^']*\/test\/[^']+)'/g)].map(([, path]) => join(root, dirname(file), path!))
  return [testText, ...support.map((path) => readFileSync(path, 'utf8'))].join('\n')
}

test.each(tables)('%s: every row names a test that contains its words', (heading) => {
  const wrong = parseRows(heading).filter(
    ({ file, words }) => !file.endsWith('.test.ts') || !existsSync(join(root, file)) || !readTestText(file).includes(words),
  )
  expect(wrong).toEqual([])
})

test.each(Object.keys(advancedSettings))('advanced setting %s: a test of the engine sets it', (name) => {
  expect(findTestOfSetting(name)).not.toBeNull()
})
