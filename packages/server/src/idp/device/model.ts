import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Seal } from '../../kit/seal.ts'

/** The cookie of a device on which a person has signed in with a second factor. */
export const deviceCookie = 'clearway_device'
/** How long a device is remembered, in seconds. */
export const deviceLifetimeSeconds = 365 * 24 * 3600

type DeviceDeps = { seal: Pick<Seal, 'derived'> }

const computeDeviceMark = ({ seal }: DeviceDeps, personId: string, deviceId: string): string =>
  createHmac('sha256', seal.derived('known devices')).update(`${personId} ${deviceId}`).digest('base64url')

/** The cookie value that marks a device as known for one person. */
export function createDeviceCookie(deps: DeviceDeps, personId: string): string {
  const deviceId = randomBytes(16).toString('base64url')
  return `${deviceId}.${computeDeviceMark(deps, personId, deviceId)}`
}

/** The device that a cookie names; null if the cookie was not issued for that person. */
export function findDeviceId(deps: DeviceDeps, personId: string, cookie: string): string | null {
  const [deviceId = '', deviceMark = ''] = cookie.split('.')
  const expectedMark = Buffer.from(computeDeviceMark(deps, personId, deviceId))
  const receivedMark = Buffer.from(deviceMark)
  return receivedMark.length === expectedMark.length && timingSafeEqual(receivedMark, expectedMark)
    ? deviceId
    : null
}
