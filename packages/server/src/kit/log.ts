type LogValue = string | number | boolean | null | readonly string[]

/** Writes one line of the log. @param fields facts of the event, for programs that read the log; never secrets or addresses */
export type LogFunction = (
  level: 'debug' | 'info' | 'warn' | 'error',
  message: string,
  fields?: Readonly<Record<string, LogValue>>,
) => void
