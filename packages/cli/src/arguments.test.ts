import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseArguments } from './arguments.ts'

const parseMessage = (...argv: string[]) => {
  const parsedArguments = parseArguments(argv)
  return parsedArguments.kind === 'wrong' ? parsedArguments.message : parsedArguments.kind
}

describe('reports wrong usage with the remedy', () => {
  it.each([
    [['scan'], 'Which URL?'],
    [['crawl', 'https://a.example'], 'Unknown command "crawl"'],
    [['scan', 'not a url'], '"not a url" is not a URL'],
    [['scan', 'ftp://a.example'], 'only http and https'],
    [['scan', 'file:///etc/passwd'], 'not a URL'],
    [['scan', 'https://me:secret@a.example'], 'The URL of a.example contains a user name or password'],
    [['scan', 'https://a.example', '--page-limit', '0'], '--page-limit takes a whole number from 1'],
    [['scan', 'https://a.example', '--page-limit', '1e3'], 'not "1e3"'],
    [['scan', 'https://a.example', '--standard', 'wcag3'], '--standard takes one of wcag20a'],
    [['scan', 'https://a.example', '--axe', '3.5'], '--axe takes one of 4.14'],
    [['scan', 'https://a.example', '--min-score', '76'], '--min-score takes a number from 0 to 1'],
    [['scan', 'https://a.example', '--fail-on', 'bad'], '--fail-on takes one of critical'],
    [['scan', 'https://a.example', '--shade'], '--shade'],
    [['scan', 'https://a.example', '--page-timeout', '301'], '--page-timeout takes a whole number from 1 to 300'],
    [['scan', 'https://a.example', '--user-agent', 'é'], '--user-agent cannot be'],
    [['scan', '--urls', '/nowhere/list.txt'], '--urls cannot read /nowhere/list.txt: ENOENT'],
    [['scan', '--urls', '/dev/null'], '--urls found no URL'],
  ])('%j', (argv, message) => expect(parseMessage(...argv)).toContain(message))

  it('does not repeat a password', () => expect(parseMessage('scan', 'https://me:secret@a.example')).not.toContain('secret'))
})

describe('correct usage', () => {
  it('accepts every option', () => {
    const parsedArguments = parseArguments(
      'scan a.example http://b.example/x --page-limit 5 --depth 0 --standard wcag21a --axe 4.13 --concurrency 3 --page-timeout 9 --allow-private --no-sandbox --format sarif --output r.sarif --fail-on serious --min-score 0.9 --no-best-practices'.split(
        ' ',
      ),
    )
    expect(parsedArguments).toEqual({
      kind: 'scan',
      arguments: {
        urls: ['https://a.example/', 'http://b.example/x'],
        pageLimit: 5,
        depth: 0,
        ruleSet: { standard: 'wcag21a', axeVersion: '4.13', bestPractices: false, experimental: false, pdfUa: false },
        concurrency: 3,
        advanced: { pageTimeoutMs: 9000 },
        allowPrivate: true,
        sandbox: false,
        format: 'sarif',
        output: 'r.sarif',
        failOn: 'serious',
        files: [],
        onlyPdfUa: false,
        pdf: false,
        minScore: 0.9,
      },
    })
  })
  it('accepts scan settings, repeated for lists', () =>
    expect(
      parseArguments('scan a.example --page-timeout 9 --scroll-pages --banner-button #ok --banner-button //button'.split(' ')),
    ).toMatchObject({
      arguments: {
        advanced: { pageTimeoutMs: 9000, scrollPages: true, bannerSelectors: ['#ok', '//button'] },
      },
    }))
  it('reads unique URLs from a file and raises the page limit to their number', () => {
    const listFile = join(tmpdir(), `clearway-urls-${process.pid}.txt`)
    const manyUrls = Array.from({ length: 1300 }, (_, i) => `https://a.example/${i}`)
    writeFileSync(listFile, `\uFEFF# pages of a.example\r\n\r\n${manyUrls.join('\r\n')}\r\n${manyUrls[0]!}`)
    const parsedArguments = parseArguments(['scan', 'b.example', '--urls', listFile])
    rmSync(listFile)
    expect(parsedArguments).toMatchObject({
      arguments: { urls: ['https://b.example/', ...manyUrls], pageLimit: 1301 },
    })
  })
  it('accepts localhost with a port as a URL', () =>
    expect(parseArguments(['scan', 'localhost:4480'])).toMatchObject({
      arguments: { urls: ['http://localhost:4480/'] },
    }))
})
