import { expect, it } from 'vitest'
import { openHeaderSecrets } from './secret.ts'

it('redacts values of headers where a page repeats them, but not its language', () => {
  const secrets = openHeaderSecrets([
    { name: 'Authorization', value: 'Bearer abcdefghijkl' },
    { name: 'X-Access', value: 'preview-2026-key' },
    { name: 'Accept-Language', value: 'de-DE,de;q=0.9' },
    { name: 'User-Agent', value: 'Mozilla/5.0 (Test)' },
  ])
  const redacted = secrets.redact('Bearer abcdefghijkl, abcdefghijkl, preview-2026-key')
  expect(redacted).not.toMatch(/abcdefghijkl|preview-2026-key/)
  const text = 'Your browser is Mozilla/5.0 (Test) and prefers de-DE,de;q=0.9'
  expect(secrets.redact(text)).toBe(text)
})
