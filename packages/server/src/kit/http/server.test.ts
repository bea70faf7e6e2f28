import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { openServer } from './server.ts'

const limits = {
  rates: { perNetwork: 100, perPerson: 100, perNetworkSignIn: 100 },
  downloads: { perPerson: 1, idleSeconds: 1, wholeSeconds: 1 },
}
it('tells browsers to stay with https where people come by it, and only there', async () => {
  for (const [https, said] of [
    [true, 'max-age=31536000'],
    [false, undefined],
  ] as const) {
    const app = await openServer({ logLevel: 'silent', connect: [], https, ...limits })
    const { headers } = await app.inject({ url: '/' })
    expect(headers['strict-transport-security']).toBe(said)
    await app.close()
  }
})

it('lets no page run what is not ours, or show us in a frame', async () => {
  const app = await openServer({ logLevel: 'silent', connect: ['https://id.example.org'], ...limits })
  const { headers } = await app.inject({ url: '/' })
  const policy = String(headers['content-security-policy'])
  for (const part of [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self' https://id.example.org",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ])
    expect(policy.split(';')).toContain(part)
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect(headers['referrer-policy']).toBe('no-referrer')
  expect(headers['access-control-allow-origin']).toBeUndefined()
  await app.close()
})

it('logs each answer by its request id and route, and nothing of what was asked', async () => {
  const program = `
    const { openServer } = await import(${JSON.stringify(new URL('./server.ts', import.meta.url).href)})
    const app = await openServer({ logLevel: 'info', connect: [], ...${JSON.stringify(limits)} })
    app.get('/people/:name', (request) => ({ id: request.id }))
    const reply = await app.inject({ url: '/people/ann?search=somebody' })
    console.log(JSON.stringify({ requestId: reply.json().id }))
    await app.close()`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  const { requestId } = lines.find((line) => 'requestId' in line)!
  const answered = lines.find(({ msg }) => msg === 'answered')!
  expect(answered).toMatchObject({ method: 'GET', route: '/people/:name', status: 200, personId: null })
  expect(answered.reqId).toBe(requestId)
  expect(stdout).not.toMatch(/ann|somebody/)
})
