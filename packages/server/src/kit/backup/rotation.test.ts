import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { writeArchive } from './archive.ts'
import { getDatedName, rotateBackups } from './rotation.ts'
import type { BackupHead } from './schema.ts'

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'clearway-rotation-'))))
afterEach(() => rmSync(folder, { recursive: true }))

/** Writes a backup without tables, named by its day, and returns its path. */
async function writeBackupOfDay(day: number, fingerprint: string): Promise<string> {
  const backupPath = join(folder, getDatedName(new Date(Date.UTC(2026, 0, day))))
  const head: BackupHead = {
    format: 1,
    product: '0.2.0',
    createdAt: '',
    migrations: {},
    tables: [],
    secretKey: { fingerprint, sealed: null },
  }
  const generateParts = async function* () {
    yield { name: 'backup.json', bytes: Buffer.from(JSON.stringify(head)) }
  }
  await writeArchive(backupPath, generateParts())
  return backupPath
}
const listDays = () =>
  readdirSync(folder)
    .map((name) => Number(/^clearway-202601(\d\d)T/.exec(name)?.[1] ?? Number.NaN))
    .sort((one, other) => one - other)

it('keeps the newest backups of its own installation, and all of another', async () => {
  for (const day of [1, 3, 5, 7]) await writeBackupOfDay(day, 'ours')
  for (const day of [2, 4]) await writeBackupOfDay(day, 'theirs')
  const newFile = await writeBackupOfDay(9, 'ours')
  const { removed, foreign } = await rotateBackups(folder, { keptCount: 3, newFile })
  expect(listDays()).toEqual([2, 4, 5, 7, 9])
  expect([removed.length, foreign.length]).toEqual([2, 2])
})

it('keeps the new backup when others seem to be newer', async () => {
  for (const day of [20, 21]) await writeBackupOfDay(day, 'ours')
  const newFile = await writeBackupOfDay(9, 'ours')
  await rotateBackups(folder, { keptCount: 1, newFile })
  expect(listDays()).toEqual([9])
})

it('leaves what cannot be read, and removes unfinished files of a day ago', async () => {
  const newFile = await writeBackupOfDay(9, 'ours')
  const writePartial = (day: number, hours: number) => {
    const partialPath = join(folder, `${getDatedName(new Date(Date.UTC(2026, 0, day)))}.part`)
    writeFileSync(partialPath, 'x')
    const seconds = Date.now() / 1000 - hours * 3600
    utimesSync(partialPath, seconds, seconds)
    return basename(partialPath)
  }
  const [stalePart, freshPart] = [writePartial(1, 25), writePartial(2, 1)]
  writeFileSync(join(folder, getDatedName(new Date(Date.UTC(2026, 0, 3)))), 'damaged')
  for (const name of ['mine.backup', 'mine.part']) writeFileSync(join(folder, name), 'x')
  const { removed, foreign } = await rotateBackups(folder, { keptCount: 1, newFile })
  expect(removed.map((path) => basename(path))).toEqual([stalePart])
  expect(foreign).toHaveLength(1)
  expect(readdirSync(folder)).toEqual(expect.arrayContaining([freshPart, basename(newFile), 'mine.backup', 'mine.part']))
  expect(readdirSync(folder)).toHaveLength(5)
})
