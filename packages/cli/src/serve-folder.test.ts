import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { serveFolder } from './serve-folder.ts'

const folder = mkdtempSync(join(tmpdir(), 'clearway-served-'))
let served: Awaited<ReturnType<typeof serveFolder>>
beforeAll(async () => {
  mkdirSync(join(folder, 'dist/docs'), { recursive: true })
  const files = {
    'index.html': 'start',
    'about.html': 'about',
    '404.html': 'gone',
    'docs/index.html': 'docs',
    'größe.html': 'size',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, 'dist', name), text)
  writeFileSync(join(folder, 'secret.html'), 'secret')
  const links = { 'out.html': '../secret.html', 'out-folder': '..', 'in.html': 'about.html', 'broken.html': 'nowhere' }
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(folder, 'dist', name))
  served = await serveFolder(join(folder, 'dist'))
})
afterAll(() => {
  served.close()
  rmSync(folder, { recursive: true })
})

/** Sends a path as it is written, which `fetch` would shorten. */
const get = (path: string) =>
  new Promise<string>((resolve, reject) => {
    const { port } = new URL(served.origin)
    request({ port, host: '127.0.0.1', path }, (response) => {
      let body = ''
      response.on('data', (chunk: Buffer) => (body += chunk.toString()))
      response.on('end', () => resolve(`${response.statusCode} ${response.headers.location ?? body}`))
    })
      .on('error', reject)
      .end()
  })

it.each([
  ['/', '200 start'],
  ['/?x=1', '200 start'],
  ['/about', '200 about'],
  ['/about.html', '200 about'],
  ['/docs/', '200 docs'],
  ['/docs', '301 /docs/'],
  ['/docs?x=1', '301 /docs/?x=1'],
  ['//docs', '301 /docs/'],
  ['/gr%C3%B6%C3%9Fe', '200 size'],
  ['/none', '404 gone'],
  ['/%', '404 gone'],
  ['/../secret.html', '404 gone'],
  ['/%2e%2e/secret.html', '404 gone'],
  ['/..%2fsecret.html', '404 gone'],
  ['/..', '404 gone'],
  ['/%00', '404 gone'],
  ['/in', '200 about'],
  ['/out', '404 gone'],
  ['/out.html', '404 gone'],
  ['/out-folder/secret.html', '404 gone'],
  ['/out-folder', '404 gone'],
  ['/broken', '404 gone'],
])('answers %s as hosts of static sites do', async (path, answer) => {
  expect(await get(path)).toBe(answer)
})
