import { type ProblemCode, problemsByCode } from '@clearway/contract/kit/problem.ts'
import { IssueExport } from '@clearway/contract/monitor/issue/export/schema.ts'
import { driveModes } from '@clearway/contract/monitor/ruleset/drive/schema.ts'
import { RuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import { AdvancedSettings } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import * as z from 'zod/mini'
import { type Baseline, BaselineError, type BaselineIssue, toBaselineHtml, toBaselinePage } from './baseline.ts'
import { readReply } from './read-reply.ts'
import { WrongArgument } from './wrong-argument.ts'

/** Environment variable with the API key: arguments are visible to other users of the machine. */
export const apiKeyVariable = 'CLEARWAY_API_KEY'

/** A scan on a server, by name or id. */
export type ServerSource = { serverUrl: string; scan: string; apiKey: string }

/** @throws WrongArgument for an option without the other ones, and without a key */
export function resolveServerSource(
  serverUrl: string,
  scan: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): ServerSource {
  const parsedUrl = URL.parse(serverUrl)
  if (!parsedUrl || !/^https?:$/.test(parsedUrl.protocol)) throw new WrongArgument(`--server takes a URL, not "${serverUrl}".`)
  if (scan === undefined) throw new WrongArgument('--server needs --scan NAME, the name or id of a scan.')
  const apiKey = environment[apiKeyVariable]?.trim()
  if (!apiKey) throw new WrongArgument(`--server needs an API key in the variable ${apiKeyVariable}.`)
  return { serverUrl: parsedUrl.href.endsWith('/') ? parsedUrl.href.slice(0, -1) : parsedUrl.href, scan, apiKey }
}

/** Origins of a preview and of the site that it previews. */
export type HostMap = { from: string; to: string }

/** Parses the maps of hosts. @throws WrongArgument, also for a host that stands for two others */
export function parseHostMaps(texts: readonly string[]): HostMap[] {
  const hostMaps = texts.map(parseHostMap)
  const ambiguousMap = hostMaps.find(({ from, to }) => hostMaps.some((other) => other.from === from && other.to !== to))
  if (ambiguousMap) throw new WrongArgument(`--map names two URLs for ${ambiguousMap.from}.`)
  return hostMaps
}

/** Parses `https://preview.example=https://www.example.org`. @throws WrongArgument */
function parseHostMap(text: string): HostMap {
  const [from, to, ...extraOrigins] = text.split('=').map((url) => URL.parse(url)?.origin)
  if (from && to && from !== 'null' && to !== 'null' && extraOrigins.length === 0) return { from, to }
  throw new WrongArgument(`--map takes two URLs such as https://preview.example=https://www.example.org, not "${text}".`)
}

const timeoutMs = 60_000
const maxReplyBytes = 300_000_000

const maxProblemBytes = 100_000
const uploadPath = /\/branchRuns$/
const textsByCode: ReadonlyMap<string, string> = new Map([
  ['quota-uploads', 'the uploads of this day are used up; try again tomorrow, or ask an administrator for a higher quota'],
])
const ProblemReply = z.object({ code: z.string() })

/** Returns the code of a problem; null if the reply has none, such as that of a proxy. */
async function readProblemCode(response: Response): Promise<string | null> {
  try {
    return z.parse(ProblemReply, JSON.parse(await readReply(response, maxProblemBytes))).code
  } catch {
    return null
  }
}

/** Says in a clause why a call was refused. The status explains the common refusals, own words of the problem the others. */
async function describeRefusal(response: Response, path: string): Promise<string> {
  const { status } = response
  const code = await readProblemCode(response)
  const statusText = {
    401: `it refuses the API key in ${apiKeyVariable}: it is wrong, expired or revoked`,
    403: uploadPath.test(path)
      ? 'the API key lacks the permission: --upload needs the scope run, and a role that may start runs'
      : 'the API key lacks the permission to read the scan and to export its issues',
    404: 'there is no such scan, or the server is older than this command',
    413: 'the request is larger than the server, or a proxy in front of it, accepts',
    429: 'too many requests; try again in a minute',
  }[status]
  const title = code !== null && Object.hasOwn(problemsByCode, code) ? problemsByCode[code as ProblemCode].title : null
  const otherText = `it answered with HTTP ${status}${title === null ? '' : `: ${title}`}`
  return textsByCode.get(code ?? '') ?? statusText ?? otherText
}

/** Calls the public API. The key follows no redirect. @throws BaselineError with one sentence */
export async function callServer<T>(
  { serverUrl, apiKey }: ServerSource,
  path: string,
  schema: z.ZodMiniType<T>,
  body?: object,
): Promise<T> {
  const fail = (reason: string) => new BaselineError(`The server ${serverUrl} cannot be used: ${reason}.`)
  const text = await fetch(`${serverUrl}/monitor-public-api/v1${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'x-api-key': apiKey, accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  })
    .then(
      async (response) => {
        if (response.ok) return readReply(response, maxReplyBytes)
        throw fail(await describeRefusal(response, path))
      },
      (error: Error) => Promise.reject(fail(error.cause instanceof Error ? error.cause.message : error.message)),
    )
    .catch((error: Error) => Promise.reject(error instanceof BaselineError ? error : fail(error.message)))
  try {
    return z.parse(schema, JSON.parse(text))
  } catch {
    throw fail('its answer is not that of a Clearway server of this version')
  }
}

const Scan = z.object({ id: z.string(), name: z.string(), urls: z.array(z.string()), openIssues: z.unknown() })
const ScanList = z.object({ content: z.array(Scan) })
/** Servers of earlier versions do not tell which pages a run drove. */
const LastRun = z.object({ ruleSet: RuleSet, axeRelease: z.string(), driven: z.optional(z.enum(driveModes)) })
const ScanRules = z.object({ ruleSet: RuleSet, lastRun: z.nullable(LastRun) })

async function findScan(source: ServerSource): Promise<z.output<typeof Scan>> {
  if (z.safeParse(z.uuid(), source.scan).success) return callServer(source, `/scans/${source.scan}`, Scan)
  const { content } = await callServer(source, `/scans?size=500&search=${encodeURIComponent(source.scan)}`, ScanList)
  const [scan, ...namesakes] = content.filter(({ name }) => name === source.scan)
  if (!scan) throw new BaselineError(`The API key sees no scan with the name "${source.scan}" on ${source.serverUrl}.`)
  if (namesakes.length > 0)
    throw new BaselineError(`${namesakes.length + 1} scans have the name "${source.scan}": use the id of one, from its URL.`)
  return scan
}

/** Known issues of a scan, and the scan that has them. */
export type ServerBaseline = { baseline: Baseline; scanId: string }

/**
 * Reads the issues of the newest completed run of a scan as a baseline: also the ignored ones and those that it did not test
 * again. An issue that is fixed is new if it comes back.
 * @throws BaselineError
 */
export async function fetchServerBaseline(source: ServerSource): Promise<ServerBaseline> {
  const scan = await findScan(source)
  if (scan.openIssues === null) throw new BaselineError(`The scan "${scan.name}" has no completed run to compare with.`)
  const rules = await callServer(source, `/scans/${scan.id}/ruleset`, ScanRules)
  const selection = { filters: { scanId: [scan.id] }, selected: { selectAllMode: true } }
  const exported = await callServer(source, '/bulk/issues/export/json', IssueExport, selection)
  const siteHost = URL.parse(scan.urls[0] ?? '')?.host ?? ''
  const settings = z.parse(AdvancedSettings, {})
  const positions = new Map<string, number>()
  const issues = exported.issues
    .filter(({ change }) => change !== 'fixed' && change !== 'page-gone')
    .map(({ pageUrl, rule, elementKey, html }): BaselineIssue => {
      const page = toBaselinePage(pageUrl, settings, siteHost)
      const key = JSON.stringify([page, rule, elementKey])
      const position = positions.get(key) ?? 0
      positions.set(key, position + 1)
      return { page, rule, element: elementKey, position, html: toBaselineHtml(html) }
    })
  const { ruleSet, axeRelease, driven } = rules.lastRun ?? { ...rules, axeRelease: undefined, driven: undefined }
  return { baseline: { ruleSet, axeRelease, driven, issues }, scanId: scan.id }
}
