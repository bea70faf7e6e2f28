import type { DialHost, DialProblem } from './dial.ts'

export type GuardProblem = DialProblem | 'too-large' | 'bad-certificate'

/** Maximum size of one response in bytes, on the wire and for an unpacked document. */
export const maxResponseBytes = 32 * 1024 * 1024

export type GuardLimits = {
  /** Maximum bytes of one response, or of one tunnel within a minute. */
  responseBytes: number
  /** Idle timeout in milliseconds: no bytes in either direction. */
  idleMs: number
}

/** Guard resources for both kinds of connections. */
export type GuardContext = {
  dial: DialHost
  /**
   * With client certificates, the browser no longer checks server certificates. The guard then checks those of all hosts except
   * the ones this function accepts; these are checked where the client's certificate is presented. Null: the browser checks.
   */
  verify: ((url: URL) => boolean) | null
  limits: GuardLimits
  /** Header that distinguishes the guard's own responses from the site's. A site cannot guess it. */
  mark: string
  report(authority: string, problem: GuardProblem, detail: string): void
  received(bytes: number): void
}
