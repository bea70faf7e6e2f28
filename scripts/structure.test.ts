import { describe, expect, it } from 'vitest'
import { findPlaceProblems, findTextProblems } from './structure.ts'

describe('finds a file in the wrong place', () => {
  it.each([
    ['vocabulary', 'packages/contract/src/monitor/scan/types.ts'],
    ['vocabulary', 'packages/contract/src/monitor/invoice/schema.ts'],
    ['vocabulary', 'packages/engine/src/thing.ts'],
    ['vocabulary', 'packages/server/src/monitor/scan/controller.ts'],
    ['vocabulary', 'packages/server/src/monitor/run/store-frontier.ts'],
    ['vocabulary', 'packages/server/src/monitor/run/frontier/claim.ts'],
    ['vocabulary', 'packages/contract/src/monitor/run/schema-recheck.ts'],
    ['vocabulary', 'packages/web/src/monitor/scan/list.tsx'],
    ['vocabulary', 'packages/web/src/locales/pt.po'],
    ['vague-name', 'packages/server/src/kit/utils.ts'],
    ['vague-name', 'packages/cli/src/string-helpers.ts'],
    ['barrel', 'packages/engine/src/axe/index.ts'],
    ['kebab-case', 'packages/web/src/kit/dataTable.tsx'],
  ])('%s: %s', (rule, file) => expect(findPlaceProblems([file]).map((p) => p.rule)).toContain(rule))

  it('accepts a file in its place', () =>
    expect(
      findPlaceProblems([
        'README.md',
        'packages/contract/src/monitor/scan/schema.ts',
        'packages/server/src/monitor/run/frontier/store.test.ts',
        'packages/web/src/monitor/scan/pages/list.tsx',
        'packages/web/src/app/tokens.css',
      ]),
    ).toEqual([]))
})

describe('finds forbidden text', () => {
  it.each([
    ['color-outside-tokens', 'packages/web/src/kit/control/button.module.css', '.a { color: #fff; }'],
    ['color-outside-tokens', 'packages/web/src/kit/control/button.module.css', '.a { color: rgb(1 2 3); }'],
    ['unfinished', 'packages/cli/src/a.ts', '// TODO later'],
    ['bare-number-in-sql', 'packages/server/src/monitor/run/store.ts', 'sql`where f.status = 1`'],
    ['bare-number-in-sql', 'packages/server/src/monitor/run/store.ts', 'sql`where f.change <= 2`'],
    ['bare-number-in-sql', 'packages/server/src/monitor/run/finish/store.ts', 'sql`where state in (0, 1)`'],
    [
      'bare-number-in-sql',
      'packages/server/src/monitor/issue/store.ts',
      'sql`case when ${there} and i.status = ${open} then 2 else i.status end`',
    ],
    ['bare-number-in-sql', 'packages/server/src/monitor/access/store.ts', "sql`case a.role when 'scanAdmin' then 0 else 1 end`"],
    ['bare-number-of-row', 'packages/server/src/monitor/issue/service.ts', 'row.status === 0 ? false : null'],
    ['bare-number-of-row', 'packages/server/src/monitor/issue/export/model.ts', "row.severity <= 1 ? 'a' : 'b'"],
    [
      'inherited-key',
      'packages/server/src/monitor/issue/identity/model.ts',
      "const renamed: Readonly<Record<string, string>> = { a: 'b' }",
    ],
    ['unknown-slow-tag', 'packages/engine/src/a.test.ts', '/** @module-tag  slow */'],
    ['unknown-slow-tag', 'packages/engine/src/a.test.ts', '/**\n * @module-tag slow */'],
    ['unknown-slow-tag', 'packages/engine/src/a.test.ts', 'it("waits", { tags: ["slow"] }, wait)'],
    ['registry-host', '.npmrc', `registry=https://registry.${['npm', 'js'].join('')}.org/`],
    ['outside-path', 'docs/a.md', 'see ../shared/spec'],
    ['person-is-he', 'packages/server/src/monitor/user/store.ts', '/** Keeps what somebody says of himself. */'],
    ['person-is-he', 'docs/OPERATING.md', 'sees where\nhe is signed in'],
    ['word', 'packages/engine/src/a.ts', '// What is mended by now'],
    ['word', 'docs/adr/0001-a.md', 'each start address of a scan'],
    ['word', 'packages/web/src/kit/a.css', '/* Any colour */'],
    ['word-of-a-name', 'packages/engine/src/a.ts', 'export const tell = (event) => events.publish(event)'],
    ['word-of-a-name', 'packages/server/src/kit/a.ts', 'type Place = { bytes: Buffer }'],
    [
      'change-without-time',
      'packages/server/src/monitor/issue/store.ts',
      'sql`update issue i set last_run = 2,\n presence = ${there}`',
    ],
    ['focus-of-the-title', 'packages/web/src/kit/a.ts', "document.querySelector('h1')?.focus()"],
    ['document-outside', 'packages/server/test/a.ts', '/** A sentence of the specification. */'],
    ['css-length', 'packages/web/src/kit/a.module.css', '\n'.repeat(302)],
  ])('%s: %s', (rule, file, text) => expect(findTextProblems(file, text).map((p) => p.rule)).toContain(rule))

  it('accepts colors in the tokens', () =>
    expect(findTextProblems('packages/web/src/app/tokens.css', ':root { --a: #fff; }')).toEqual([]))

  it('accepts an HTTP status', () =>
    expect(findTextProblems('packages/server/src/monitor/notification/jobs.ts', 'if (reply.status >= 200) return')).toEqual([]))

  it('accepts a word that contains a forbidden one', () =>
    expect(findTextProblems('packages/cli/src/a.ts', '// recommended, amended\nconst teller = placeOf(address)')).toEqual([]))

  it('accepts a word that starts or ends like a pronoun', () =>
    expect(findTextProblems('docs/WORDS.md', 'Zeilenhöhe, cache-heavy, this history of the_him')).toEqual([]))
})
