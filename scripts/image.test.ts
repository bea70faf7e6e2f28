import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, matchesGlob } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const readLines = (file: string) => readFileSync(join(root, file), 'utf8').split('\n')

const allowedPaths = readLines('.dockerignore').flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []))
const copiedPaths = readLines('deploy/image/Containerfile').flatMap((line) => {
  const [instruction, ...words] = line.split(' ')
  return instruction === 'COPY' && !line.includes('--from=') ? words.slice(0, -1) : []
})

/** True if the file of a path goes to the builder; of a folder, whether anything in it does. */
function isAllowed(path: string): boolean {
  const folders = path.split('/').map((_, index, names) => names.slice(0, index + 1).join('/'))
  return allowedPaths.some((pattern) => folders.some((folder) => matchesGlob(folder, pattern)) || pattern.startsWith(`${path}/`))
}

describe('the image', () => {
  it.each([...new Set(copiedPaths)])('may copy %s', (path) => {
    expect(existsSync(join(root, path)), 'exists').toBe(true)
    expect(isAllowed(path), 'goes to the builder by .dockerignore').toBe(true)
  })

  it('may not copy what .dockerignore does not name', () => {
    expect(copiedPaths.length).toBeGreaterThan(10)
    expect(isAllowed('scripts/release.ts')).toBe(false)
    expect(isAllowed(dirname('docs/ADMINISTRATION.md'))).toBe(false)
  })
})
