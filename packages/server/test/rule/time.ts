import { readFileSync } from 'node:fs'
import { buildCallRule, buildScanRule, buildValidationRule, type Rule } from './rule.ts'

const buildSession = (connection: object) => ({ session: { connection } })
const basic = { authType: 'basic', username: 'ann', password: 'p' }
const ntlm = { authType: 'ntlm', username: 'CORP\\ann', password: 'p' }
const connection = 'session.connection'
const buildKeystoreTask = (keystore: string, keystorePassword: string, keystoreType = 'PKCS12') => ({
  connection: { authType: 'client_cer', keystoreType, keystoreName: 'a', keystore, keystorePassword },
})
const certificate = { authType: 'client_cer', keystoreType: 'PKCS12', keystoreName: 'a', keystore: 'AA==', keystorePassword: 'p' }

const keystore = readFileSync(new URL('../../../../fixtures/keystores/rsa.p12', import.meta.url)).toString('base64')
const good = buildKeystoreTask(keystore, 'changeit').connection
const connections: Rule[] = [
  buildScanRule(
    'auth type required',
    `${connection}.authType`,
    'required',
    buildSession({ username: 'ann', password: 'p' }),
    buildSession(basic),
  ),
  buildScanRule(
    'username and password not empty',
    `${connection}.username`,
    'too-short',
    buildSession({ ...basic, username: '' }),
    buildSession(basic),
  ),
  buildScanRule(
    'username and password not empty',
    `${connection}.password`,
    'too-short',
    buildSession({ ...basic, password: '' }),
    buildSession(basic),
  ),
  buildScanRule(
    'username and password not empty',
    `${connection}.password`,
    'required',
    buildSession({ ...basic, password: null }),
    buildSession(basic),
  ),
  buildScanRule(
    'NTLM username in the form domain\\user or user@domain',
    `${connection}.username`,
    'wrong-format',
    buildSession({ ...ntlm, username: 'ann' }),
    buildSession({ ...ntlm, username: 'ann@corp.example' }),
  ),
  buildScanRule(
    'keystore file, type and password required',
    `${connection}.keystore`,
    'required',
    buildSession({ ...certificate, keystore: null }),
    buildSession(good),
  ),
  buildScanRule(
    'keystore file, type and password required',
    `${connection}.keystoreType`,
    'required',
    buildSession({ ...certificate, keystoreType: undefined }),
    buildSession(good),
  ),
  buildScanRule(
    'keystore file, type and password required',
    `${connection}.keystorePassword`,
    'required',
    buildSession({ ...certificate, keystorePassword: null }),
    buildSession(good),
  ),
  buildValidationRule(
    '"Invalid keystore format!"',
    'POST /session-establishment-task/validate',
    'invalid-format',
    buildKeystoreTask(Buffer.from('no keystore').toString('base64'), 'changeit'),
    buildKeystoreTask(keystore, 'changeit'),
    'Invalid keystore format!',
  ),
  buildValidationRule(
    '"Incorrect password!"',
    'POST /session-establishment-task/validate',
    'wrong-password',
    buildKeystoreTask(keystore, 'another'),
    buildKeystoreTask(keystore, 'changeit'),
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
const buildSchedule = (extraFields: object, base: object = weekly) => ({ schedule: { ...base, ...extraFields } })
const buildScheduleRule = (clause: string, field: string, code: string, bad: object, good: object = {}, base?: object) =>
  buildScanRule(clause, `schedule.${field}`, code, buildSchedule(bad, base), buildSchedule(good, base))
const today = new Date().toISOString().slice(0, 10)
const schedules: Rule[] = [
  buildScheduleRule('start time', 'startTime', 'required', { startTime: undefined }),
  buildScheduleRule('start date', 'startDate', 'required', { startDate: undefined }),
  buildScheduleRule(
    '(today or later)',
    'startDate',
    'in-past',
    { startDate: '2020-01-06' },
    { startDate: today, timeZone: 'UTC' },
  ),
  buildScheduleRule('time zone required', 'timeZone', 'required', { timeZone: undefined }),
  buildScheduleRule('time zone required', 'timeZone', 'unknown-value', { timeZone: 'Mars/Base' }),
  buildScheduleRule(
    'end date today or later',
    'end.date',
    'in-past',
    { startDate: today, timeZone: 'UTC', end: { kind: 'on', date: '2020-01-06' } },
    { startDate: today, timeZone: 'UTC', end: { kind: 'on', date: today } },
  ),
  buildScheduleRule(
    'number of runs at least 1',
    'end.runs',
    'too-small',
    { end: { kind: 'after', runs: 0 } },
    { end: { kind: 'after', runs: 1 } },
  ),
  buildScheduleRule('timeout duration above 0', 'timeoutMs', 'too-small', { timeoutMs: 0 }, { timeoutMs: 60_000 }),
  buildScheduleRule('interval above 0', 'interval', 'too-small', { interval: 0 }, { interval: 1 }),
  buildScheduleRule('at least one weekday for weekly', 'weekdays', 'too-short', { weekdays: [] }),
  buildScheduleRule('day of month 1 to 31', 'day.day', 'too-small', { day: { kind: 'day', day: 0 } }, {}, monthly),
  buildScheduleRule('day of month 1 to 31', 'day.day', 'too-big', { day: { kind: 'day', day: 32 } }, {}, monthly),
]

const buildMailTo = (...specificUsers: string[]) => ({ notification: { specificUsers } })
const mails: Rule[] = [
  buildScanRule(
    'specific-users field not empty',
    'notification.specificUsers.0',
    'too-short',
    buildMailTo(''),
    buildMailTo('ann@example.org'),
  ),
  buildScanRule(
    'all e-mails valid',
    'notification.specificUsers.1',
    'wrong-format',
    buildMailTo('ann@example.org', 'bob at work'),
    buildMailTo('ann@example.org'),
  ),
]

const buildDateRule = (clause: string, field: string, code: string, bad: object, good: object) =>
  buildCallRule(clause, 'POST /bulk/issues/getSelectedIssuesCount', `filters.${field}`, code, { filters: bad }, { filters: good })
const getFutureDate = (ms: number) => new Date(Date.now() + ms).toISOString()
const dates: Rule[] = [
  buildDateRule(
    'invalid date format rejected',
    'createdFrom',
    'wrong-format',
    { createdFrom: '31.12.2025' },
    { createdFrom: '2025-12-31T00:00:00Z' },
  ),
  buildDateRule(
    'date after today rejected',
    'createdFrom',
    'in-future',
    { createdFrom: getFutureDate(3_600_000) },
    { createdFrom: getFutureDate(-1000) },
  ),
  buildDateRule(
    'date after today rejected',
    'createdTo',
    'in-future',
    { createdTo: getFutureDate(2 * 86_400_000) },
    { createdTo: getFutureDate(0) },
  ),
]

export const timeRules: Rule[] = [...connections, ...schedules, ...mails, ...dates]
