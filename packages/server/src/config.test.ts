import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

  it('take secrets from files, without the line end', () => {
    const folder = mkdtempSync(join(tmpdir(), 'clearway-secret-'))
    const file = join(folder, 'secret')
    const key = Buffer.alloc(32, 7).toString('base64')
    try {
      writeFileSync(file, `${key}\n`)
      expect(readConfig({ CLEARWAY_SECRET_KEY_FILE: file })).toMatchObject({ CLEARWAY_SECRET_KEY: key })
      expect(listChosenSettings({ CLEARWAY_SECRET_KEY_FILE: file })).toEqual(['CLEARWAY_SECRET_KEY_FILE'])
      writeFileSync(file, 'postgres://a:b@c/d\r\n')
      expect(readConfig({ DATABASE_URL_FILE: file })).toMatchObject({ DATABASE_URL: 'postgres://a:b@c/d' })
      // Spaces belong to a secret as little as in a variable.
      writeFileSync(file, ' a passphrase to remember \n\n')
      expect(readConfig({ CLEARWAY_BACKUP_PASSPHRASE_FILE: file })).toMatchObject({
        CLEARWAY_BACKUP_PASSPHRASE: 'a passphrase to remember',
      })
      expect(readConfig({ CLEARWAY_SMTP_URL_FILE: file })).toEqual({
        problem: expect.stringMatching(/^CLEARWAY_SMTP_URL does not take the given value/) as string,
      })
      expect(readConfig({ DATABASE_URL_FILE: file, DATABASE_URL: 'postgres://a' })).toEqual({
        problem: 'DATABASE_URL and DATABASE_URL_FILE are both set. Remove one of them.',
      })
      writeFileSync(file, '\n')
      expect(readConfig({ CLEARWAY_S3_SECRET_FILE: file })).toEqual({
        problem: `CLEARWAY_S3_SECRET_FILE names ${file}, which is empty.`,
      })
    } finally {
      rmSync(folder, { recursive: true })
    }
    expect(readConfig({ CLEARWAY_S3_SECRET_FILE: file })).toEqual({
      problem: `CLEARWAY_S3_SECRET_FILE names ${file}, which cannot be read: it does not exist.`,
    })
    // Only secrets are read from files.
    expect(readConfig({ CLEARWAY_PORT_FILE: file })).toEqual({
      problem: expect.stringMatching(/^CLEARWAY_PORT_FILE is not a setting/) as string,
    })
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
