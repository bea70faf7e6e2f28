import { readFileSync } from 'node:fs'
import { ofCall, ofScan, ofValidation, type Rule } from './rule.ts'

const session = (connection: object) => ({ session: { connection } })
const basic = { authType: 'basic', username: 'ann', password: 'p' }
const ntlm = { authType: 'ntlm', username: 'CORP\\ann', password: 'p' }
const connection = 'session.connection'
const task = (keystore: string, keystorePassword: string, keystoreType = 'PKCS12') => ({
  connection: { authType: 'client_cer', keystoreType, keystoreName: 'a', keystore, keystorePassword },
})
const certificate = {
  authType: 'client_cer',
  keystoreType: 'PKCS12',
  keystoreName: 'a',
  keystore: 'AA==',
  keystorePassword: 'p',
}

const keystore = readFileSync(new URL('../../../../fixtures/keystores/rsa.p12', import.meta.url)).toString(
  'base64',
)
const good = task(keystore, 'changeit').connection
const connections: Rule[] = [
  ofScan(
    'auth type required',
    `${connection}.authType`,
    'required',
    session({ username: 'ann', password: 'p' }),
    session(basic),
  ),
  ofScan(
    'username and password not empty',
    `${connection}.username`,
    'too-short',
    session({ ...basic, username: '' }),
    session(basic),
  ),
  ofScan(
    'username and password not empty',
    `${connection}.password`,
    'too-short',
    session({ ...basic, password: '' }),
    session(basic),
  ),
  ofScan(
    'username and password not empty',
    `${connection}.password`,
    'required',
    session({ ...basic, password: null }),
    session(basic),
  ),
  ofScan(
    'NTLM username in the form domain\\user or user@domain',
    `${connection}.username`,
    'wrong-format',
    session({ ...ntlm, username: 'ann' }),
    session({ ...ntlm, username: 'ann@corp.example' }),
  ),
  ofScan(
    'keystore file, type and password required',
    `${connection}.keystore`,
    'required',
    session({ ...certificate, keystore: null }),
    session(good),
  ),
  ofScan(
    'keystore file, type and password required',
    `${connection}.keystoreType`,
    'required',
    session({ ...certificate, keystoreType: undefined }),
    session(good),
  ),
  ofScan(
    'keystore file, type and password required',
    `${connection}.keystorePassword`,
    'required',
    session({ ...certificate, keystorePassword: null }),
    session(good),
  ),
  ofValidation(
    '"Invalid keystore format!"',
    'POST /session-establishment-task/validate',
    'invalid-format',
    task(Buffer.from('no keystore').toString('base64'), 'changeit'),
    task(keystore, 'changeit'),
    'Invalid keystore format!',
  ),
  ofValidation(
    '"Incorrect password!"',
    'POST /session-establishment-task/validate',
    'wrong-password',
    task(keystore, 'another'),
    task(keystore, 'changeit'),
    'Incorrect password!',
  ),
]

const weekly = {
  frequency: 'weekly',
  startDate: '2099-01-05',
  startTime: '08:00',
  timeZone: 'Europe/Berlin',
  weekdays: ['monday'],
}
const monthly = { ...weekly, frequency: 'monthly', weekdays: undefined, day: { kind: 'day', day: 31 } }
const schedule = (more: object, base: object = weekly) => ({ schedule: { ...base, ...more } })
const ofSchedule = (
  clause: string,
  field: string,
  code: string,
  bad: object,
  good: object = {},
  base?: object,
) => ofScan(clause, `schedule.${field}`, code, schedule(bad, base), schedule(good, base))
const today = new Date().toISOString().slice(0, 10)
const schedules: Rule[] = [
  ofSchedule('start time', 'startTime', 'required', { startTime: undefined }),
  ofSchedule('start date', 'startDate', 'required', { startDate: undefined }),
  ofSchedule(
    '(today or later)',
    'startDate',
    'in-past',
    { startDate: '2020-01-06' },
    { startDate: today, timeZone: 'UTC' },
  ),
  ofSchedule('time zone required', 'timeZone', 'required', { timeZone: undefined }),
  ofSchedule('time zone required', 'timeZone', 'unknown-value', { timeZone: 'Mars/Base' }),
  ofSchedule(
    'end date today or later',
    'end.date',
    'in-past',
    { startDate: today, timeZone: 'UTC', end: { kind: 'on', date: '2020-01-06' } },
    { startDate: today, timeZone: 'UTC', end: { kind: 'on', date: today } },
  ),
  ofSchedule(
    'number of runs at least 1',
    'end.runs',
    'too-small',
    { end: { kind: 'after', runs: 0 } },
    { end: { kind: 'after', runs: 1 } },
  ),
  ofSchedule('timeout duration above 0', 'timeoutMs', 'too-small', { timeoutMs: 0 }, { timeoutMs: 60_000 }),
  ofSchedule('interval above 0', 'interval', 'too-small', { interval: 0 }, { interval: 1 }),
  ofSchedule('at least one weekday for weekly', 'weekdays', 'too-short', { weekdays: [] }),
  ofSchedule('day of month 1 to 31', 'day.day', 'too-small', { day: { kind: 'day', day: 0 } }, {}, monthly),
  ofSchedule('day of month 1 to 31', 'day.day', 'too-big', { day: { kind: 'day', day: 32 } }, {}, monthly),
]

const mailTo = (...specificUsers: string[]) => ({ notification: { specificUsers } })
const mails: Rule[] = [
  ofScan(
    'specific-users field not empty',
    'notification.specificUsers.0',
    'too-short',
    mailTo(''),
    mailTo('ann@example.org'),
  ),
  ofScan(
    'all e-mails valid',
    'notification.specificUsers.1',
    'wrong-format',
    mailTo('ann@example.org', 'bob at work'),
    mailTo('ann@example.org'),
  ),
]

const ofDate = (clause: string, field: string, code: string, bad: object, good: object) =>
  ofCall(
    clause,
    'POST /bulk/issues/getSelectedIssuesCount',
    `filters.${field}`,
    code,
    { filters: bad },
    { filters: good },
  )
const ahead = (ms: number) => new Date(Date.now() + ms).toISOString()
const dates: Rule[] = [
  ofDate(
    'invalid date format rejected',
    'createdFrom',
    'wrong-format',
    { createdFrom: '31.12.2025' },
    { createdFrom: '2025-12-31T00:00:00Z' },
  ),
  ofDate(
    'date after today rejected',
    'createdFrom',
    'in-future',
    { createdFrom: ahead(3_600_000) },
    { createdFrom: ahead(-1000) },
  ),
  ofDate(
    'date after today rejected',
    'createdTo',
    'in-future',
    { createdTo: ahead(2 * 86_400_000) },
    { createdTo: ahead(0) },
  ),
]

export const timeRules: Rule[] = [...connections, ...schedules, ...mails, ...dates]
