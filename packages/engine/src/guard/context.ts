import type { Dial, DialProblem } from '@clearway/contract/kit/dial.ts'

export type GuardProblem = DialProblem | 'too-large' | 'bad-certificate'

/** Bytes of one answer: over the wire, and of a document when it is unpacked, too. */
export const responseBytes = 32 * 1024 * 1024

export type GuardLimits = {
  /** Bytes of one response; of one tunnel within a minute. */
  responseBytes: number
  /** Milliseconds without a byte in either direction. */
  idleMs: number
}

/** What the two kinds of connection need from the guard. */
export type GuardContext = {
  dial: Dial
  /**
   * With client certificates the browser checks nobody's certificate any more. The guard then checks those of all hosts but
   * these, whose are checked where the client's own is shown. Null: the browser checks.
   */
  verify: ((url: URL) => boolean) | null
  limits: GuardLimits
  /** Header by which an answer of the guard itself is distinguished from the site's. Not guessable by a site. */
  mark: string
  report(authority: string, problem: GuardProblem, detail: string): void
  received(bytes: number): void
}
