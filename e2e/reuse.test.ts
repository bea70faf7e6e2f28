import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Site, startSite } from '@clearway/fixtures/site/serve.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Client, signIn } from './client.ts'
import { adminPassword, freePort, startProduct } from './product.ts'
import { compareRun, fixtureScan, runEnded } from './results.ts'

// A site on which nothing changes, scanned again and again by the running product.

const data = mkdtempSync(join(tmpdir(), 'clearway-reuse-'))
let site: Site
let product: Awaited<ReturnType<typeof startProduct>>
let client: Client
let scanId: string
beforeAll(async () => {
  site = await startSite()
  product = await startProduct({ data, port: await freePort() })
  client = await signIn(product.url, 'admin', adminPassword)
  const body = fixtureScan('Again', site.url, { reuseUnchanged: true, reuseAuditPercent: 100 })
  scanId = (await client<{ id: string }>('POST', '/scans', body)).id
}, 240_000)
afterAll(async () => {
  await product.stop()
  await site.close()
  rmSync(data, { recursive: true, force: true })
})

type Overview = { reuse: { carried: number; audited: number; fault: string | null } }
async function runAgain(): Promise<Overview['reuse'] & { number: number }> {
  await client('POST', `/scans/${scanId}/startRun`)
  const { number } = await runEnded(client, scanId, 240_000)
  const { reuse } = await client<Overview>('GET', `/scans/${scanId}/runs/${number}/overview`)
  return { ...reuse, number }
}

it(
  'differs on no page, when all that is unchanged is analysed all the same',
  { timeout: 600_000 },
  async () => {
    expect(await runAgain()).toMatchObject({ carried: 0, audited: 0 })
    const second = await runAgain()
    expect(second).toMatchObject({ carried: 0, fault: null })
    // Some pages of the site differ at each visit, or hold what cannot be read.
    expect(second.audited).toBeGreaterThan(20)
  },
)

it('has the same issues on pages that are not analysed again', { timeout: 600_000 }, async () => {
  type Scan = { version: number; settings: { advanced: object } }
  const { version, settings } = await client<Scan>('GET', `/scans/${scanId}/settings`)
  const advanced = { ...settings.advanced, reuseAuditPercent: 1 }
  await client('PUT', `/scans/${scanId}`, { version, settings: { ...settings, advanced } })
  const third = await runAgain()
  expect(third.fault).toBeNull()
  expect(third.carried).toBeGreaterThan(20)
  const { twice, found, expected } = await compareRun(client, scanId, third.number, site.url)
  expect(twice).toEqual([])
  expect(found).toEqual(expected)
})
