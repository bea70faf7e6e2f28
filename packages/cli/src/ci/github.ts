import { randomUUID } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import * as z from 'zod/mini'
import type { GateReport } from '../gate.ts'
import type { ReportOutput } from '../output.ts'
import { describeFileProblem } from '../wrong-argument.ts'
import { keepOneComment, buildMarker, type CommentThread, type RequestComment } from './comment.ts'
import { readGithubEvent } from './github-event.ts'
import { cutText, type Environment, type PublishedGate } from './published-gate.ts'
import { listAll, openVendorClient, type SendRequest, VendorError } from './vendor-request.ts'

/** Characters of a comment. */
const maxCommentLength = 65_000
/** GitHub drops a whole summary above one mebibyte. */
const maxSummaryBytes = 1_000_000
/** Annotations of one kind that GitHub shows of a step. */
const maxAnnotations = 10

const Comment = z.object({
  id: z.int(),
  body: z._default(z.nullable(z.string()), ''),
  user: z.nullable(z.object({ id: z.int(), type: z._default(z.string(), '') })),
})

/** Number of the pull request that a workflow runs for; null for others. */
function findPullNumber(environment: Environment): number | null {
  const pullNumber = /^refs\/pull\/(\d{1,9})\//.exec(environment.GITHUB_REF ?? '')?.[1]
  return readGithubEvent(environment).pull_request?.number ?? (pullNumber === undefined ? null : Number(pullNumber))
}

/** Returns the id of the token's user; null for the token of a workflow, which may not ask. */
async function findOwnId(send: SendRequest): Promise<number | null> {
  try {
    return z.parse(z.object({ id: z.int() }), await send({ method: 'GET', path: '/user' })).id
  } catch (error) {
    if (error instanceof VendorError && (error.status === 401 || error.status === 403)) return null
    throw error
  }
}

async function openThread(send: SendRequest, repository: string, pullNumber: number): Promise<CommentThread> {
  const path = `/repos/${repository}/issues`
  const ownId = await findOwnId(send)
  const toComment = ({ id, body, user }: z.output<typeof Comment>): RequestComment => ({
    id,
    body: body ?? '',
    // Comments of other authors stay as they are, even with the marker.
    isOwn: user !== null && (ownId === null ? user.type === 'Bot' : user.id === ownId),
  })
  return {
    list: async () => (await listAll(send, `${path}/${pullNumber}/comments?`, Comment)).map(toComment),
    create: async (body) => void (await send({ method: 'POST', path: `${path}/${pullNumber}/comments`, body: { body } })),
    update: async (id, body) => void (await send({ method: 'PATCH', path: `${path}/comments/${id}`, body: { body } })),
    remove: async (id) => void (await send({ method: 'DELETE', path: `${path}/comments/${id}` })),
  }
}

/** Escapes the text of a workflow command. @param isProperty also escapes what ends a property */
function escapeCommand(text: string, isProperty = false): string {
  const escapedText = text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  return isProperty ? escapedText.replaceAll(':', '%3A').replaceAll(',', '%2C') : escapedText
}

const buildAnnotations = ({ newIssues }: GateReport): string =>
  [...Map.groupBy(newIssues, ({ rule, severity }) => `${severity} ${rule}`).values()]
    .slice(0, maxAnnotations)
    .map((issues) => {
      const { help, rule, severity, url } = issues[0]!
      const title = escapeCommand(`${help} (${severity})`, true)
      const pageCount = new Set(issues.map((issue) => issue.url)).size
      return `::error title=${title}::${escapeCommand(`${rule}: ${issues.length} on ${pageCount} pages, first on ${url}`)}\n`
    })
    .join('')

/**
 * Makes GitHub take no line of a report on standard output for a command: texts of pages are in it. Other formats than the text for
 * people are for programs, and stay as they are.
 * @returns a function that ends it; null if no such report is written
 */
export function holdGithubCommands(outputs: readonly ReportOutput[]): (() => void) | null {
  if (!outputs.some(({ file, format }) => file === null && (format === 'text' || format === 'markdown'))) return null
  const token = randomUUID()
  process.stdout.write(`::stop-commands::${token}\n`)
  return () => void process.stdout.write(`::${token}::\n`)
}

const buildOutputs = ({ totals }: GateReport): string =>
  `new=${totals.new}\nknown=${totals.known}\nfixed=${totals.fixed}\nnot-checked=${totals.notChecked}\n`

/** Appends to the file that GitHub names in a variable, if there is one. Returns a sentence if it cannot be written. */
function append(environment: Environment, variable: 'GITHUB_OUTPUT' | 'GITHUB_STEP_SUMMARY', text: string): string | null {
  const file = environment[variable]
  if (!file) return null
  try {
    appendFileSync(file, text)
    return null
  } catch (error) {
    return `The file of ${variable} cannot be written: ${describeFileProblem(error)}.`
  }
}

const describeRun = ({ GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID }: Environment): string =>
  GITHUB_SERVER_URL && GITHUB_REPOSITORY && GITHUB_RUN_ID
    ? `\n[Details](${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID})\n`
    : ''

/** Writes the comment. @returns one sentence for why there is none; null if there is one, or no pull request. @throws VendorError */
async function writeComment({ markdown, name }: PublishedGate, environment: Environment): Promise<string | null> {
  const { GITHUB_TOKEN: token, GITHUB_REPOSITORY: repository = '' } = environment
  const pullNumber = findPullNumber(environment)
  if (pullNumber === null) return null
  if (!token) return 'No comment was written: there is no GITHUB_TOKEN.'
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) return 'No comment was written: GITHUB_REPOSITORY names no repository.'
  const send = openVendorClient({
    name: 'GitHub',
    baseUrl: environment.GITHUB_API_URL ?? 'https://api.github.com',
    headers: { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json', 'user-agent': 'clearway' },
    reasons: {
      401: 'the token is wrong or expired',
      403: 'the token may not write comments (permission pull-requests: write; tokens of forks only read)',
      404: 'the token does not see the pull request',
      422: 'the comment is not accepted',
    },
  })
  const thread = await openThread(send, repository, pullNumber)
  await keepOneComment(thread, buildMarker(name), cutText(markdown, maxCommentLength - 200, describeRun(environment)))
  return null
}

/**
 * Shows the result of a gate in GitHub: outputs and summary of the step, annotations, and one comment on the pull request.
 * @returns one sentence for why there is no comment; null if there is one, or no pull request. Standard error names unwritable files.
 * @throws VendorError
 */
export async function publishToGithub(gate: PublishedGate, environment: Environment): Promise<string | null> {
  const { gateReport, markdown } = gate
  // Four bytes are the most that a character takes.
  const summary = Buffer.byteLength(markdown) <= maxSummaryBytes ? markdown : cutText(markdown, maxSummaryBytes / 4, '')
  const fileProblems = [
    append(environment, 'GITHUB_OUTPUT', buildOutputs(gateReport)),
    append(environment, 'GITHUB_STEP_SUMMARY', summary),
  ]
  process.stderr.write(buildAnnotations(gateReport))
  for (const problem of fileProblems) if (problem !== null) process.stderr.write(`${problem}\n`)
  return writeComment(gate, environment)
}
