import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

it('the security checklist names tests that are there', () => {
  const text = readFileSync(join(root, 'docs/SECURITY-CHECKLIST.md'), 'utf8')
  const named = [...text.matchAll(/`((?:server|engine|web|e2e)\/[\w./-]+)`/g)].map((match) => match[1]!)
  expect(named.length).toBeGreaterThan(30)
  const missing = named.filter(
    (path) => !existsSync(join(root, path.startsWith('e2e/') ? '.' : 'packages', path)),
  )
  expect(missing).toEqual([])
})
