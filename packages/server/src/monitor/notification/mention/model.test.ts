import { expect, it } from 'vitest'
import { quoteBeginning, buildMentionMail } from './model.ts'

const ben = { id: 'ben', name: 'Ben Test' }

it('replaces mentions by names, and keeps names in plain text', () => {
  expect(quoteBeginning(' @[ben], @[stranger]: look\n', [ben])).toBe('@Ben Test, @[stranger]: look')
  expect(quoteBeginning('@[gone] was here', [{ id: 'gone', name: null }])).toBe('@gone was here')
})

it('cuts between words, and never within a grapheme', () => {
  expect(quoteBeginning('one two three', [], 9)).toBe('one two…')
  expect(quoteBeginning('one two', [], 7)).toBe('one two')
  // No word boundary, or only near the start.
  expect(quoteBeginning('a bcdefghijk', [], 6)).toBe('a bcde…')
  expect(quoteBeginning('👩🏽‍💻👩🏽‍💻👩🏽‍💻', [], 2)).toBe('👩🏽‍💻👩🏽‍💻…')
})

it('escapes user input, and keeps the subject on one line', () => {
  const mail = buildMentionMail({
    event: 'mentioned',
    scanName: 'Shop <1>',
    author: 'Ada\r\nBcc: x@example.org',
    issue: 'Images must have <alt>',
    text: 'See <script>\nand {scan}',
    url: 'https://clearway.example.org/monitor/issues?issue=1',
    settingsUrl: 'https://clearway.example.org/monitor/account',
    language: 'xx',
  })
  expect(mail).toMatchObject({ language: 'en', subject: 'Ada Bcc: x@example.org mentioned you in “Shop <1>”' })
  expect(mail.html).toContain('<blockquote lang="">See &lt;script&gt;\nand {scan}</blockquote>')
  expect(mail.html).toContain('<b lang="en">Images must have &lt;alt&gt;</b>')
  expect(mail.text).toContain('> See <script>\n> and {scan}')
})
