import { hostname } from 'node:os'

type LogValue = string | number | boolean | null | readonly string[]
type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** Writes one line of the log. @param fields facts of the event, for programs that read the log; never secrets or addresses */
export type LogFunction = (level: LogLevel, message: string, fields?: Readonly<Record<string, LogValue>>) => void

const levelNumbers: Readonly<Record<LogLevel, number>> = { debug: 20, info: 30, warn: 40, error: 50 }

/** Writes one line in the format of the server's log, for processes and moments without a server. */
export const writeLogLine: LogFunction = (level, message, fields = {}) =>
  void process.stderr.write(
    `${JSON.stringify({ level: levelNumbers[level], time: Date.now(), pid: process.pid, hostname: hostname(), ...fields, msg: message })}\n`,
  )
