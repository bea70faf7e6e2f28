import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { launchBrowser } from './launch.ts'
import { createTrustFolder } from './trust.ts'

const keystores = join(import.meta.dirname, '../../../../fixtures/keystores')
const folder = mkdtempSync(join(tmpdir(), 'clearway-trust-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const hasCertutil = spawnSync('certutil', ['-H']).error === undefined
/** The browser from npm has no module that reads the database. */
const isEmbedded = process.env.TEST_BROWSER_FACTS?.includes('embedded') === true
if (!hasCertutil) process.stderr.write('\ncertutil (libnss3-tools) is missing: the trust of the browser is NOT tested.\n\n')

it.skipIf(!hasCertutil || isEmbedded)('lets the browser trust authorities of its operator, and no others', async () => {
  const readKeystore = (name: string) => readFileSync(join(keystores, name))
  const server = createServer({ key: readKeystore('server.key'), cert: readKeystore('server.pem') }, (_, response) =>
    response.end('<title>Inside</title>'),
  )
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const caFile = join(folder, 'ca.pem')
  const visit = async (env: Record<string, string>, host: string): Promise<string> => {
    const { browser } = await launchBrowser({ path: process.env.TEST_BROWSER!, sandbox: false, env })
    try {
      const context = await browser.newContext({ proxy: { server: 'http://127.0.0.1:9', bypass: '127.0.0.1,localhost' } })
      const page = await context.newPage()
      return await page.goto(`https://${host}:${port}/`).then(
        () => page.title(),
        (error: Error) => /net::\w+/.exec(error.message)?.[0] ?? error.message,
      )
    } finally {
      await browser.close()
    }
  }
  try {
    // The authority is the second of the file.
    writeFileSync(caFile, Buffer.concat([readKeystore('server.pem'), Buffer.from('\n'), readKeystore('ca.pem')]))
    const trust = (await createTrustFolder({ caFile, folder: join(folder, 'home') })) as { env: Record<string, string> }
    expect(await visit({}, 'localhost')).toBe('net::ERR_CERT_AUTHORITY_INVALID')
    expect(await visit(trust.env, 'localhost')).toBe('Inside')
    writeFileSync(caFile, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')
    expect(await createTrustFolder({ caFile, folder: join(folder, 'home') })).toEqual({
      problem: expect.stringMatching(/^certutil cannot store CLEARWAY_CA_FILE/) as string,
    })
  } finally {
    server.close()
  }
})
