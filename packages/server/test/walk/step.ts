import type { Permission } from '@clearway/contract/kit/permission.ts'
import type { World } from '../world.ts'

/** A list that is not empty. */
export const nonEmptyList = ['some']

type Service = 'monitor' | 'account' | 'origin'
/** A call of the API: its topic, its exact path, its permission, and its arguments. */
export type Step = {
  source: string
  call: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`
  permission: Permission
  service?: Service
  query?: string
  body?: (world: World) => unknown
  status?: number
  /** Content required in the response; `nonEmptyList` for a list that is not empty. */
  has?: object | typeof nonEmptyList
}

export const selectAllOf = (world: World) => ({ filters: { scanId: [world.scan] }, selected: { selectAllMode: true } })
export const selectOtherScan = (world: World) => ({ selectedScans: [world.otherScan] })
export const daily = {
  frequency: 'weekly',
  startDate: '2099-01-05',
  startTime: '08:00',
  timeZone: 'Europe/Berlin',
  weekdays: ['monday'],
}
export const buildEmpty = () => ({})
