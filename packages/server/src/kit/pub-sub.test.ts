import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestDatabase, createTestDatabase } from '../../test/database.ts'
import { getClientClass } from './postgres/primary.ts'
import { openPubSub, type PubSubEvent } from './pub-sub.ts'

let testServer: TestDatabase
beforeAll(async () => {
  testServer = await createTestDatabase()
})
afterAll(() => testServer.drop())

it('receives known signals, and ignores all other payloads', async () => {
  const pubSub = await openPubSub(testServer.url, () => undefined)
  const otherClient = new (getClientClass(testServer.url))({ connectionString: testServer.url })
  await otherClient.connect()
  try {
    const receivedEvents: PubSubEvent[] = []
    const lastReceived = new Promise<void>((resolve) =>
      pubSub.subscribe((event) => {
        receivedEvents.push(event)
        if ('runId' in event && event.runId === 'last') resolve()
      }),
    )
    const unknownPayloads = ['no JSON', '', 'null', '7', '{}', '{"kind":"paused","runId":"a"}', '{"kind":"ended"}']
    for (const payload of [...unknownPayloads, '{"kind":"asked","taskId":"b","by":"c"}'])
      await otherClient.query('select pg_notify($1, $2)', ['clearway', payload])
    await pubSub.publish({ kind: 'progress', runId: 'a', countMs: 3000 })
    await pubSub.publish({ kind: 'queued', runId: 'last' })
    await lastReceived
    expect(receivedEvents).toEqual([
      { kind: 'asked', taskId: 'b' },
      { kind: 'progress', runId: 'a', countMs: 3000 },
      { kind: 'queued', runId: 'last' },
    ])
  } finally {
    await Promise.all([otherClient.end(), pubSub.stop()])
  }
})
