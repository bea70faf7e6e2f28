import { AdvancedSettings, type SettingRow, settingRows, timeUnits } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import { CrawlOrder } from '@clearway/contract/monitor/run/order/schema.ts'
import { AxeVersion, defaultRuleSet, Impact, StandardId } from '@clearway/contract/monitor/ruleset/schema.ts'
import * as z from 'zod/mini'
import { exitCodeRows } from './exit-code.ts'
import { apiKeyVariable } from './server-baseline.ts'
import { passwordVariable } from './sign-in.ts'

export const reportFormats = [
  'text',
  'json',
  'sarif',
  'junit',
  'html',
  'markdown',
  'gitlab-accessibility',
  'gitlab-codequality',
] as const
/** Build systems that show the result of a gate. */
export const buildSystems = ['github', 'gitlab'] as const
export type BuildSystem = (typeof buildSystems)[number]
export type ReportFormat = (typeof reportFormats)[number]

/** Defaults of the command line. */
export const defaultPageLimit = 100
export const defaultConcurrency = 2

/** `placeholder` represents the value in the help. `isOn`: on by default; `--no-…` turns it off. `isList`: may be repeated. */
type OptionRow = { placeholder?: string; isOn?: true; isList?: true; about: string }
const optionRows = {
  urls: { placeholder: 'FILE', about: 'more URLs, one per line; - reads standard input. With --depth 0, only these are scanned' },
  'page-limit': {
    placeholder: 'N',
    about: `maximum number of pages (default ${defaultPageLimit}, or the number of URLs if that is higher)`,
  },
  order: {
    placeholder: 'ORDER',
    about: `${CrawlOrder.options.join(', ')} (default representative): what is likely to be new comes first, or what is near the URLs`,
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
  concurrency: { placeholder: 'N', about: `pages at the same time (default ${defaultConcurrency})` },
  domain: { placeholder: 'HOST', isList: true, about: 'another host of the site (example.org, *.example.org)' },
  sitemap: { placeholder: 'URL', isList: true, about: 'also scan the pages of this sitemap or feed' },
  'ignore-robots': { about: 'scan pages that robots.txt forbids: only on sites of your own' },
  'sign-in': { placeholder: 'URL', about: 'sign in by the form on this page first, and prove it' },
  user: { placeholder: 'NAME', about: `user name of the sign-in; its password is in ${passwordVariable}` },
  'code-secret-file': {
    placeholder: 'FILE',
    about: 'take the secret of one-time codes (authenticator app) from the first line of this file',
  },
  'password-file': { placeholder: 'FILE', about: 'take the password of the sign-in from the first line of this file' },
  header: { placeholder: 'NAME:VALUE', isList: true, about: 'header to send to the hosts of the scan' },
  settings: {
    placeholder: 'FILE',
    about: 'scan settings in the JSON form of the server; options and URLs of the command come before them',
  },
  'allow-private': { about: 'allow private and loopback addresses' },
  pdf: { about: 'also check PDFs found by the crawl (a URL that ends in .pdf is always checked)' },
  sandbox: { isOn: true, about: 'run the browser without its sandbox, if it cannot have one: only for sites that you trust' },
  format: { placeholder: 'F', about: `${reportFormats.join(', ')} (default: by the extension of the output, else text)` },
  output: {
    placeholder: 'FILE',
    isList: true,
    about: 'write the report to this file, or for - to standard output; may be repeated',
  },
  'fail-on': {
    placeholder: 'IMPACT',
    about: `exit 1 if an issue of this impact or worse is found: ${Impact.options.join(', ')}; gate: only new ones (default minor)`,
  },
  baseline: { placeholder: 'FILE', about: 'gate: known issues, as clearway baseline wrote them' },
  'earlier-axe': {
    placeholder: 'FILE',
    about: `gate: axe.min.js of the release of axe-core of the baseline, if it is another one;
it runs in the pages, so name a file that a request cannot change`,
  },
  server: { placeholder: 'URL', about: `gate: compare with a scan on this server; its API key is in ${apiKeyVariable}` },
  scan: { placeholder: 'NAME', about: 'gate: name or id of the scan on the server' },
  serve: {
    placeholder: 'FOLDER',
    about: `scan this folder, such as a built site, by a server of its own; URLs are paths in it (default /),
or those of the pages on the site`,
  },
  map: { placeholder: 'FROM=TO', isList: true, about: 'gate: pages of the URL FROM are those of the URL TO in the baseline' },
  ci: {
    placeholder: 'SYSTEM',
    about: `gate: show the result in this build system, with one comment on the request: ${buildSystems.join(', ')}`,
  },
  upload: { about: 'gate: store the result with the scan on the server, as one of a branch' },
  branch: { placeholder: 'NAME', about: 'gate: branch of the uploaded result (default: that of the build system, or of git)' },
  'fail-on-incomplete': { about: 'gate: exit 3 if a page failed or a known issue was not checked' },
  config: {
    placeholder: 'FILE',
    about: 'options of this file (default: clearway.config.json, if it exists); the command line comes first',
  },
  site: { placeholder: 'NAME', about: 'options and URLs of this site of the configuration' },
  from: {
    placeholder: 'FILE',
    about: 'init: configuration of pa11y-ci or Lighthouse CI (JSON or YAML), or a sitemap (file or URL)',
  },
  'min-score': { placeholder: 'S', about: 'exit 1 if the score (0 to 1) is lower' },
} as const satisfies Record<string, OptionRow>
type OptionRows = typeof optionRows
export const parseOptions = {
  ...(Object.fromEntries(
    Object.entries<OptionRow>(optionRows).map(([name, { placeholder, isList = false }]) => [
      name,
      { type: placeholder === undefined ? 'boolean' : 'string', multiple: isList },
    ]),
  ) as {
    [K in keyof OptionRows]: {
      type: OptionRows[K] extends { placeholder: string } ? 'string' : 'boolean'
      multiple: OptionRows[K] extends { isList: true } ? true : false
    }
  }),
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const

const formatHelpLine = (option: string, about: string): string =>
  `  ${option.padEnd(19)} ${about.replaceAll('\n', `\n${' '.repeat(22)}`)}`
const listOptions = (): [option: string, about: string][] =>
  Object.entries<OptionRow>(optionRows).map(([name, { placeholder, isOn, about }]) => [
    `--${isOn ? 'no-' : ''}${name}${placeholder ? ` ${placeholder}` : ''}`,
    about,
  ])

/** Scan settings with a command line option, and their defaults. */
export const optionSettings = settingRows.flatMap(([name, row]) => (row.option ? [{ name, row, option: row.option }] : []))
const defaultSettings = z.parse(AdvancedSettings, {})
export const getUnitMs = ({ unit = 'ms' }: SettingRow) => timeUnits[unit]
/** List options are repeated for each item. */
export const settingOptions = Object.fromEntries(
  optionSettings.map(({ option, row: { kind } }) => [
    option,
    { type: kind === 'flag' ? 'boolean' : 'string', multiple: kind === 'lines' || kind === 'selectors' },
  ]),
)

/** Begins in lower case, unless with an abbreviation. */
const toHelpText = (text: string): string => (/^[A-Z]{2}/.test(text) ? text : `${text[0]!.toLowerCase()}${text.slice(1)}`)

const listSettingOptions = (): [option: string, about: string][] =>
  optionSettings.map(({ name, row, option }) => {
    const placeholder = { flag: '', number: 'N', selectors: 'SEL' }[row.kind as string] ?? 'TEXT'
    const defaultValue = defaultSettings[name]
    const aboutText = typeof defaultValue === 'number' ? `${row.about} (default ${defaultValue / getUnitMs(row)})` : row.about
    if (row.negation !== undefined) return [`--no-${option}`, row.negation]
    return [`--${option} ${row.unit?.toUpperCase() ?? placeholder}`.trim(), toHelpText(aboutText)]
  })

/** Options that a configuration file may contain. `urls` is the list of URLs there; only the command line names a script to run. */
export const configurableOptions = [
  ...Object.entries<OptionRow>(optionRows)
    .filter(([name]) => !['urls', 'config', 'site', 'from', 'earlier-axe'].includes(name))
    .map(([name, { placeholder, isOn = false, isList = false, about }]) => ({
      name,
      isFlag: placeholder === undefined,
      isList,
      about: isOn ? `false: ${about}` : about,
    })),
  ...optionSettings.map(({ option, row: { kind, about } }) => ({
    name: option,
    isFlag: kind === 'flag',
    isList: kind === 'lines' || kind === 'selectors',
    about,
  })),
]

const buildOptionHelp = (): string =>
  [...listOptions(), ...listSettingOptions()].map(([option, about]) => formatHelpLine(option, about)).join('\n')

const formatExitHelp = ([code, scan, gate]: (typeof exitCodeRows)[number]): string =>
  [`  ${String(code).padStart(3)}  scan: ${scan}`, `       gate: ${gate}`].join('\n')

/** Builds the documentation page of the options. */
export function buildOptionTable(): string {
  const escapeCell = (text: string) => text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll(/\*/g, '\\*')
  const rows = [...listOptions(), ...listSettingOptions()].map(([option, about]) => `| \`${option}\` | ${escapeCell(about)} |`)
  const exitRows = exitCodeRows.map((cells) => `| ${cells.map((cell) => escapeCell(String(cell))).join(' | ')} |`)
  const [optionHead, exitHead] = [
    ['# Options of the command line', '', '| Option | Meaning |', '| --- | --- |'],
    ['', '## Exit codes', '', '| Exit | `clearway scan` | `clearway gate` |', '| --- | --- | --- |'],
  ]
  return [...optionHead!, ...rows, ...exitHead!, ...exitRows, ''].join('\n')
}

export const helpText = `Usage: clearway scan <url or PDF file…> [--urls FILE] [options]
       clearway baseline <url…> --output FILE [options]
       clearway gate <url…> --baseline FILE [options]
       clearway gate <url…> --server URL --scan NAME [options]
       clearway init [url…] [--from FILE]

Crawls the pages at and below the URLs, checks them with axe-core and PDFs with its own checker, and writes a report.
baseline writes the issues of a site to a file, gate fails on issues that the file
or a scan on a server does not contain. All but --server needs no server.

${buildOptionHelp()}

Exit codes of a scan, and of a gate:
${exitCodeRows.map(formatExitHelp).join('\n')}

With the server installed: clearway audit verify, backup, migrate, objects, proof, restore, support, user (docs/OPERATING.md).
`
