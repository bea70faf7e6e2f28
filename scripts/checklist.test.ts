import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

it('the security checklist names existing tests', () => {
  const checklistText = readFileSync(join(root, 'docs/SECURITY-CHECKLIST.md'), 'utf8')
  const namedFiles = [...checklistText.matchAll(/`((?:server|engine|web|e2e)\/[\w./-]+)`/g)].map((match) => match[1]!)
  expect(namedFiles.length).toBeGreaterThan(30)
  const missingFiles = namedFiles.filter((path) => !existsSync(join(root, path.startsWith('e2e/') ? '.' : 'packages', path)))
  expect(missingFiles).toEqual([])
})
