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
    [['scan', '--urls', '/nowhere/list.txt'], '--urls cannot read /nowhere/list.txt: there is no such file'],
    [['scan', '--urls', '/dev/null'], '--urls found no URL'],
    [['scan', 'https://a.example', '--header', 'no colon'], '--header takes "Name: value"'],
    [['scan', 'https://a.example', '--header', 'Host: b.example'], 'not "Host"'],
    [['scan', 'https://a.example', '--header', 'X-A: b\nX-C: d'], '--header takes "Name: value"'],
    [['scan', 'https://a.example', '--domain', 'a..b'], '--domain takes a host'],
    [['scan', 'https://a.example', '--sitemap', 'ftp://a.example/x'], 'only http and https'],
    [['scan', 'https://a.example', '--settings', '/nowhere.json'], '--settings cannot read /nowhere.json: there is no such file'],
    [['scan', 'https://a.example', '--settings', '/dev/null'], '/dev/null is not a JSON object'],
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
        advanced: { pageTimeoutMs: 9000, representativeOrder: true },
        allowPrivate: true,
        sandbox: false,
        outputs: [{ format: 'sarif', file: 'r.sarif' }],
        failOn: 'serious',
        domains: [],
        sitemaps: [],
        settings: null,
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

describe('a file of settings', () => {
  const parseWith = (content: unknown, ...argv: string[]) => {
    const file = join(tmpdir(), `clearway-settings-${process.pid}.json`)
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
    const parsedArguments = parseArguments(['scan', '--settings', file, ...argv])
    rmSync(file)
    return parsedArguments.kind === 'wrong' ? parsedArguments.message.replaceAll(file, 'FILE') : parsedArguments
  }

  it.each([
    [[], 'FILE is not a JSON object'],
    ['{', 'FILE is not a JSON object'],
    [{}, 'Which URL? Neither the command nor FILE names one'],
    [{ urls: ['https://a.example'], pageLimits: 3 }, 'Unrecognized key: "pageLimits"'],
    [{ urls: ['https://a.example'], advanced: { pageTimeoutMs: 1 } }, 'advanced.pageTimeoutMs: '],
    [{ urls: ['https://a.example', 'https://a.example'] }, 'urls.1: duplicate'],
    [{ urls: ['https://me:pw@a.example'] }, 'urls.0: url-credentials'],
    [{ urls: ['https://a.example'], domains: ['b.example'] }, 'urls.0: outside-domains'],
    [{ urls: ['https://a.example'], scripts: { shared: ['0198c0de-0000-7000-8000-000000000000'] } }, 'scripts.shared: '],
    [
      { urls: ['https://a.example'], scripts: { variables: [{ name: 'NOT_SET_ANYWHERE', value: null }] } },
      'NOT_SET_ANYWHERE has no value',
    ],
    [{ urls: ['https://a.example'], advanced: { extraHeaders: [{ name: 'X-A', value: null }] } }, 'the value of X-A'],
    [
      { urls: ['https://a.example'], session: { connection: { authType: 'basic', username: 'a', password: null } } },
      'session.connection: the file does not contain the secrets',
    ],
  ])('refuses %j', (content, message) => expect(parseWith(content)).toContain(message))

  it('comes after the options of the command', () => {
    const content = {
      urls: ['https://a.example'],
      pageLimit: 7,
      depth: 2,
      ruleSet: { standard: 'wcag21a', axeVersion: '4.13', bestPractices: false, experimental: true, pdfUa: false },
      advanced: { pageTimeoutMs: 9000, scrollPages: true },
      scripts: { own: [{ name: 'A', type: 'SESSION', text: 'go to "https://a.example"' }] },
    }
    expect(parseWith(content)).toMatchObject({
      arguments: {
        urls: ['https://a.example'],
        pageLimit: 7,
        depth: 2,
        ruleSet: content.ruleSet,
        advanced: content.advanced,
        settings: { session: { script: { name: 'A' } }, scripts: [] },
      },
    })
    const options = ['b.example', '--page-limit', '3', '--depth', '0', '--standard', 'wcag22aa', '--page-timeout', '5']
    expect(parseWith(content, ...options)).toMatchObject({
      arguments: {
        urls: ['https://b.example/'],
        pageLimit: 3,
        depth: 0,
        ruleSet: { ...content.ruleSet, standard: 'wcag22aa' },
        advanced: { pageTimeoutMs: 5000, scrollPages: true },
      },
    })
  })

  it('has the limits of a type of scan', () => {
    const quickScan = { arguments: { depth: 1, pageLimit: 100 } }
    expect(parseWith({ type: 'quick', urls: ['https://a.example'] })).toMatchObject(quickScan)
    expect(parseWith({ type: 'standard', urls: ['https://a.example'] })).toMatchObject({
      arguments: { depth: null, pageLimit: 1000, advanced: { restrictToFolder: true } },
    })
  })
})
