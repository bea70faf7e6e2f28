import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { unpackEmbedded } from './embedded.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clearway-embedded-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it.runIf(process.platform === 'linux' && process.arch === 'x64')(
  'is unpacked once for several who look for it at the same time',
  async () => {
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => unpackEmbedded(folder)))
    for (const other of others) expect(other).toEqual(first)
    expect(readdirSync(folder)).toHaveLength(1)
  },
)
