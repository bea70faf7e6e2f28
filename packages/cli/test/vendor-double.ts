import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'

// A stand-in for the comments of GitHub and GitLab, which cannot run here: it refuses each request that the vendor's own
// description does not have, and can fail in the ways that networks and vendors do.

export type Vendor = 'github' | 'gitlab'
/** Answer to the next matching request. `after`: the comment is written all the same. */
export type Fault = {
  method: string
  kind: 'status' | 'reset' | 'hang'
  status?: number
  headers?: Record<string, string>
  after?: boolean
}
export type StoredComment = { id: number; body: string; author: { id: number; type: 'Bot' | 'User' }; system?: boolean }

type Operation = { requestBody?: object; parameters?: Parameter[] }
type Parameter = { $ref?: string; name: string; in: string }
type ApiDocument = {
  paths: Record<string, Record<string, Operation> & { parameters?: Parameter[] }>
  components: { parameters?: Record<string, Parameter> }
}

const readDocument = (vendor: Vendor): ApiDocument =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../../../fixtures/vendor/${vendor}.openapi.json`), 'utf8')) as ApiDocument

const escapePointer = (text: string) => text.replaceAll('~', '~0').replaceAll('/', '~1')

/** Checks requests by the description of a vendor. */
function openRequestCheck(vendor: Vendor) {
  const document = readDocument(vendor)
  const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false })
  ajv.addSchema(document, vendor)
  return (method: string, path: string, query: URLSearchParams, body: string): string | null => {
    const template = Object.keys(document.paths).find((candidate) =>
      new RegExp(`^${candidate.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
    )
    const operation = template === undefined ? undefined : document.paths[template]![method.toLowerCase()]
    if (!operation || template === undefined) return `no such operation: ${method} ${path}`
    const parameters = [...(operation.parameters ?? []), ...(document.paths[template]!.parameters ?? [])].map((parameter) =>
      parameter.$ref ? document.components.parameters![parameter.$ref.split('/').at(-1)!]! : parameter,
    )
    const unknownParameter = [...query.keys()].find(
      (name) => !parameters.some((parameter) => parameter.in === 'query' && parameter.name === name),
    )
    if (unknownParameter !== undefined) return `no such parameter: ${unknownParameter}`
    if (!operation.requestBody) return body === '' ? null : 'a body that is not expected'
    const pointer = `${vendor}#/paths/${escapePointer(template)}/${method.toLowerCase()}/requestBody/content/application~1json/schema`
    const validate = ajv.compile({ $ref: pointer })
    return validate(JSON.parse(body)) ? null : ajv.errorsText(validate.errors)
  }
}

/** Form of a comment in an answer. */
const replies: Record<Vendor, (comment: StoredComment) => object> = {
  github: ({ id, body, author }) => ({ id, body, user: { login: 'someone', id: author.id, type: author.type } }),
  gitlab: ({ id, body, author, system = false }) => ({ id, body, system, author: { id: author.id, username: 'someone' } }),
}

/** Longest comment that a vendor accepts. */
const maxLengths: Record<Vendor, number> = { github: 65_536, gitlab: 1_000_000 }

export type VendorDouble = {
  url: string
  comments: StoredComment[]
  /** Requests that the vendor's description does not have. */
  violations: string[]
  requests: string[]
  /** Faults of the next requests, each once. */
  faults: Fault[]
  close: () => Promise<void>
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

type TokenUser = { id: number; type: 'Bot' | 'User'; canAsk: boolean }
type Reply = [status: number, body?: unknown, headers?: Record<string, string>]

/** Comments of a request, with the operations of a vendor on them. */
function openComments(vendor: Vendor, user: TokenUser, comments: StoredComment[]) {
  let lastId = 100
  return (method: string, url: URL, body: string): Reply => {
    if (url.pathname === '/user') return user.canAsk ? [200, { id: user.id }] : [403, { message: 'Resource not accessible' }]
    const commentId = Number(/\/(?:comments|notes)\/(\d+)$/.exec(url.pathname)?.[1] ?? 0)
    const comment = comments.find(({ id }) => id === commentId)
    if (commentId > 0 && !comment) return [404, { message: 'Not Found' }]
    if (method === 'GET') {
      const size = Number(url.searchParams.get('per_page'))
      const start = (Number(url.searchParams.get('page')) - 1) * size
      return [200, comments.slice(start, start + size).map(replies[vendor])]
    }
    if (method === 'DELETE') {
      comments.splice(comments.indexOf(comment!), 1)
      return [204]
    }
    const { body: text } = JSON.parse(body) as { body: string }
    if (text.length > maxLengths[vendor]) return [422, { message: 'body is too long' }]
    if (method !== 'POST') return [200, replies[vendor](Object.assign(comment!, { body: text }))]
    const created: StoredComment = { id: (lastId += 1), body: text, author: { id: user.id, type: user.type } }
    comments.push(created)
    return [201, replies[vendor](created)]
  }
}

const hasToken = (vendor: Vendor, { authorization, 'private-token': privateToken }: IncomingMessage['headers']): boolean =>
  vendor === 'github' ? authorization === 'Bearer good' : privateToken === 'good'

/** @param user the token's user; `canAsk`: it may ask who it is, which the token of a workflow may not */
export async function openVendorDouble(vendor: Vendor, user: TokenUser): Promise<VendorDouble> {
  const check = openRequestCheck(vendor)
  const double: Omit<VendorDouble, 'url' | 'close'> = { comments: [], violations: [], requests: [], faults: [] }
  const carryOut = openComments(vendor, user, double.comments)
  const handle = (request: IncomingMessage, body: string): Reply | 'reset' | 'hang' => {
    const url = new URL(request.url!, 'http://vendor')
    const method = request.method!
    double.requests.push(`${method} ${url.pathname}`)
    if (!hasToken(vendor, request.headers)) return [401, { message: 'Bad credentials' }]
    const violation = check(method, url.pathname, url.searchParams, body)
    if (violation !== null) {
      double.violations.push(violation)
      return [422, { message: violation }]
    }
    const faultIndex = double.faults.findIndex((fault) => fault.method === method && url.pathname !== '/user')
    const [fault] = faultIndex < 0 ? [] : double.faults.splice(faultIndex, 1)
    const reply = !fault || fault.after ? carryOut(method, url, body) : null
    if (!fault) return reply!
    return fault.kind === 'status' ? [fault.status!, { message: 'fault' }, fault.headers ?? {}] : fault.kind
  }
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    void readBody(request).then((body) => {
      const reply = handle(request, body)
      if (reply === 'hang') return
      if (reply === 'reset') return void response.socket!.destroy()
      const [status, content, headers = {}] = reply
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(content === undefined ? '' : JSON.stringify(content))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    ...double,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
