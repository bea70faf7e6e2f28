import { existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import {
  AdvancedSettings,
  type SettingRow,
  settingRows,
  timeUnits,
} from '@clearway/contract/monitor/scan/advanced/schema.ts'
import {
  AxeVersion,
  defaultRuleSet,
  Impact,
  type RuleSet,
  StandardId,
} from '@clearway/contract/monitor/ruleset/schema.ts'
import { urlFault } from '@clearway/contract/monitor/scan/model.ts'
import * as z from 'zod/mini'

export const formats = ['text', 'json', 'sarif', 'junit'] as const
export type Format = (typeof formats)[number]

export type ScanArguments = {
  urls: string[]
  /** PDF files of this machine, checked without a crawl. */ files: string[]
  /** Of PDFs, only the PDF/UA-1 profile. */ onlyPdfUa: boolean
  /** PDFs that are met are checked as well. */ pdf: boolean
  pageLimit: number
  depth: number | null
  ruleSet: RuleSet
  concurrency: number
  /** Advanced settings of the scan that were said. */
  advanced: z.input<typeof AdvancedSettings>
  allowPrivate: boolean
  sandbox: boolean
  format: Format
  output: string | null
  /** On this impact and those before it: `serious` fails on serious and critical. */
  failOn: Impact | null
  minScore: number | null
}

export type Parsed =
  | { kind: 'scan'; arguments: ScanArguments }
  | { kind: 'help' }
  | { kind: 'version' }
  | { kind: 'wrong'; message: string }

/** What applies when nothing is said. */
const usualPages = 100
const usualConcurrency = 2
const usualFormat: Format = 'text'

/** `placeholder` is what stands for the value in the help, where there is one; `isOn`: it is on, and `--no-…` turns it off. */
type OptionRow = { placeholder?: string; isOn?: true; about: string }
const optionRows = {
  urls: {
    placeholder: 'FILE',
    about: 'more URLs, one per line; - reads standard input. With --depth 0, only these are scanned',
  },
  'page-limit': {
    placeholder: 'N',
    about: `maximum number of pages (default ${usualPages}, or the number of URLs if that is higher)`,
  },
  depth: { placeholder: 'N', about: 'levels of links below the URLs (default: no limit)' },
  standard: {
    placeholder: 'ID',
    about: `${StandardId.options.join(', ')} (default ${defaultRuleSet.standard});
pdfua1: for PDFs, all of PDF/UA-1 and nothing else`,
  },
  axe: {
    placeholder: 'VERSION',
    about: `${AxeVersion.options.join(', ')} (default ${defaultRuleSet.axeVersion})`,
  },
  'best-practices': { isOn: true, about: "exclude axe's best practices" },
  experimental: { about: "include axe's experimental rules" },
  concurrency: { placeholder: 'N', about: `pages at the same time (default ${usualConcurrency})` },
  'allow-private': { about: 'allow private and loopback addresses' },
  pdf: { about: 'also check PDFs found by the crawl (a URL that ends in .pdf is always checked)' },
  sandbox: {
    isOn: true,
    about: 'run the browser without its sandbox, if it cannot have one: only for sites that you trust',
  },
  format: { placeholder: 'F', about: `${formats.join(', ')} (default ${usualFormat})` },
  output: { placeholder: 'FILE', about: 'write the report to this file' },
  'fail-on': {
    placeholder: 'IMPACT',
    about: `exit 1 if an issue of this impact or worse is found: ${Impact.options.join(', ')}`,
  },
  'min-score': { placeholder: 'S', about: 'exit 1 if the score (0 to 1) is lower' },
} as const satisfies Record<string, OptionRow>
type Rows = typeof optionRows
const options = {
  ...(Object.fromEntries(
    Object.entries<OptionRow>(optionRows).map(([name, { placeholder }]) => [
      name,
      { type: placeholder === undefined ? 'boolean' : 'string' },
    ]),
  ) as { [K in keyof Rows]: { type: Rows[K] extends { placeholder: string } ? 'string' : 'boolean' } }),
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const

const helpLine = (option: string, about: string): string =>
  `  ${option.padEnd(19)} ${about.replaceAll('\n', `\n${' '.repeat(22)}`)}`
const optionHelp = (): string =>
  Object.entries<OptionRow>(optionRows)
    .map(([name, { placeholder, isOn, about }]) =>
      helpLine(`--${isOn ? 'no-' : ''}${name}${placeholder ? ` ${placeholder}` : ''}`, about),
    )
    .join('\n')

/** The settings of a scan that have an option, with what they are when nothing is said. */
const said = settingRows.flatMap(([name, row]) => (row.option ? [{ name, row, option: row.option }] : []))
const usual = z.parse(AdvancedSettings, {})
const sizeOf = ({ unit = 'ms' }: SettingRow) => timeUnits[unit]
/** Lists are said once for each of their items. */
const settingOptions = Object.fromEntries(
  said.map(({ option, row: { kind } }) => [
    option,
    { type: kind === 'flag' ? 'boolean' : 'string', multiple: kind === 'lines' || kind === 'selectors' },
  ]),
)

function settingHelp(): string {
  const rows = said.map(({ name, row, option }) => {
    const placeholder = { flag: '', number: 'N', selectors: 'SEL' }[row.kind as string] ?? 'TEXT'
    const initial = usual[name]
    const words = typeof initial === 'number' ? `${row.about} (default ${initial / sizeOf(row)})` : row.about
    return helpLine(
      `--${option} ${row.unit?.toUpperCase() ?? placeholder}`,
      `${words[0]!.toLowerCase()}${words.slice(1)}`,
    )
  })
  return rows.join('\n')
}

export const helpText = `Usage: clearway scan <url or PDF file…> [--urls FILE] [options]

Crawls the pages at and below the URLs, checks them with axe-core and PDFs with its own checker, and writes a report.
Needs no server.

${optionHelp()}
${settingHelp()}

Exit: 0 fine, 1 threshold missed, 2 wrong use, or nothing could be scanned, 130 stopped by Ctrl-C.
`

class WrongArgument extends Error {}

function whole(name: string, value: string | undefined, min: number, max: number): number | null {
  if (value === undefined) return null
  if (!/^\d{1,7}$/.test(value) || Number(value) < min || Number(value) > max)
    throw new WrongArgument(`--${name} takes a whole number from ${min} to ${max}, not "${value}".`)
  return Number(value)
}

function oneOf<const T extends string>(
  name: string,
  value: string | undefined,
  allowed: readonly T[],
): T | null {
  if (value === undefined) return null
  const found = allowed.find((a) => a === value)
  if (!found) throw new WrongArgument(`--${name} takes one of ${allowed.join(', ')}, not "${value}".`)
  return found
}

/** `pdfua1` is a standard for PDFs only; pages beside them are tested by the default one. */
const standardOf = (value: string | undefined) => {
  const found = oneOf('standard', value, [...StandardId.options, 'pdfua1'])
  return found === null || found === 'pdfua1' ? defaultRuleSet.standard : found
}

function score(value: string | undefined): number | null {
  if (value === undefined) return null
  if (!/^(0(\.\d+)?|1(\.0+)?)$/.test(value))
    throw new WrongArgument(`--min-score takes a number from 0 to 1, not "${value}".`)
  return Number(value)
}

/** The settings that the command line says; numbers in the unit of the form. */
function settingsSaid(
  values: Readonly<Record<string, string | boolean | undefined>>,
): ScanArguments['advanced'] {
  const found = said.flatMap(({ name, row, option }): [string, unknown][] => {
    const value = values[option]
    if (value === undefined) return []
    if (row.min === undefined || row.max === undefined) {
      if (z.safeParse(row.schema, value).success) return [[name, value]]
      throw new WrongArgument(`--${option} cannot be ${JSON.stringify(value)}.`)
    }
    const size = sizeOf(row)
    const number = whole(option, String(value), Math.ceil(row.min / size), Math.floor(row.max / size))
    return number === null ? [] : [[name, number * size]]
  })
  return Object.fromEntries(found)
}

/** A path to a PDF: it ends so, has no scheme, and is not the name of a host with a path. */
const isFile = (text: string): boolean =>
  !/^[a-z][a-z0-9+.-]+:\/\//i.test(text) &&
  (existsSync(text) || (/\.pdf$/i.test(text) && !/^[^/]+\.[a-z]{2,}\//i.test(text)))

/** Start URLs as the engine takes them; without a scheme this machine is http, everything else https. */
function urlOf(text: string): string {
  const scheme = /^(localhost|127\.|\[::1\])/.test(text) ? 'http' : 'https'
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${scheme}://${text}`
  const url = URL.parse(whole)
  if (!url?.hostname) throw new WrongArgument(`"${text}" is not a URL.`)
  const fault = urlFault(whole)
  if (fault === 'url-scheme') throw new WrongArgument(`"${text}": only http and https URLs can be scanned.`)
  if (fault === 'url-credentials')
    throw new WrongArgument(
      `The URL of ${url.host} contains a user name or password. Leave them out: every report would contain them.`,
    )
  return url.href
}

function readList(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    const from = file === '-' ? 'the standard input' : file
    throw new WrongArgument(`--urls cannot read ${from}: ${(error as NodeJS.ErrnoException).code}.`)
  }
}

/** The URLs of a file or of the standard input; empty lines and those that begin with # are none. */
function listed(file: string | undefined): string[] {
  if (file === undefined) return []
  const lines = readList(file)
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((line) => line.trim())
  const found = lines.filter((line) => line !== '' && !line.startsWith('#'))
  if (found.length === 0) throw new WrongArgument('--urls found no URL.')
  return found
}

/** Reads the command line. Never throws. */
export function parse(argv: readonly string[]): Parsed {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      // Known by their types are those that are read by name below.
      options: { ...options, ...settingOptions } as typeof options,
      allowPositionals: true,
      allowNegative: true,
      strict: true,
    })
    if (values.help || argv.length === 0) return { kind: 'help' }
    if (values.version) return { kind: 'version' }
    const [command, ...named] = positionals
    if (command !== 'scan')
      return {
        kind: 'wrong',
        message: `Unknown command "${command ?? ''}". There is one: clearway scan <url…>`,
      }
    const urls = [...named, ...listed(values.urls)]
    if (urls.length === 0) return { kind: 'wrong', message: 'Which URL? clearway scan https://example.org' }
    const starts = [...new Set(urls.filter((url) => !isFile(url)).map(urlOf))]
    return {
      kind: 'scan',
      arguments: {
        urls: starts,
        files: urls.filter(isFile),
        onlyPdfUa: values.standard === 'pdfua1',
        pdf: (values.pdf ?? values.standard === 'pdfua1') || urls.some((url) => /\.pdf([?#]|$)/i.test(url)),
        pageLimit:
          whole('page-limit', values['page-limit'], 1, 1_000_000) ?? Math.max(usualPages, starts.length),
        depth: whole('depth', values.depth, 0, 1000),
        ruleSet: {
          standard: standardOf(values.standard),
          axeVersion: oneOf('axe', values.axe, AxeVersion.options) ?? defaultRuleSet.axeVersion,
          bestPractices: values['best-practices'] ?? true,
          experimental: values.experimental ?? false,
          pdfUa: values.standard === 'pdfua1',
        },
        concurrency: whole('concurrency', values.concurrency, 1, 64) ?? usualConcurrency,
        advanced: settingsSaid(values),
        allowPrivate: values['allow-private'] ?? false,
        sandbox: values.sandbox ?? true,
        format: oneOf('format', values.format, formats) ?? usualFormat,
        output: values.output ?? null,
        failOn: oneOf('fail-on', values['fail-on'], Impact.options),
        minScore: score(values['min-score']),
      },
    }
  } catch (error) {
    if (error instanceof WrongArgument) return { kind: 'wrong', message: error.message }
    // parseArgs reports an unknown option or a missing value by its code.
    if (error instanceof TypeError && 'code' in error)
      return { kind: 'wrong', message: error.message.split('. To specify')[0]! }
    throw error
  }
}
