import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Seal } from '../../kit/seal.ts'

/** The proof that a person gave on a device. Each has a cookie, a key and a count of failed attempts of its own. */
export type DeviceProof = 'password' | 'second-factor'
/** Cookies of a device on which a person has signed in, by proof. */
export const deviceCookies: Readonly<Record<DeviceProof, string>> = {
  password: 'clearway_signed_in',
  'second-factor': 'clearway_device',
}
const keyNames: Readonly<Record<DeviceProof, string>> = {
  password: 'devices known by password',
  'second-factor': 'known devices',
}
/** How long a device is remembered, in seconds. */
export const deviceLifetimeSeconds = 365 * 24 * 3600

type DeviceDeps = { seal: Pick<Seal, 'derived'> }

const computeDeviceMark = ({ seal }: DeviceDeps, proof: DeviceProof, personId: string, deviceId: string): string =>
  createHmac('sha256', seal.derived(keyNames[proof])).update(`${personId} ${deviceId}`).digest('base64url')

/** The cookie value that marks a device as known for one person. */
export function createDeviceCookie(deps: DeviceDeps, proof: DeviceProof, personId: string): string {
  const deviceId = randomBytes(16).toString('base64url')
  return `${deviceId}.${computeDeviceMark(deps, proof, personId, deviceId)}`
}

/** The device that a cookie names; null if the cookie was not issued for that person. */
export function findDeviceId(deps: DeviceDeps, proof: DeviceProof, personId: string, cookie: string): string | null {
  const [deviceId = '', deviceMark = ''] = cookie.split('.')
  const expectedMark = Buffer.from(computeDeviceMark(deps, proof, personId, deviceId))
  const receivedMark = Buffer.from(deviceMark)
  return receivedMark.length === expectedMark.length && timingSafeEqual(receivedMark, expectedMark) ? deviceId : null
}
