import { once } from 'node:events'
import { createServer } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { assemblePdf, writePdf } from '../../fixtures/pdf/write.ts'
import { buildResponse, hostileResponses } from '../../packages/engine/test/hostile-answers.ts'
import { FailureReason } from '../../packages/contract/src/monitor/page/schema.ts'
import { retryPolicies } from '../../packages/engine/src/failure.ts'
import { html } from '../../packages/engine/test/harness.ts'
import { hostilePages, hostileRoutes } from '../../packages/engine/test/hostile-pages.ts'

/** An attack of a scanned site on the product. */
export type SiteAttack = {
  name: string
  /** URL of its nth copy. */
  urlOf(n: number): string
  /** URL of a harmless page with links to the given number of copies. */
  startOf(times: number): string
  /** Page timeout. Attacks that exhaust their limit get a short one. */
  pageTimeoutMs: number
  /** Expected fates, joined by ` or `; null if unknown. */
  fate: string | null
  /** Visits of each page, including retries. */
  tries: number
  /** True if it uses no processor time, because the response never arrives. */
  onlyWaits: boolean
  /** Requests so far. */
  met(): number
}

const shortMs = 2000
/** Several at once; some use a processor for seconds. */
const longMs = 20_000

const longPath = `/${'a-'.repeat(1900)}`
const links = Array.from({ length: 5000 }, (_, i) => `<a href="${longPath}${i}">x</a>`).join('')
const manyLinks = `<!doctype html><title>Links</title><main>${links}</main>`

const pdfs: Record<string, Buffer> = {
  '/nested.pdf': Buffer.from(`%PDF-1.7\n1 0 obj\n${'['.repeat(3_000_000)}\nendobj\n`),
  '/objects.pdf': Buffer.from(`%PDF-1.7\n${'1 0 obj\n'.repeat(500_000)}`),
  '/circle.pdf': Buffer.from(
    assemblePdf({ 1: '<</Type /Catalog /Pages 2 0 R>>', 2: '<</Type /Pages /Kids [2 0 R 2 0 R]>>' }, '/Root 1 0 R'),
  ),
}
/** Files of many sizes, checked concurrently, as they once crashed the process together. */
const files = Array.from({ length: 60 }, (_, n) => {
  const paragraphs = Array.from({ length: 1 + n }, (_, i) => ({ type: 'P', kids: [`Text ${n} ${i}`] }))
  const kids = [{ type: 'H3', kids: ['Heading'] }, ...paragraphs, { type: 'Figure', kids: ['x'] }]
  return Buffer.from(writePdf({ tags: [{ type: 'Document', kids }] }))
})
const filePath = /^\/file-(\d+)\.pdf$/

const countTries = (fates: readonly string[]): number =>
  Math.min(
    ...fates.map((fate) => {
      const [status, reason] = fate.split(' ')
      return status === 'failed' ? retryPolicies[FailureReason.parse(reason)].attempts : 1
    }),
  )

type RequestCounter = { count(name: string): void; of(name: string): number }
function createRequestCounter(): RequestCounter {
  const countByName = new Map<string, number>()
  return {
    count: (name) => void countByName.set(name, (countByName.get(name) ?? 0) + 1),
    of: (name) => countByName.get(name) ?? 0,
  }
}

/** Serves hostile pages and files, and `starts`, which link to them. */
const createPageServer = (met: RequestCounter, starts: ReadonlyMap<string, string>) =>
  createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site')
    const number = filePath.exec(pathname)?.[1]
    met.count(number === undefined ? pathname : '/files')
    const pdf = number === undefined ? pdfs[pathname] : files[Number(number) % files.length]
    if (pdf) return void response.writeHead(200, { 'content-type': 'application/pdf' }).end(pdf)
    const route = starts.get(pathname) ?? (pathname === longPath ? manyLinks : hostileRoutes[pathname])
    if (typeof route === 'function') return route(request, response)
    response.writeHead(route === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(route ?? '')
  })

/** Serves invalid responses. */
const createRawServer = (met: RequestCounter) =>
  net.createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', (chunk) => {
      const path = /^\w+ ([^\s?]+)/.exec(chunk.toString('latin1'))?.[1] ?? ''
      met.count(`answer ${path}`)
      const rawResponse = hostileResponses[path]?.sent ?? buildResponse('HTTP/1.1 404 No', '', '')
      socket.end(Buffer.from(rawResponse, 'latin1'))
    })
  })

/** A host that seems overloaded is requested less and less often, so such attacks come from many hosts. */
const hostCount = 25
const getHost = (n: number) => `127.0.0.${1 + (n % hostCount)}`

type Listening = { urlOf(host: string): string; close(): void }
/** Makes a server listen under each of the hosts, on one port. */
async function listen(server: net.Server): Promise<Listening> {
  server.listen(0, getHost(0))
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const otherServers = Array.from({ length: hostCount - 1 }, (_, n) =>
    net.createServer((socket) => server.emit('connection', socket)).listen(port, getHost(n + 1)),
  )
  await Promise.all(otherServers.map((other) => once(other, 'listening')))
  return {
    urlOf: (host) => `http://${host}:${port}`,
    close() {
      for (const listeningServer of [server, ...otherServers]) listeningServer.close()
    },
  }
}

const isOverloadFate = (fate: string): boolean => /timeout-download|connection-failed/.test(fate)

/** An attack by name: the known properties, its URL, and the links to it. */
type AttackDefinition = Pick<SiteAttack, 'name' | 'urlOf'> & Partial<SiteAttack>

const listAttacks = (pages: Listening, rawResponses: Listening): AttackDefinition[] => [
  ...Object.entries(hostilePages).map(([path, { fate }]) => ({
    name: path,
    urlOf: (n: number) => `${pages.urlOf(getHost(isOverloadFate(fate) ? n : 0))}${path}?n=${n}`,
    fate,
    pageTimeoutMs: fate.includes('timeout') ? shortMs : longMs,
    tries: countTries(fate.split(' or ')),
  })),
  ...Object.keys(pdfs).map((path) => ({
    name: path,
    urlOf: (n: number) => `${pages.urlOf(getHost(0))}${path}?n=${n}`,
  })),
  { name: longPath, urlOf: (n) => `${pages.urlOf(getHost(0))}${longPath}?n=${n}` },
  { name: '/files', urlOf: (n) => `${pages.urlOf(getHost(0))}/file-${n}.pdf` },
  ...Object.entries(hostileResponses).map(([path, { status }]) => ({
    name: `answer ${path}`,
    urlOf: (n: number) => `${rawResponses.urlOf(getHost(n))}${path}?n=${n}`,
    pageTimeoutMs: shortMs,
    onlyWaits: true,
    tries: status === 502 || status === -1 ? retryPolicies['connection-failed'].attempts : 1,
  })),
]

/** Starts two servers with everything that a site may do: hostile pages and files, and invalid responses. */
export async function openAttackSite(): Promise<{ attacks: SiteAttack[]; close(): void }> {
  const met = createRequestCounter()
  const starts = new Map<string, string>()
  const [site, raw] = [createPageServer(met, starts), createRawServer(met)]
  const [pages, rawResponses] = [await listen(site), await listen(raw)]
  const attacks = listAttacks(pages, rawResponses).map((definition) => ({
    pageTimeoutMs: longMs,
    fate: null,
    tries: 1,
    onlyWaits: false,
    met: () => met.of(definition.name),
    startOf(times: number) {
      const linkList = Array.from({ length: times }, (_, n) => `<li><a href="${definition.urlOf(n)}">${n}</a></li>`)
      const start = `/start/${starts.size}`
      starts.set(start, html('Start', `<ul>${linkList.join('')}</ul>`))
      return pages.urlOf(getHost(0)) + start
    },
    ...definition,
    name: definition.name === longPath ? '5,000 long links' : definition.name,
  }))
  return {
    attacks,
    close() {
      site.closeAllConnections()
      pages.close()
      rawResponses.close()
    },
  }
}
