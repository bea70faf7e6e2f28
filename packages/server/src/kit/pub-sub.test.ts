import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/database.ts'
import { clientOf } from './postgres/primary.ts'
import { openPubSub, type PubSubEvent } from './pub-sub.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

it('receives the signals that it knows, and nothing that another version or a stranger publishes', async () => {
  const pubSub = await openPubSub(database.url, () => undefined)
  const other = new (clientOf(database.url))({ connectionString: database.url })
  await other.connect()
  try {
    const received: PubSubEvent[] = []
    const last = new Promise<void>((done) =>
      pubSub.subscribe((event) => {
        received.push(event)
        if ('runId' in event && event.runId === 'last') done()
      }),
    )
    const strange = ['no JSON', '', 'null', '7', '{}', '{"kind":"paused","runId":"a"}', '{"kind":"ended"}']
    for (const payload of [...strange, '{"kind":"asked","taskId":"b","by":"c"}'])
      await other.query('select pg_notify($1, $2)', ['clearway', payload])
    await pubSub.publish({ kind: 'progress', runId: 'a', countMs: 3000 })
    await pubSub.publish({ kind: 'queued', runId: 'last' })
    await last
    expect(received).toEqual([
      { kind: 'asked', taskId: 'b' },
      { kind: 'progress', runId: 'a', countMs: 3000 },
      { kind: 'queued', runId: 'last' },
    ])
  } finally {
    await Promise.all([other.end(), pubSub.stop()])
  }
})
