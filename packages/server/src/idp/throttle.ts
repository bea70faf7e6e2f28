/**
 * What slows down guessing of passwords and codes. Tries are counted before the password is looked at, per name and network, so that
 * nobody is locked out by whoever guesses from elsewhere. One that is right clears the count.
 */
export const throttle = {
  /** Tries of one name from one network that may follow each other; then each waits. */
  freeTries: 10,
  /** Seconds of the first wait; each after it is twice as long, up to the longest. */
  firstWait: 60,
  longestWait: 900,
  /** Days without a try after which a count is forgotten. */
  forgetDays: 1,
  /** Tries of all names from one network within these minutes: an office behind one IP address has many people. */
  networkTries: 100,
  networkMinutes: 15,
  /** Codes of one account in a day: of devices on which its owner never gave one, and of each other device. */
  codesADay: 30,
}
