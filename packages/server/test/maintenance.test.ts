import { expect, it } from 'vitest'
import { openTestApi } from './api.ts'

it('tells everybody to wait while migrations run, and health says so with 503', async () => {
  let ready = false
  const api = await openTestApi({ isReady: () => ready })
  try {
    // As it is before they ran: one is not recorded yet.
    const last =
      'delete from monitor.kysely_migration where name = (select max(name) from monitor.kysely_migration)'
    const { default: pg } = await import('pg')
    const client = new pg.Client({ connectionString: api.config.DATABASE_URL! })
    await client.connect()
    await client.query(last)
    await client.end()
    const health = await api.call('GET', '/actuator/health/system', { token: null })
    expect([health.status, health.body]).toMatchObject([
      503,
      { status: 'DOWN', details: { migrations: { status: 'RUNNING' }, database: { status: 'UP' } } },
    ])
    const list = await api.call('GET', '/scans')
    expect([list.status, list.body]).toMatchObject([503, { code: 'maintenance' }])
    expect((await api.app.inject({ url: '/config' })).statusCode).toBe(200)
    ready = true
    expect((await api.call('GET', '/scans')).status).toBe(200)
  } finally {
    await api.close()
  }
})
