import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { AdvancedSettings } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import { AxeVersion, defaultRuleSet, Impact, type RuleSet, StandardId } from '@clearway/contract/monitor/ruleset/schema.ts'
import { CrawlOrder } from '@clearway/contract/monitor/run/order/schema.ts'
import { findUrlFault } from '@clearway/contract/monitor/scan/model.ts'
import { findDomainErrors } from '@clearway/contract/monitor/scan/settings/model.ts'
import { ExtraHeader } from '@clearway/contract/monitor/scan/crawl/schema.ts'
import { decodeFileText } from '@clearway/contract/kit/decode-text.ts'
import type { PlannedForm } from '@clearway/contract/monitor/session/model.ts'
import * as z from 'zod/mini'
import { type Baseline, BaselineError, parseBaseline } from './baseline.ts'
import { readConfigFile } from './config-file.ts'
import { importConfig } from './import-config.ts'
import type { ImportedConfig } from './imported-config.ts'
import {
  type BuildSystem,
  buildSystems,
  defaultConcurrency,
  defaultPageLimit,
  getUnitMs,
  optionSettings,
  parseOptions,
  reportFormats,
  settingOptions,
} from './options.ts'
import { type ReportOutput, resolveOutputs } from './output.ts'
import { type HostMap, parseHostMaps, resolveServerSource, type ServerBaseline, type ServerSource } from './server-baseline.ts'
import { resolveBranch, type UploadTarget } from './branch-facts.ts'
import { resolveServedTargets } from './serve-folder.ts'
import { resolveSignIn } from './sign-in.ts'
import { type FileSettings, readSettingsFile } from './settings-file.ts'
import { readOptionFile, WrongArgument } from './wrong-argument.ts'

export type ScanArguments = {
  urls: string[]
  /** Local PDF files, checked without a crawl. */
  files: string[]
  /** Check PDFs only by the PDF/UA-1 profile. */
  onlyPdfUa: boolean
  /** Also check PDFs found by the crawl. */
  pdf: boolean
  pageLimit: number
  depth: number | null
  ruleSet: RuleSet
  /** Hosts that belong to the scan besides those of the URLs. */
  domains: string[]
  sitemaps: string[]
  /** Settings of a file for which there are no options. */
  settings: FileSettings | null
  concurrency: number
  /** Sign-in by a form. */
  signIn?: PlannedForm
  /** Advanced scan settings given on the command line. */
  advanced: z.input<typeof AdvancedSettings>
  allowPrivate: boolean
  sandbox: boolean
  outputs: ReportOutput[]
  /** Fails on this impact and worse ones: `serious` fails on serious and critical. */
  failOn: Impact | null
  minScore: number | null
  /** Folder that is served for the scan. */
  servedFolder?: string
  /** For a gate: origins of pages, and those of the same pages in the baseline. */
  hostMaps?: HostMap[]
}

export type GateArguments = {
  baseline: Baseline
  failsIfIncomplete: boolean
  /** Build system that shows the result; `name` tells this gate from others of the same request. */
  publishTo: { system: BuildSystem; name: string } | null
  /** Release of axe-core of the baseline, in a file that the command line names. */
  earlierAxe?: { file: string; release: string }
  /** Server that stores the result. */
  uploadTo?: UploadTarget
}

export type ParsedArguments =
  | { kind: 'scan'; arguments: ScanArguments }
  | { kind: 'baseline'; arguments: ScanArguments }
  | { kind: 'gate'; arguments: ScanArguments; gate: GateArguments }
  /** A gate whose baseline is on a server; `resolve` has the rest. */
  | { kind: 'server-gate'; source: ServerSource; resolve: (serverBaseline: ServerBaseline) => ParsedArguments }
  | { kind: 'init'; imported: ImportedConfig }
  | { kind: 'help' }
  | { kind: 'version' }
  | { kind: 'wrong'; message: string }
  /** The baseline cannot be used. */
  | { kind: 'unusable'; message: string }

function parseWholeNumber(name: string, value: string | undefined, minValue: number, maxValue: number): number | null {
  if (value === undefined) return null
  if (!/^\d{1,7}$/.test(value) || Number(value) < minValue || Number(value) > maxValue)
    throw new WrongArgument(`--${name} takes a whole number from ${minValue} to ${maxValue}, not "${value}".`)
  return Number(value)
}

function parseChoice<const T extends string>(name: string, value: string | undefined, allowed: readonly T[]): T | null {
  if (value === undefined) return null
  const matchingOption = allowed.find((option) => option === value)
  if (!matchingOption) throw new WrongArgument(`--${name} takes one of ${allowed.join(', ')}, not "${value}".`)
  return matchingOption
}

/** `pdfua1` is a standard for PDFs only; pages are tested by the default standard. */
const parseStandard = (value: string | undefined) => {
  const parsedStandard = parseChoice('standard', value, [...StandardId.options, 'pdfua1'])
  return parsedStandard === null || parsedStandard === 'pdfua1' ? defaultRuleSet.standard : parsedStandard
}

function parseScore(value: string | undefined): number | null {
  if (value === undefined) return null
  if (!/^(0(\.\d+)?|1(\.0+)?)$/.test(value)) throw new WrongArgument(`--min-score takes a number from 0 to 1, not "${value}".`)
  return Number(value)
}

/** Parses the settings on the command line; numbers are in the unit of the form. */
function parseSettings(values: Readonly<Record<string, string | boolean | undefined>>): ScanArguments['advanced'] {
  const settingEntries = optionSettings.flatMap(({ name, row, option }): [string, unknown][] => {
    const optionValue = values[option]
    if (optionValue === undefined) return []
    if (row.min === undefined || row.max === undefined) {
      if (z.safeParse(row.schema, optionValue).success) return [[name, optionValue]]
      throw new WrongArgument(`--${option} cannot be ${JSON.stringify(optionValue)}.`)
    }
    const unitMs = getUnitMs(row)
    const parsedNumber = parseWholeNumber(option, String(optionValue), Math.ceil(row.min / unitMs), Math.floor(row.max / unitMs))
    return parsedNumber === null ? [] : [[name, parsedNumber * unitMs]]
  })
  return Object.fromEntries(settingEntries)
}

/** Returns true for a path to a PDF: it ends in .pdf, has no scheme, and is not a host name with a path. */
const isFilePath = (targetText: string): boolean =>
  !/^[a-z][a-z0-9+.-]+:\/\//i.test(targetText) &&
  (existsSync(targetText) || (/\.pdf$/i.test(targetText) && !/^[^/]+\.[a-z]{2,}\//i.test(targetText)))

/** Returns a start URL for the engine. The default scheme is http for this machine, otherwise https. */
function parseStartUrl(targetText: string): string {
  const defaultScheme = /^(localhost|127\.|\[::1\])/.test(targetText) ? 'http' : 'https'
  const urlWithScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(targetText) ? targetText : `${defaultScheme}://${targetText}`
  const parsedUrl = URL.parse(urlWithScheme)
  if (!parsedUrl?.hostname) throw new WrongArgument(`"${targetText}" is not a URL.`)
  const urlProblem = findUrlFault(urlWithScheme)
  if (urlProblem === 'url-scheme') throw new WrongArgument(`"${targetText}": only http and https URLs can be scanned.`)
  if (urlProblem === 'url-credentials')
    throw new WrongArgument(
      `The URL of ${parsedUrl.host} contains a user name or password. Leave them out: every report would contain them.`,
    )
  return parsedUrl.href
}

/** Reads URLs from a file or standard input. Skips empty lines and those that start with #. */
function readListedUrls(file: string | undefined): string[] {
  if (file === undefined) return []
  const trimmedLines = decodeFileText(readOptionFile('urls', file === '-' ? 0 : file))
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
  const listedUrls = trimmedLines.filter((line) => line !== '' && !line.startsWith('#'))
  if (listedUrls.length === 0) throw new WrongArgument('--urls found no URL.')
  return listedUrls
}

/** Parses `Name: value`. */
function parseHeader(headerText: string): ExtraHeader {
  const [, name = '', value = ''] = /^([^:]*):(.*)$/s.exec(headerText) ?? []
  const parsedHeader = z.safeParse(ExtraHeader, { name: name.trim(), value: value.trim() })
  if (parsedHeader.success) return parsedHeader.data
  throw new WrongArgument(`--header takes "Name: value" with a name that browsers do not set themselves, not "${name.trim()}".`)
}

function parseDomain(domainText: string): string {
  if (findDomainErrors('domain', [domainText]).length === 0) return domainText
  throw new WrongArgument(`--domain takes a host such as example.org or *.example.org, not "${domainText}".`)
}

/** Advanced settings of a file, of their own options, and of options with a form of their own. */
const mergeAdvanced = (
  fileSettings: FileSettings | null,
  optionValues: ScanArguments['advanced'],
  { ignoresRobots, headers }: { ignoresRobots: boolean | undefined; headers: readonly string[] },
): ScanArguments['advanced'] => ({
  ...fileSettings?.advanced,
  ...optionValues,
  ...(ignoresRobots === undefined ? {} : { respectRobots: !ignoresRobots }),
  ...(headers.length > 0 ? { extraHeaders: [...(fileSettings?.advanced.extraHeaders ?? []), ...headers.map(parseHeader)] } : {}),
})

/** Values of the options that are read by name. */
type OptionValues = ReturnType<typeof parseArgs<{ options: typeof parseOptions }>>['values']

function resolveRuleSet(values: OptionValues, fileRuleSet: RuleSet | undefined): RuleSet {
  const baseRuleSet = fileRuleSet ?? defaultRuleSet
  const isPdfUa = values.standard === 'pdfua1'
  return {
    standard: values.standard === undefined ? baseRuleSet.standard : parseStandard(values.standard),
    axeVersion: parseChoice('axe', values.axe, AxeVersion.options) ?? baseRuleSet.axeVersion,
    bestPractices: values['best-practices'] ?? baseRuleSet.bestPractices,
    experimental: values.experimental ?? baseRuleSet.experimental,
    pdfUa: isPdfUa || (fileRuleSet?.pdfUa ?? false),
  }
}

/** @throws WrongArgument */
function resolveArguments(values: OptionValues, namedTargets: readonly string[], givenRuleSet?: RuleSet): ScanArguments {
  const listedTargets = [...namedTargets, ...readListedUrls(values.urls)]
  const targetTexts = values.serve === undefined ? listedTargets : resolveServedTargets(values.serve, listedTargets)
  if (targetTexts.length === 0 && values.settings === undefined)
    throw new WrongArgument('Which URL? clearway scan https://example.org')
  const namedUrls = [...new Set(targetTexts.filter((url) => !isFilePath(url)).map(parseStartUrl))]
  const fileSettings = values.settings === undefined ? null : readSettingsFile(values.settings, process.env, namedUrls)
  const startUrls = fileSettings?.urls ?? namedUrls
  const signIn = resolveSignIn(
    {
      url: values['sign-in'],
      user: values.user,
      passwordFile: values['password-file'],
      codeSecretFile: values['code-secret-file'],
    },
    process.env,
    parseStartUrl,
  )
  const isOnlyPdfUa = values.standard === 'pdfua1'
  const order = parseChoice('order', values.order, CrawlOrder.options)
  const testsPdfs = fileSettings?.advanced.mimeTypes?.includes('application/pdf') ?? isOnlyPdfUa
  return {
    urls: startUrls,
    files: targetTexts.filter(isFilePath),
    onlyPdfUa: isOnlyPdfUa,
    pdf: (values.pdf ?? testsPdfs) || targetTexts.some((url) => /\.pdf([?#]|$)/i.test(url)),
    pageLimit:
      parseWholeNumber('page-limit', values['page-limit'], 1, 1_000_000) ??
      fileSettings?.pageLimit ??
      Math.max(defaultPageLimit, startUrls.length),
    depth: parseWholeNumber('depth', values.depth, 0, 1000) ?? fileSettings?.depth ?? null,
    ruleSet: resolveRuleSet(values, givenRuleSet ?? fileSettings?.ruleSet),
    domains: (values.domain ?? []).map(parseDomain),
    sitemaps: (values.sitemap ?? []).map(parseStartUrl),
    settings: fileSettings,
    ...(signIn && { signIn }),
    ...(values.serve !== undefined && { servedFolder: values.serve }),
    concurrency: parseWholeNumber('concurrency', values.concurrency, 1, 64) ?? defaultConcurrency,
    advanced: {
      representativeOrder: fileSettings?.advanced.representativeOrder ?? true,
      ...mergeAdvanced(fileSettings, parseSettings(values as Parameters<typeof parseSettings>[0]), {
        ignoresRobots: values['ignore-robots'],
        headers: values.header ?? [],
      }),
      ...(order === null ? {} : { representativeOrder: order === 'representative' }),
    },
    allowPrivate: values['allow-private'] ?? false,
    sandbox: values.sandbox ?? true,
    outputs: resolveOutputs(parseChoice('format', values.format, reportFormats), values.output ?? []),
    failOn: parseChoice('fail-on', values['fail-on'], Impact.options),
    minScore: parseScore(values['min-score']),
  }
}

function readBaseline(file: string): Baseline {
  try {
    return parseBaseline(decodeFileText(readOptionFile('baseline', file)), file)
  } catch (error) {
    // Another exit code than for other files.
    throw error instanceof WrongArgument ? new BaselineError(error.message) : error
  }
}

function readEarlierAxe(file: string): NonNullable<GateArguments['earlierAxe']> {
  const release = /^\/\*! axe v(\d{1,4}\.\d{1,4}\.\d{1,4})\s/.exec(decodeFileText(readOptionFile('earlier-axe', file)))?.[1]
  if (release !== undefined) return { file, release }
  throw new WrongArgument(`--earlier-axe takes the axe.min.js of a release of axe-core, not ${file}.`)
}

type ParsedGate = Extract<ParsedArguments, { kind: 'gate' }>

function resolveGate(values: OptionValues, namedTargets: readonly string[], baseline: Baseline): ParsedGate {
  // The rules and the driven pages of the baseline apply, so that other tests alone make nothing new.
  const ownArguments = resolveArguments(values, namedTargets, baseline.ruleSet)
  const { driven = ownArguments.advanced.driven } = baseline
  const scanArguments = { ...ownArguments, advanced: { ...ownArguments.advanced, ...(driven && { driven }) } }
  const hostMaps = parseHostMaps(values.map ?? [])
  const buildSystem = parseChoice('ci', values.ci, buildSystems)
  return {
    kind: 'gate',
    arguments: hostMaps.length > 0 ? { ...scanArguments, hostMaps } : scanArguments,
    gate: {
      baseline,
      failsIfIncomplete: values['fail-on-incomplete'] ?? false,
      ...(values['earlier-axe'] !== undefined && { earlierAxe: readEarlierAxe(values['earlier-axe']) }),
      publishTo: buildSystem && { system: buildSystem, name: values.scan ?? values.site ?? 'site' },
    },
  }
}

function parseGate(values: OptionValues, namedTargets: readonly string[]): ParsedArguments {
  if (values.server !== undefined) {
    if (values.baseline !== undefined) throw new WrongArgument('A gate compares with --baseline or --server, not with both.')
    const source = resolveServerSource(values.server, values.scan, process.env)
    // Reports wrong usage before the first call to the server.
    resolveGate(values, namedTargets, { ruleSet: defaultRuleSet, issues: [] })
    const branchFacts = values.upload ? resolveBranch(values.branch, process.env) : null
    return {
      kind: 'server-gate',
      source,
      resolve: ({ baseline, scanId }) => {
        const parsed = resolveGate(values, namedTargets, baseline)
        return branchFacts === null ? parsed : { ...parsed, gate: { ...parsed.gate, uploadTo: { source, scanId, branchFacts } } }
      },
    }
  }
  if (values.upload) throw new WrongArgument('--upload stores the result with a scan: name it with --server URL --scan NAME.')
  if (values.baseline === undefined)
    throw new WrongArgument('Which baseline? clearway gate https://example.org --baseline FILE, or --server URL --scan NAME')
  return resolveGate(values, namedTargets, readBaseline(values.baseline))
}

/** @throws WrongArgument, BaselineError */
function parseCommand(values: OptionValues, [commandName, ...namedTargets]: readonly string[]): ParsedArguments {
  if (commandName === 'gate') return parseGate(values, namedTargets)
  if (commandName === 'baseline' && (values.output?.length ?? 0) > 1) throw new WrongArgument('A baseline has one --output.')
  if (commandName === 'scan' || commandName === 'baseline')
    return { kind: commandName, arguments: resolveArguments(values, namedTargets) }
  throw new WrongArgument(`Unknown command "${commandName ?? ''}". There are scan, baseline, gate and init: clearway scan <url…>`)
}

function parseInit({ from, ...values }: OptionValues, namedTargets: readonly string[]): ParsedArguments {
  const [unusedName] = Object.keys(values)
  if (unusedName !== undefined) throw new WrongArgument(`init takes no --${unusedName}: add it to the file.`)
  const imported = from === undefined ? { config: {}, missing: [] } : importConfig(from)
  const namedUrls = namedTargets.map(parseStartUrl)
  return {
    kind: 'init',
    imported: namedUrls.length > 0 ? { ...imported, config: { ...imported.config, urls: namedUrls } } : imported,
  }
}

/** Options that exclude each other: one on the command line leaves out the other one of the file. */
const exclusiveOptions: readonly (readonly [string, string])[] = [
  ['baseline', 'server'],
  ['server', 'baseline'],
]

/** Adds the options and URLs of a configuration file that the command line does not name. @throws WrongArgument */
function addConfig(values: OptionValues, positionals: readonly string[]): [OptionValues, readonly string[]] {
  const fileOptions = readConfigFile(values.config, values.site)
  if (fileOptions === null) return [values, positionals]
  const [commandName = '', ...namedTargets] = positionals
  const omittedNames = exclusiveOptions.flatMap(([named, omitted]) => (Object.hasOwn(values, named) ? [omitted] : []))
  const fileValues = Object.entries(fileOptions.values).filter(([name]) => !omittedNames.includes(name))
  const namesTargets = namedTargets.length > 0 || values.urls !== undefined
  return [
    { ...(Object.fromEntries(fileValues) as OptionValues), ...values },
    namesTargets ? positionals : [commandName, ...fileOptions.urls],
  ]
}

/** Parses the command line. Never throws. */
export function parseArguments(argv: readonly string[]): ParsedArguments {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      // The type covers only the options that are read by name.
      options: { ...parseOptions, ...settingOptions } as typeof parseOptions,
      allowPositionals: true,
      allowNegative: true,
      strict: true,
    })
    if (values.help || argv.length === 0) return { kind: 'help' }
    if (values.version) return { kind: 'version' }
    if (positionals[0] === 'init') return parseInit(values, positionals.slice(1))
    return parseCommand(...addConfig(values, positionals))
  } catch (error) {
    if (error instanceof WrongArgument) return { kind: 'wrong', message: error.message }
    if (error instanceof BaselineError) return { kind: 'unusable', message: error.message }
    // parseArgs reports unknown options and missing values by error codes.
    if (error instanceof TypeError && 'code' in error) return { kind: 'wrong', message: error.message.split('. To specify')[0]! }
    throw error
  }
}
