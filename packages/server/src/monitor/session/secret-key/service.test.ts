import { expect, it } from 'vitest'
import { apiOfFile } from '../../../../test/api.ts'
import { sealWith } from '../../../kit/seal.ts'
import { acceptSecretKey, checkSecretKey } from './service.ts'

const api = apiOfFile()

it('lets no process start that has a key of its own, and follows a key that is renewed', async () => {
  const [first, second, third] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer]
  const start = (...keys: [Buffer, ...Buffer[]]) => checkSecretKey({ db: api.db, seal: sealWith(...keys) })
  await Promise.all([start(first), start(first)])
  await expect(start(second)).rejects.toThrow('CLEARWAY_SECRET_KEY')
  await start(second, first)
  await start(second)
  // A process that returns with the previous key would seal what others cannot open.
  await expect(start(first)).rejects.toThrow('sealed with another secret key')
  await expect(start(third)).rejects.toThrow('renew-keys --revoke')
  await acceptSecretKey({ db: api.db, seal: sealWith(third) })
  await start(third)
  const stored = JSON.stringify(await api.db.selectFrom('secret_key').selectAll().execute())
  expect(stored).not.toContain(third.toString('base64'))
  expect(stored).not.toContain(third.toString('hex'))
})
