import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApi, type TestApi } from '../../roles/test-api.ts'
import { wholeRun } from '../../roles/test-run.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())

it('keeps the picture of the moment in which a step of a script failed', async () => {
  const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])
  const failed = { kind: 'failed', reason: 'script-event-missing', detail: 'Step 2', durationMs: 1 } as const
  const run = await wholeRun(api, undefined, { seen: { ...failed, screenshot: jpeg }, unseen: failed })
  const token = await api.token('runner', ['access', 'admin'])
  const get = (path: string) => api.call('GET', path, { token })
  const { content } = (await get(`/pages?scanId=${run.scanId}&sort=url,asc`)).body as {
    content: { id: string; url: string }[]
  }
  const [seen, unseen] = ['seen', 'unseen'].map(
    (name) => content.find(({ url }) => url.endsWith(`/${name}`))!.id,
  )
  expect((await get(`/pages/${seen}`)).body).toMatchObject({ hasPicture: true, hasContent: false })
  expect((await get(`/pages/${unseen}`)).body).toMatchObject({ hasPicture: false, hasContent: false })
  const picture = await api.app.inject({
    url: `/monitor-api/pages/${seen}/picture`,
    headers: { authorization: `Bearer ${token}` },
  })
  expect(picture.headers['content-type']).toBe('image/jpeg')
  expect(picture.rawPayload).toEqual(jpeg)
  expect((await get(`/pages/${unseen}/picture`)).status).toBe(404)
  expect((await get(`/pages/${seen}/content`)).status).toBe(404)
})
