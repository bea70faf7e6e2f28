import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }
const derive = (password: string, salt: Buffer, options: typeof cost) =>
  new Promise<Buffer>((done, fail) =>
    scrypt(password.normalize('NFKC'), salt, 32, options, (error, key) => (error ? fail(error) : done(key))),
  )

/** A password as it is stored: `scrypt$N$r$p$salt$key`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, cost)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

/** Whether it is the password. Takes as long for an unknown person (`stored` null) as for a known one. */
export async function checkPassword(password: string, stored: string | null): Promise<boolean> {
  const [, n, r, p, salt, key] = stored?.split('$') ?? []
  const options = { ...cost, N: Number(n ?? cost.N), r: Number(r ?? cost.r), p: Number(p ?? cost.p) }
  const made = await derive(password, Buffer.from(salt ?? '', 'base64url'), options)
  const wanted = Buffer.from(key ?? '', 'base64url')
  return stored !== null && wanted.length === made.length && timingSafeEqual(made, wanted)
}
