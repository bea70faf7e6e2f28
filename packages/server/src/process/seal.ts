import type { Config } from '../config.ts'
import { openSeal, type Seal } from '../kit/seal.ts'

export const openConfiguredSeal = (config: Config): Seal =>
  openSeal({ setting: config.CLEARWAY_SECRET_KEY, old: config.CLEARWAY_SECRET_KEY_OLD, folder: config.CLEARWAY_DATA })
