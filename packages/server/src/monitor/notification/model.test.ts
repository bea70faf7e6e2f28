import { languages } from '@clearway/contract/monitor/user/schema.ts'
import { expect, it } from 'vitest'
import { findErrorCode, type Payload, getRunEvents, getRetryDelay, selectEvent } from './model.ts'
import { buildRunMail, mailTexts } from './mail/model.ts'

it('selects the most significant event of a run', () => {
  const eventOf = (run: Parameters<typeof getRunEvents>[0]) =>
    selectEvent(getRunEvents(run), ['finished', 'failed', 'new-issues'])
  expect(eventOf({ status: 'failed', change: null, openIssues: 0 })).toBe('failed')
  expect(eventOf({ status: 'completed', change: { new: 0, back: 1 }, openIssues: 9 })).toBe('new-issues')
  expect(eventOf({ status: 'completed', change: null, openIssues: 9 })).toBe('new-issues')
  expect(eventOf({ status: 'completed', change: { new: 0, back: 0 }, openIssues: 9 })).toBe('finished')
  expect(
    selectEvent(getRunEvents({ status: 'completed', change: { new: 0, back: 0 }, openIssues: 9 }), ['new-issues']),
  ).toBeNull()
})

it('backs off increasingly between attempts, then gives up', () => {
  const waits = [1, 2, 3, 4, 5, 6, 7].map((tries) => getRetryDelay(tries))
  expect(waits.slice(0, 6)).toEqual(waits.slice(0, 6).toSorted((a, b) => a! - b!))
  expect(waits[6]).toBeNull()
})

const payload: Payload = {
  event: 'new-issues',
  scanId: 's',
  scanName: 'A & "B"\r\nBcc: everybody@example.org',
  run: {
    number: 1234,
    status: 'completed',
    startedAt: '2026-03-01T10:00:00Z',
    endedAt: '2026-03-01T10:10:00Z',
    score: 0.9996,
    pages: { completed: 1200, failed: 3, walled: 4, overLimit: 160 },
    openIssues: { critical: 1, serious: 2, moderate: 3, minor: 4, needsReview: 5 },
    change: { new: 6, fixed: 7, back: 8, issuesGone: 9, notRechecked: 10, ignored: 11 },
    problem: null,
  },
  url: 'https://example.org/monitor/scans/s/1234',
}

it.each(languages)('writes the same facts as text and as HTML in %s', (language) => {
  const mail = buildRunMail({ ...payload, language }, 'Clearway')
  expect(mail.subject).not.toMatch(/[\r\n{}]/)
  expect(mail.html).toContain(`<html lang="${language}">`)
  expect(mail.html).not.toMatch(/\{\w+\}|<b>|"B"/)
  expect(mail.html.match(/<h1>/g)).toHaveLength(1)
  const rows = [...mail.html.matchAll(/<th scope="row">([^<]*)<\/th><td>([^<]*)<\/td>/g)]
  expect(rows).toHaveLength(19)
  for (const [, label, value] of rows) expect(mail.text).toContain(`- ${label}: ${value}`)
  expect(rows.flatMap(([, label, value]) => (label === mailTexts[language].score ? [value] : []))).toEqual([
    new Intl.NumberFormat(language, { style: 'percent' }).format(0.99),
  ])
  expect(rows.map(([, label, value]) => `${label}: ${value}`)).toContain(`${mailTexts[language].pagesNotSeen}: 4`)
  // No text is left in English.
  if (language !== 'en') expect(mailTexts[language].why).not.toBe(mailTexts.en.why)
})

it('finds the code of an error, and nothing else of it', () => {
  expect(findErrorCode('connect ECONNREFUSED 127.0.0.1:25')).toBe('ECONNREFUSED')
  expect(findErrorCode('self-signed: DEPTH_ZERO_SELF_SIGNED_CERT')).toBe('DEPTH_ZERO_SELF_SIGNED_CERT')
  expect(findErrorCode('unable to verify: UNABLE_TO_VERIFY_LEAF_SIGNATURE')).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE')
  expect(findErrorCode('550 No such user EVA@EXAMPLE.ORG')).toBe(null)
  expect(findErrorCode('Returned status 500')).toBe(null)
})
