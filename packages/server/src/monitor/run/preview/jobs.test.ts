import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { useTestApi } from '../../../../test/api.ts'
import { createWorkerPreviews } from '../task-client/service.ts'
import { enter, leave } from '../worker/service.ts'
import { openPreviewWork } from './jobs.ts'

const api = useTestApi()

it('checks a URL while the browser search is still in progress', async () => {
  const site = createServer((_, response) => response.end('here')).listen(0, '127.0.0.1')
  await once(site, 'listening')
  const host = `127.0.0.1:${(site.address() as AddressInfo).port}`
  const deps = { ...api, log: () => undefined }
  const worker = await enter(deps)
  const stopping = new AbortController()
  const work = openPreviewWork(
    {
      ...deps,
      find: () => new Promise(() => undefined),
      openKeystore: () => Promise.resolve({ kind: 'not-checked', why: 'None is asked for here' }),
    },
    stopping.signal,
  )
  try {
    void work.take()
    const reachRequest = { url: host, allowPrivate: ['127.0.0.0/8'], userAgent: null }
    const by = { personId: 'somebody', signal: AbortSignal.timeout(10_000) }
    expect(await createWorkerPreviews(api).reach(reachRequest, by)).toMatchObject({
      url: `http://${host}/`,
      status: 200,
    })
  } finally {
    stopping.abort()
    await work.close()
    await leave(worker)
    site.close()
  }
})
