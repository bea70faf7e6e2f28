import { expect, it } from 'vitest'
import { openTestApi } from './api.ts'

it('refuses all calls while migrations run, and reports it as health with 503', async () => {
  let isReady = false
  const api = await openTestApi({ isReady: () => isReady })
  try {
    // State before they ran: one is not recorded yet.
    const lastMigration = 'delete from monitor.kysely_migration where name = (select max(name) from monitor.kysely_migration)'
    const { default: pg } = await import('pg')
    const client = new pg.Client({ connectionString: api.config.DATABASE_URL! })
    await client.connect()
    await client.query(lastMigration)
    await client.end()
    const health = await api.call('GET', '/actuator/health/system', { token: null })
    expect([health.status, health.body]).toMatchObject([
      503,
      { status: 'DOWN', details: { migrations: { status: 'RUNNING' }, database: { status: 'UP' } } },
    ])
    const scanList = await api.call('GET', '/scans')
    expect([scanList.status, scanList.body]).toMatchObject([503, { code: 'maintenance' }])
    expect((await api.app.inject({ url: '/config' })).statusCode).toBe(200)
    isReady = true
    expect((await api.call('GET', '/scans')).status).toBe(200)
  } finally {
    await api.close()
  }
})
