import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Seal } from '../../kit/seal.ts'

/** The cookie of a device on which somebody has signed in with a second factor. */
export const deviceCookie = 'clearway_device'
/** How long a device is known, in seconds. */
export const deviceSeconds = 365 * 24 * 3600

type Deps = { seal: Pick<Seal, 'derived'> }

const markOf = ({ seal }: Deps, personId: string, device: string): string =>
  createHmac('sha256', seal.derived('known devices')).update(`${personId} ${device}`).digest('base64url')

/** What the cookie of a device says that is known from now on, for one person. */
export function knownDevice(deps: Deps, personId: string): string {
  const device = randomBytes(16).toString('base64url')
  return `${device}.${markOf(deps, personId, device)}`
}

/** The device that a cookie names, when it was given to that person; null for any other. */
export function deviceOf(deps: Deps, personId: string, cookie: string): string | null {
  const [device = '', mark = ''] = cookie.split('.')
  const wanted = Buffer.from(markOf(deps, personId, device))
  const given = Buffer.from(mark)
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? device : null
}
