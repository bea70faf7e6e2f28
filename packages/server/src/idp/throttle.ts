/**
 * Limits that slow down guessing of passwords and codes. Attempts are counted before the password check, per name and
 * network, so that guesses from elsewhere lock no one out. A success clears the count.
 */
export const throttle = {
  /** Attempts for one name from one network without a delay. */
  freeTryCount: 10,
  /** Seconds of the first delay. Each further delay doubles, up to the maximum. */
  firstWaitSeconds: 60,
  maxWaitSeconds: 900,
  /** Days without an attempt after which a count expires. */
  retentionDays: 1,
  /** Attempts for all names from one network within the window: an office shares one IP address. */
  maxNetworkTries: 100,
  networkWindowMinutes: 15,
  /** Codes per account and day: one count for unknown devices, and one for each known device. */
  maxCodesPerDay: 30,
}
