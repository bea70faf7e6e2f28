/** Exit codes of all commands. */
export const exitCodes = { success: 0, failed: 1, usage: 2, incomplete: 3, unusable: 4, stopped: 130 } as const

/** Meanings of the exit codes, for a scan and for a gate; `-` if the command does not end with it. */
export const exitCodeRows: readonly (readonly [code: number, scan: string, gate: string])[] = [
  [exitCodes.success, 'success', 'nothing new'],
  [exitCodes.failed, 'a threshold of --fail-on or --min-score was missed', 'new issues'],
  [
    exitCodes.usage,
    'wrong usage, the report cannot be written, nothing could be scanned, or something that you named was not checked',
    'wrong usage, or the report cannot be written',
  ],
  [
    exitCodes.incomplete,
    'the content of a page was not seen, or not proved signed in; with a threshold, a page failed',
    'nothing could be scanned, something that you named was not checked, or the content of a page was not seen; with --fail-on-incomplete, a page failed or a known issue was not checked',
  ],
  [exitCodes.unusable, '-', 'the baseline or the server cannot be used, or nothing is new and the result could not be uploaded'],
  [exitCodes.stopped, 'stopped by Ctrl-C; the report has the results so far', 'stopped by Ctrl-C'],
]
