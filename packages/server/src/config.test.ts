import { describe, expect, it } from 'vitest'
import { listChosenSettings, readConfig, renderSettings } from './config.ts'
import { renderSettingsTable } from './kit/setting.ts'

describe('settings', () => {
  it('are listed for the log without secrets, and without what URLs may contain', () => {
    const environment = {
      CLEARWAY_PORT: '4500',
      CLEARWAY_HOST: '127.0.0.1',
      CLEARWAY_ADMIN_PASSWORD: 'open sesame',
      DATABASE_URL: 'postgres://clearway:open@db.example/clearway',
      CLEARWAY_REPORTS_INGEST_URL: 'https://ann:open@reports.example:8443/in?token=sesame',
      CLEARWAY_OIDC_ISSUER: '',
      HOME: '/root',
    }
    const chosenSettings = listChosenSettings(environment)
    expect(chosenSettings).toEqual(
      expect.arrayContaining([
        'CLEARWAY_PORT=4500',
        'CLEARWAY_ADMIN_PASSWORD',
        'DATABASE_URL',
        'CLEARWAY_REPORTS_INGEST_URL=https://reports.example:8443',
      ]),
    )
    expect(chosenSettings).toHaveLength(4)
    expect(chosenSettings.join(' ')).not.toMatch(/sesame|open|ann/)
  })

  it('have defaults that are accepted', () => {
    expect(readConfig({})).toMatchObject({ CLEARWAY_PORT: 4400, CLEARWAY_HOST: '127.0.0.1', CLEARWAY_ALLOW_PRIVATE: [] })
  })

  it.each([
    [{ CLEARWAY_PORT: '0x50' }, 'CLEARWAY_PORT does not take "0x50": it takes a whole number from 0 to 65535.'],
    [{ CLEARWAY_ROLES: 'api,cook' }, 'CLEARWAY_ROLES does not take "api,cook"'],
    [{ CLEARWAY_ALLOW_PRIVATE: '10.0.0.0/33' }, 'CLEARWAY_ALLOW_PRIVATE does not take "10.0.0.0/33"'],
    [{ CLEARWAY_PUBLIC_URL: 'ftp://x' }, 'CLEARWAY_PUBLIC_URL does not take "ftp://x"'],
    [{ CLEARWAY_PROT: '1' }, 'CLEARWAY_PROT is not a setting'],
  ])('name what is wrong with %j', (env, message) => {
    expect((readConfig(env) as { problem: string }).problem).toContain(message)
  })

  it('never show a secret', () => {
    const { problem } = readConfig({ CLEARWAY_ADMIN_PASSWORD: 'hush' }) as { problem: string }
    expect(problem).toContain('CLEARWAY_ADMIN_PASSWORD')
    expect(problem).not.toContain('hush')
  })

  it('are read as what they mean', () => {
    const env = {
      CLEARWAY_ALLOW_PRIVATE: '10.0.0.0/8, ::1',
      CLEARWAY_ROLES: 'api, idp',
      CLEARWAY_PUBLIC_URL: 'https://a.example/',
    }
    expect(readConfig(env)).toMatchObject({
      CLEARWAY_ALLOW_PRIVATE: ['10.0.0.0/8', '::1'],
      CLEARWAY_ROLES: ['api', 'idp'],
      CLEARWAY_PUBLIC_URL: 'https://a.example',
    })
    expect(renderSettings(renderSettingsTable)).toContain('| `CLEARWAY_PORT` | Port to listen on')
  })
})
