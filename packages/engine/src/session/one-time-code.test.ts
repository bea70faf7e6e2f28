import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openSecrets } from '../script/secret.ts'
import { openCodeGenerator } from './one-time-code.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** The secret of RFC 6238, whose codes are known. */
const rfcSecret = 'GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ'

test.each([
  [rfcSecret, 59, '287082'],
  [rfcSecret.toLowerCase(), 1_111_111_109, '081804'],
  [`otpauth://totp/Site:ann?secret=${rfcSecret.replaceAll(' ', '')}&digits=8&issuer=Site`, 59, '94287082'],
])('computes the code of %s at %i seconds', async (secret, seconds, code) => {
  // Not in the last seconds of a period, in which a code is not typed any more.
  vi.setSystemTime(Math.floor(seconds / 30) * 30_000)
  expect(await openCodeGenerator(secret)!.next()).toBe(code)
})

test('returns no code twice, and none that is about to expire', async () => {
  vi.setSystemTime(0)
  const generator = openCodeGenerator(rfcSecret)!
  const first = await generator.next()
  const second = generator.next()
  await vi.advanceTimersByTimeAsync(29_000)
  expect(generator.listIssued()).toEqual([first])
  await vi.advanceTimersByTimeAsync(2000)
  expect(await second).not.toBe(first)
  vi.setSystemTime(58_500)
  const third = generator.next()
  await vi.advanceTimersByTimeAsync(2000)
  expect(await third).toBe(generator.listIssued().at(-1))
  expect(new Set(generator.listIssued()).size).toBe(3)
})

test.each([
  '',
  '1890',
  'otpauth://hotp/x?secret=GEZDGNBV&counter=1',
  'otpauth://totp/x?secret=GEZDGNBV&period=999999',
  'otpauth://totp/x',
])('is none: %s', (secret) => expect(openCodeGenerator(secret)).toBeNull())

test('a script types the code of its variable, and hides code and secret', async () => {
  vi.setSystemTime(0)
  const variables = [
    { name: 'TOTP', value: rfcSecret },
    { name: 'USER', value: 'annabel' },
  ]
  const secrets = openSecrets(variables)
  const code = await secrets.fill('<USER> <TOTP>')
  expect(code).toMatch(/^annabel \d{6}$/)
  const typedCode = code.split(' ')[1]!
  expect(secrets.redact(`typed ${typedCode} of ${rfcSecret}`)).toBe('typed <TOTP> of <TOTP>')
  expect(secrets.values).toEqual([rfcSecret, 'annabel', typedCode])
  expect(secrets.fillUrl('https://a.example/?code=<TOTP>')).not.toContain('GEZD')
  // A second sign-in of the same run knows the codes of the first.
  const next = openSecrets(variables).fill('<TOTP>')
  await vi.advanceTimersByTimeAsync(31_000)
  expect(await next).not.toBe(typedCode)
  expect(openSecrets([{ name: 'TOTP', value: '1890' }]).findFault(['TOTP'])).toContain('Base32')
})
