import { defaultLimits } from '@clearway/contract/kit/limit.ts'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import { toFieldErrors } from '@clearway/contract/kit/schema-issue.ts'
import { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import { findSettingsErrors, keepFirstErrors } from '@clearway/contract/monitor/scan/settings/model.ts'
import { findScheduleErrors } from '@clearway/contract/monitor/schedule/model.ts'
import * as fc from 'fast-check'
import { set } from 'react-hook-form'
import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { createExpressionCheck } from '../../../../../server/src/kit/expression.ts'
import { isSelector } from '../../../../../server/src/monitor/scan/selector/model.ts'
import { findFormErrors } from './check.ts'
import type { FormField } from './field-table.ts'
import { createNewValues, toSentSettings } from './model.ts'
import type { ScanForm } from './values.ts'

const limits = { ...defaultLimits, pageLimit: 2000, depth: 5, startUrls: 3 }

const oneOf = fc.constantFrom
const listOf = <T>(...items: T[]) => fc.array(oneOf(...items), { maxLength: 4 })
const urlList = listOf(
  'https://a.example/',
  'https://A.example',
  'https://b.example:8080/x',
  'ftp://a.example/',
  'nonsense',
  'https://sam:secret@a.example/',
)
const selectorList = listOf('#a', '//b', 'xpath=//c', '/html/body', 'a[', '> a', ':has(> img)', ':contains("x")', '(//d', '')
const ruleList = fc.array(fc.record({ kind: oneOf('prefix', 'regex'), pattern: oneOf('https://a.example/x', '(', '') }), {
  maxLength: 3,
})
const secretRows = fc.array(
  fc.record({ name: oneOf('A', 'Cookie', 'B-C', 'ü', ''), value: oneOf('x', 'é\n'), stored: fc.constant(false) }),
  { maxLength: 2 },
)
const day = oneOf('2020-01-01', '2099-01-01', '2099-06-01', '')
const number = oneOf(null, -1, 0, 1, 6, 40, 999, 2001, 10_001, 1e9, 'x')
const component = fc.record({ name: oneOf('A', 'a', 'B', ''), selectors: selectorList })

/** Values that a user may enter, valid and wrong ones. */
const changes: { [K in FormField]?: fc.Arbitrary<unknown> } = {
  name: oneOf('Example', '', ' ', 'A\u0007', '\u0301', 'x'.repeat(256)),
  type: oneOf('custom', 'quick'),
  urls: urlList,
  domains: listOf('a.example', '*.A.example', 'A.example', 'b c', 'c.example', 'b.example:8080'),
  depth: number,
  pageLimit: number,
  'ruleSet.standard': oneOf('wcag21aa', 'unknown'),
  'sources.sitemaps': urlList,
  'sources.urls': urlList,
  includeRules: ruleList,
  excludeRules: ruleList,
  'commonComponents.templateUrls': urlList,
  'commonComponents.components': fc.array(component, { maxLength: 3 }),
  'scripts.shared': listOf('00000000-0000-7000-8000-000000000001', 'nonsense'),
  'session.connection.authType': oneOf('', 'form', 'basic', 'ntlm', 'kerberos'),
  'session.connection.url': oneOf('https://a.example/in', 'nonsense', ''),
  'session.connection.hasCode': fc.boolean(),
  'session.connection.codeSecret': oneOf('JBSWY3DPEHPK3PXP', '1890', ''),
  'session.connection.username': oneOf('sam', 'home\\sam', '-sam', ''),
  'session.mark.means': oneOf('signed-in', 'signed-out'),
  'session.mark.value': oneOf('Sign in', ''),
  'advanced.mimeTypes': listOf('text/html', 'application/pdf'),
  'advanced.waitFor': selectorList,
  'advanced.bannerSelectors': selectorList,
  'advanced.windowWidth': number,
  'advanced.pageTimeoutMs': number,
  'advanced.pagesPerMinute': number,
  'advanced.pdfTargetCount': number,
  'advanced.pdfModifiedFrom': oneOf(null, '2026-05-02', '2026-05-03'),
  'advanced.pdfModifiedTo': oneOf(null, '2026-05-02', '2026-05-03'),
  'advanced.userAgent': oneOf(null, 'Agent', 'é'),
  'advanced.referrer': oneOf(null, 'https://a.example/', 'nonsense'),
  'advanced.extraHeaders': secretRows,
  'advanced.keywordRules.mustHaveAll': listOf('word', 'x'.repeat(501)),
  'schedule.frequency': oneOf('once', 'weekly', 'monthly'),
  'schedule.startDate': day,
  'schedule.startTime': oneOf('06:30', '6:30', ''),
  'schedule.timeZone': oneOf('Europe/Berlin', 'Nowhere/Land', ''),
  'schedule.timeoutMs': number,
  'schedule.interval': number,
  'schedule.weekdays': listOf('monday', 'sunday'),
  'schedule.day.kind': oneOf('last', 'day', 'weekday'),
  'schedule.day.day': number,
  'schedule.end.kind': oneOf('on', 'after'),
  'schedule.end.date': day,
  'schedule.end.runs': number,
  'notification.events': listOf('finished', 'failed'),
  'notification.specificUsers': listOf('a@b.example', 'A@b.example', 'nonsense'),
}
/** Fields with rules beyond the schema, more frequent than the others. */
const ruleFields: readonly string[] = [
  'name',
  'urls',
  'domains',
  'sources.urls',
  'advanced.mimeTypes',
  'advanced.waitFor',
  'schedule.frequency',
  'schedule.startDate',
  'notification.events',
] satisfies FormField[]
const changeArbitraries = Object.entries(changes).map(([field, value]) => ({
  weight: ruleFields.includes(field) ? 8 : 1,
  arbitrary: value.map((changed) => [field, changed] as const),
}))
const forms = fc.array(fc.oneof(...changeArbitraries), { minLength: 1, maxLength: 5 }).map((changedFields): ScanForm => {
  const values = createNewValues('https://a.example/')
  // Typed secrets, and recipients if there are any, so that nothing else is missing.
  values.session.connection.password = 'x'
  for (const [field, value] of changedFields) set(values, field, structuredClone(value))
  values.notification.notifyOthers = values.notification.specificUsers.length > 0
  return values
})

/** The errors of a request, as on the server: its schema first, then the rules. */
function findRequestErrors(body: unknown): { errors: FieldError[]; isSchemaMet: boolean } {
  const parsed = z.safeParse(ScanSettings, body)
  if (!parsed.success) return { errors: toFieldErrors(body, parsed.error.issues), isSchemaMet: false }
  const errors = [
    ...findSettingsErrors(parsed.data, { limits, isSelector, isExpression: createExpressionCheck() }),
    ...findScheduleErrors('schedule', parsed.data.schedule, new Date()),
  ]
  return { errors, isSchemaMet: true }
}

const toLines = (errors: readonly Pick<FieldError, 'path' | 'code'>[]) =>
  errors.map(({ path, code }) => `${path} ${code}`).toSorted()

it('finds the errors that the server finds', async () => {
  const seenCodes = new Set<string>()
  const seenKinds = { valid: 0, rule: 0, schema: 0 }
  for (const values of fc.sample(forms, { seed: 20_261_126, numRuns: 200 })) {
    const body: unknown = JSON.parse(JSON.stringify(toSentSettings(values, null)))
    const formErrors = await findFormErrors(values, null, limits)
    const { errors, isSchemaMet } = findRequestErrors(body)
    const requestErrors = keepFirstErrors(errors)
    for (const { code } of requestErrors) seenCodes.add(code)
    seenKinds[requestErrors.length === 0 ? 'valid' : isSchemaMet ? 'rule' : 'schema'] += 1
    if (isSchemaMet) expect(toLines(formErrors)).toEqual(toLines(requestErrors))
    // The form checks all rules at once. Instead of a duplicate among the components, it finds the row, or its other error.
    for (const { path, code } of requestErrors)
      if (code === 'duplicate' && path.startsWith('commonComponents'))
        expect(formErrors.some((error) => error.path.startsWith(`${path}.`))).toBe(true)
      else expect(toLines(formErrors)).toContain(`${path} ${code}`)
  }
  expect(Math.min(...Object.values(seenKinds))).toBeGreaterThan(20)
  const expectedCodes: FieldError['code'][] = [
    'required',
    'wrong-type',
    'too-short',
    'too-long',
    'too-small',
    'too-big',
    'unknown-value',
    'wrong-format',
    'duplicate',
    'bad-url',
    'url-credentials',
    'url-scheme',
    'outside-domains',
    'bad-domain',
    'in-past',
  ]
  expect(expectedCodes.filter((code) => !seenCodes.has(code))).toEqual([])
})
