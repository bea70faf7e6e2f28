/** @module-tag slow */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseArguments } from './arguments.ts'
import { runClearway } from '../test/run-clearway.ts'
import { Report } from './schema.ts'
import { passwordVariable } from './sign-in.ts'

const passwordFile = join(tmpdir(), `clearway-password-${process.pid}`)
const codeSecretFile = join(tmpdir(), `clearway-code-secret-${process.pid}`)
const withCodes = [
  '--sign-in',
  'a.example',
  '--user',
  'ali',
  '--password-file',
  passwordFile,
  '--code-secret-file',
  codeSecretFile,
]

let server: Server
let origin: string
let refusedCount = 0
const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`
const form = page(
  'Door',
  '<form method="post" action="/door"><label>User <input name="u"></label><label>Password <input type="password" name="p"></label><button>In</button></form>',
)
beforeAll(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      const isRight = body === 'u=ali&p=open+sesame'
      const isMember = request.headers.cookie === 'in=1'
      if (request.method === 'POST' && !isRight) refusedCount += 1
      response.setHeader('content-type', 'text/html')
      if (request.method === 'POST' && isRight) response.writeHead(302, { location: '/', 'set-cookie': 'in=1' }).end()
      else if (request.url === '/door') response.end(form)
      else if (!isMember) response.writeHead(302, { location: '/door' }).end()
      else response.end(page(`Room ${request.url}`, '<a href="/b">B</a> <a href="/rooms/5/delete">x</a>'))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  writeFileSync(passwordFile, 'open sesame\n')
})
afterAll(() => {
  server.close()
  rmSync(passwordFile)
  rmSync(codeSecretFile, { force: true })
})

const scan = (args: readonly string[], env: Record<string, string> = {}) =>
  runClearway(['scan', origin, '--allow-private', '--format', 'json', ...args], { env })

test('signs in by a form, with the password of a file or a variable', async () => {
  const { code, out, err } = await scan(['--sign-in', `${origin}/door`, '--user', 'ali', '--password-file', passwordFile])
  expect(code, err).toBe(0)
  const { totals, pages } = Report.parse(JSON.parse(out))
  expect(pages.map(({ title, isProved }) => [title, isProved])).toEqual([
    ['Room /', true],
    ['Room /b', true],
  ])
  expect(totals).toMatchObject({ proved: 2, unproved: 0 })
  expect(err).toContain('Proved signed in: 2 of 2 pages.')
})

test('a wrong password is tried once and ends the scan', async () => {
  const { code, out, err } = await scan(['--sign-in', `${origin}/door`, '--user', 'ali'], { [passwordVariable]: 'shut' })
  expect(code).toBe(2)
  expect(err).toContain('asks for the password again')
  expect(`${out}${err}`).not.toContain('shut')
  expect(refusedCount).toBe(1)
})

test('wrong options are refused', () => {
  const parse = (...args: string[]) => parseArguments(['scan', 'a.example', ...args])
  expect(parse('--user', 'ali')).toMatchObject({ kind: 'wrong', message: expect.stringContaining('--sign-in URL') })
  expect(parse('--sign-in', 'a.example/x')).toMatchObject({ kind: 'wrong', message: expect.stringContaining('--user NAME') })
  expect(parse('--sign-in', 'a.example', '--user', 'ali')).toMatchObject({ message: expect.stringContaining(passwordVariable) })
  expect(parse('--sign-in', 'a.example', '--user', 'ali', '--password-file', '/none')).toMatchObject({
    message: expect.stringContaining('there is no such file'),
  })
  writeFileSync(codeSecretFile, '1890-secret\n')
  const wrongSecret = parse(...withCodes)
  expect(wrongSecret).toMatchObject({ kind: 'wrong', message: expect.stringContaining('Base32') })
  expect(JSON.stringify(wrongSecret)).not.toContain('1890')
})

test('the secret of one-time codes comes from a file', () => {
  writeFileSync(codeSecretFile, 'JBSW Y3DP EHPK 3PXP\nnot this\n')
  expect(parseArguments(['scan', 'a.example', ...withCodes])).toMatchObject({
    kind: 'scan',
    arguments: { signIn: { username: 'ali', password: 'open sesame', codeSecret: 'JBSW Y3DP EHPK 3PXP' } },
  })
})
