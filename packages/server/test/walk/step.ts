import type { Permission } from '@clearway/contract/kit/permission.ts'
import type { World } from '../world.ts'

/** A list with something in it. */
export const some = ['some']

type Service = 'monitor' | 'account' | 'origin'
/** A call of the API: the topic it belongs to, its path to the letter, its permission, and what it is called with. */
export type Step = {
  source: string
  call: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`
  permission: Permission
  service?: Service
  query?: string
  body?: (world: World) => unknown
  status?: number
  /** Something that must be in the answer; `some` for a list that is not empty. */
  has?: object | typeof some
}

export const selected = (world: World) => ({
  filters: { scanId: [world.scan] },
  selected: { selectAllMode: true },
})
export const scans = (world: World) => ({ selectedScans: [world.otherScan] })
export const daily = {
  frequency: 'weekly',
  startDate: '2099-01-05',
  startTime: '08:00',
  timeZone: 'Europe/Berlin',
  weekdays: ['monday'],
}
export const empty = () => ({})
