import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { createBoundedQueue, QueueFullError } from '../kit/bounded-queue.ts'

/** The minimum of OWASP's Password Storage Cheat Sheet for N = 2^15. Stored passwords keep their own parameters. */
const productionParameters = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 }
let scryptParameters = productionParameters

/**
 * Lowers the work of all hashes of this process, so that tests with many sign-ins do not spend their time on it. No setting
 * does. @returns a function that restores the work
 */
export function lowerHashingWork(): () => void {
  scryptParameters = { ...productionParameters, N: 2 ** 10 }
  return () => void (scryptParameters = productionParameters)
}

/** Hashing shares libuv's thread pool with token checks: the queue keeps threads and a core free, and holds some 10 s of work. */
const hashingQueue = createBoundedQueue({ maxConcurrent: availableParallelism() > 3 ? 2 : 1, maxWaiting: 30 })

/** Lets callers refuse before they count an attempt. @throws QueueFullError if the next password would be refused */
export function assertHashingCapacity(): void {
  if (hashingQueue.isFull()) throw new QueueFullError()
}

const deriveKey = (password: string, salt: Buffer, options: typeof productionParameters) =>
  hashingQueue.run(
    () =>
      new Promise<Buffer>((resolve, reject) =>
        scrypt(password.normalize('NFKC'), salt, 32, options, (error, derivedKey) =>
          error ? reject(error) : resolve(derivedKey),
        ),
      ),
  )

/** The stored form of a password: `scrypt$N$r$p$salt$key`. @throws QueueFullError if too many passwords wait */
export async function hashPassword(password: string): Promise<string> {
  const randomSalt = randomBytes(16)
  const derivedKey = await deriveKey(password, randomSalt, scryptParameters)
  return [
    'scrypt',
    scryptParameters.N,
    scryptParameters.r,
    scryptParameters.p,
    randomSalt.toString('base64url'),
    derivedKey.toString('base64url'),
  ].join('$')
}

/**
 * Verifies a password. Takes as long for an unknown person (`stored` is null) as for a known one.
 * @throws QueueFullError if too many passwords wait for their hash
 */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [, costFactor, blockSize, parallelization, storedSalt, storedKey] = stored?.split('$') ?? []
  const derivationOptions = {
    ...scryptParameters,
    N: Number(costFactor ?? scryptParameters.N),
    r: Number(blockSize ?? scryptParameters.r),
    p: Number(parallelization ?? scryptParameters.p),
  }
  const saltBytes = Buffer.from(storedSalt ?? '', 'base64url')
  const derivedKey = await deriveKey(password, saltBytes, derivationOptions)
  // An older hash takes less work. The rest is done as well, so that the time does not reveal an existing account.
  const missingWork = scryptParameters.p - derivationOptions.p
  if (missingWork > 0) await deriveKey(password, saltBytes, { ...derivationOptions, p: missingWork })
  const expectedKey = Buffer.from(storedKey ?? '', 'base64url')
  return stored !== null && expectedKey.length === derivedKey.length && timingSafeEqual(derivedKey, expectedKey)
}
