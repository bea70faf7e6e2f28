/** @module-tag slow */
import { expect, it } from 'vitest'
import { buildScanBody, useTestApi } from '../../../../test/api.ts'
import { buildCompleted, recordRun } from '../../../../test/run.ts'
import { buildAxeResults, uploadTo } from '../../../../test/upload.ts'

const api = useTestApi()

type Page = { url: string; source: string; openIssues: { serious: number } }
async function uploadPages(name: string, urls: readonly string[], advanced: object = {}): Promise<string[]> {
  const body = { ...buildScanBody(name), type: 'custom', advanced }
  const { id: scan } = (await api.call('POST', '/scans', { body })).body as { id: string }
  const { number: run } = await recordRun(api, scan, { p: buildCompleted() })
  const token = await api.token('runner', ['access', 'admin'])
  const reply = await uploadTo(
    api,
    { token, scan, run },
    urls.map((url) => ({ text: buildAxeResults(url, 1) })),
  )
  expect(reply).toMatchObject({ status: 200, body: { success: true } })
  const { content } = (await api.call('GET', `/scans/${scan}/runs/${run}/pages?size=50`)).body as { content: Page[] }
  return content.filter(({ source }) => source === 'uploaded').map(({ url }) => url)
}

it('tells uploaded pages apart by the settings of the scan', async () => {
  const page = 'https://example.org/caf%C3%A9'
  const sameUrls = [
    page,
    `${page}#main`,
    `${page}?PHPSESSID=abc`,
    'https://example.org/caf%c3%a9',
    'https://EXAMPLE.org:443/café',
  ]
  expect(await uploadPages('Same page', sameUrls)).toEqual([page])
  expect(await uploadPages('Secret', [`${page}?access_token=abc`])).toEqual([`${page}?access_token=*`])
  const ownSettings = { meaninglessParameters: ['utm_source'], discardAnchors: false }
  expect((await uploadPages('Own settings', [page, `${page}?utm_source=y`, `${page}#main`], ownSettings)).sort()).toEqual([
    page,
    `${page}#main`,
  ])
})

it('reads files as PowerShell saves them', async () => {
  const { scanId: scan, number: run } = await recordRun(api, undefined, { p: buildCompleted() }, 'PowerShell')
  const token = await api.token('runner', ['access', 'admin'])
  const text = Buffer.from(`\uFEFF${buildAxeResults('https://example.org/p', 2)}`, 'utf16le')
  expect(await uploadTo(api, { token, scan, run }, [{ text }])).toMatchObject({
    status: 200,
    body: { success: true, pages: 1, issues: 2 },
  })
})

it('takes rules named as members of every object', async () => {
  const { scanId: scan, number: run } = await recordRun(api, undefined, { p: buildCompleted() }, 'Odd rules')
  const token = await api.token('runner', ['access', 'admin'])
  const names = Object.getOwnPropertyNames(Object.prototype)
  for (const name of names) {
    const text = buildAxeResults(`https://example.org/${name}`, 1).replace('"id":"link-name"', `"id":"${name}"`)
    expect(await uploadTo(api, { token, scan, run }, [{ text }]), name).toMatchObject({ status: 200, body: { issues: 1 } })
  }
  const { content } = (await api.call('GET', `/issues?scanId=${scan}&runNumber=${run}&source=uploaded&size=50`)).body as {
    content: { rule: string }[]
  }
  expect(content.map(({ rule }) => rule).sort()).toEqual(names.toSorted())
})
