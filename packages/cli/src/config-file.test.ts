import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, describe, expect, it } from 'vitest'
import { parseArguments } from './arguments.ts'

const folder = mkdtempSync(join(tmpdir(), 'clearway-config-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'clearway.config.json')
const parseWith = (content: unknown, ...argv: string[]) => {
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  const parsed = parseArguments([argv[0] ?? 'scan', '--config', file, ...argv.slice(1)])
  return parsed.kind === 'wrong' ? parsed.message.replaceAll(file, 'FILE') : parsed
}

const config = {
  $schema: './node_modules/clearway/schema/config.schema.json',
  'page-limit': 50,
  'best-practices': false,
  header: ['X-A: b'],
  'fail-on': 'serious',
  sites: {
    shop: { urls: ['https://shop.example'], 'page-limit': 7, 'page-timeout': 9, 'banner-button': ['#ok', '//button'] },
    blog: { urls: ['https://blog.example', 'https://blog.example/b'] },
  },
}

describe('a configuration file', () => {
  it('has options of all sites and of one, and the command line comes first', () => {
    expect(parseWith(config, 'scan', '--site', 'shop')).toMatchObject({
      kind: 'scan',
      arguments: {
        urls: ['https://shop.example/'],
        pageLimit: 7,
        failOn: 'serious',
        ruleSet: { bestPractices: false },
        advanced: { pageTimeoutMs: 9000, bannerSelectors: ['#ok', '//button'], extraHeaders: [{ name: 'X-A', value: 'b' }] },
      },
    })
    expect(parseWith(config, 'scan', '--site', 'blog')).toMatchObject({
      arguments: { urls: ['https://blog.example/', 'https://blog.example/b'], pageLimit: 50 },
    })
    const options = ['--page-limit', '3', '--best-practices', '--header', 'X-C: d']
    expect(parseWith(config, 'scan', 'https://a.example', '--site', 'shop', ...options)).toMatchObject({
      arguments: {
        urls: ['https://a.example/'],
        pageLimit: 3,
        ruleSet: { bestPractices: true },
        advanced: { extraHeaders: [{ name: 'X-C', value: 'd' }] },
      },
    })
  })

  it.each([
    ['{"page-limit": 5,}', [], 'FILE is not JSON: Expected double-quoted property name'],
    [{ 'page-limits': 3 }, [], 'Unrecognized key: "page-limits"'],
    [{ pdf: 'yes' }, [], 'pdf: '],
    [{ 'earlier-axe': 'axe.min.js' }, [], 'Unrecognized key: "earlier-axe"'],
    [{ 'page-limit': 'many', urls: ['https://a.example'] }, [], '--page-limit takes a whole number'],
    [{ urls: ['ftp://a.example'] }, [], 'only http and https'],
    [config, [], 'Which URL?'],
    [config, ['--site', 'shops'], 'has no site "shops". There are: shop, blog'],
    [config, ['--site', 'constructor'], 'has no site "constructor"'],
  ])('is refused with a reason: %j %j', (content, argv, message) =>
    expect(parseWith(content, 'scan', ...argv)).toContain(message),
  )

  it('says that a file is missing', () => {
    const parsed = parseArguments(['scan', '--config', '/nowhere.json'])
    expect(parsed).toEqual({ kind: 'wrong', message: '--config cannot read /nowhere.json: there is no such file.' })
    const withoutFile = parseArguments(['scan', '--site', 'shop'])
    expect(withoutFile).toEqual({ kind: 'wrong', message: expect.stringContaining('--site needs') as string })
  })

  it('of a gate gives way to the baseline that the command names', () => {
    const withServer = { urls: ['https://a.example'], server: 'https://clearway.example', scan: 'Shop' }
    const parsed = parseWith(withServer, 'gate', '--baseline', '/nowhere.baseline')
    expect(parsed).toMatchObject({ kind: 'unusable', message: expect.stringContaining('/nowhere.baseline') as string })
  })

  it('is described by its schema', () => {
    const schemaFile = join(import.meta.dirname, '../../../docs/generated/config.schema.json')
    const schema = JSON.parse(readFileSync(schemaFile, 'utf8')) as { properties: Record<string, { description?: string }> }
    const validate = new Ajv2020().compile(schema)
    expect([validate(config), validate({ 'page-limits': 3 }), validate({ sites: { a: { pdf: 1 } } })]).toEqual([
      true,
      false,
      false,
    ])
    expect(schema.properties['page-limit']!.description).toContain('maximum number of pages')
    expect(Object.keys(schema.properties).length).toBeGreaterThan(40)
  })
})
