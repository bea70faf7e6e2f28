import { expect, test } from 'vitest'
import { describeUrl } from './bucket.ts'

const describe = (url: string) => describeUrl(new URL(url), {}, { template: '', isUnfollowed: false }, 0)

test('a URL with long names has a short bucket, and another one than its neighbor', () => {
  const name = 'x7'.repeat(1800)
  const [one, other] = [describe(`https://example.org/?${name}a`), describe(`https://example.org/?${name}b`)]
  expect(one.bucket.length).toBeLessThan(1000)
  expect(one.bucket).not.toBe(other.bucket)
})
