import { expect, it } from 'vitest'
import { beginningOf, mentionMailOf } from './model.ts'

const ben = { id: 'ben', name: 'Ben Test' }

it('names those whom the comment mentions, and whom it only writes of', () => {
  expect(beginningOf(' @[ben], @[stranger]: look\n', [ben])).toBe('@Ben Test, @[stranger]: look')
  expect(beginningOf('@[gone] was here', [{ id: 'gone', name: null }])).toBe('@gone was here')
})

it('cuts between words, and never within a sign', () => {
  expect(beginningOf('one two three', [], 9)).toBe('one two…')
  expect(beginningOf('one two', [], 7)).toBe('one two')
  // Nowhere to cut, or only near the start.
  expect(beginningOf('a bcdefghijk', [], 6)).toBe('a bcde…')
  expect(beginningOf('👩🏽‍💻👩🏽‍💻👩🏽‍💻', [], 2)).toBe('👩🏽‍💻👩🏽‍💻…')
})

it('escapes what people wrote, and keeps the subject to one line', () => {
  const mail = mentionMailOf({
    event: 'mentioned',
    scanName: 'Shop <1>',
    author: 'Ada\r\nBcc: x@example.org',
    issue: 'Images must have <alt>',
    text: 'See <script>\nand {scan}',
    url: 'https://clearway.example.org/monitor/issues?issue=1',
    settingsUrl: 'https://clearway.example.org/monitor/account',
    language: 'xx',
  })
  expect(mail).toMatchObject({
    language: 'en',
    subject: 'Ada Bcc: x@example.org mentioned you in “Shop <1>”',
  })
  expect(mail.html).toContain('<blockquote lang="">See &lt;script&gt;\nand {scan}</blockquote>')
  expect(mail.html).toContain('<b lang="en">Images must have &lt;alt&gt;</b>')
  expect(mail.text).toContain('> See <script>\n> and {scan}')
})
