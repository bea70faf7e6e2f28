import { expect, it } from 'vitest'
import { useTestApi } from '../../../../test/api.ts'
import { createSeal } from '../../../kit/seal.ts'
import { acceptSecretKey, assertSecretKey } from './service.ts'

const api = useTestApi()

it('refuses a process with another key, and accepts a renewed key', async () => {
  const [first, second, third] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer]
  const checkKeys = (...keys: [Buffer, ...Buffer[]]) => assertSecretKey({ db: api.db, seal: createSeal(...keys) })
  await Promise.all([checkKeys(first), checkKeys(first)])
  await expect(checkKeys(second)).rejects.toThrow('CLEARWAY_SECRET_KEY')
  await checkKeys(second, first)
  await checkKeys(second)
  // A process with the previous key would seal secrets that others cannot open.
  await expect(checkKeys(first)).rejects.toThrow('sealed with another secret key')
  await expect(checkKeys(third)).rejects.toThrow('renew-keys --revoke')
  await acceptSecretKey({ db: api.db, seal: createSeal(third) })
  await checkKeys(third)
  const stored = JSON.stringify(await api.db.selectFrom('secret_key').selectAll().execute())
  expect(stored).not.toContain(third.toString('base64'))
  expect(stored).not.toContain(third.toString('hex'))
})
