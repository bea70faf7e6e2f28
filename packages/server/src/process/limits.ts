import type { Config } from '../config.ts'

/** What of the settings bounds how often calls are made. */
export const ratesOf = (config: Config) => ({
  perNetwork: config.CLEARWAY_RATE_NETWORK,
  perPerson: config.CLEARWAY_RATE_PERSON,
  perNetworkSignIn: config.CLEARWAY_RATE_SIGN_IN,
})

export const downloadsOf = (config: Config) => ({
  perPerson: config.CLEARWAY_DOWNLOADS,
  idleSeconds: config.CLEARWAY_DOWNLOAD_IDLE_SECONDS,
  wholeSeconds: config.CLEARWAY_DOWNLOAD_SECONDS,
})
