import { once } from 'node:events'
import { createServer } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { assemble, writePdf } from '../../fixtures/pdf/write.ts'
import { buildResponse, hostileResponses } from '../../packages/engine/test/hostile-answers.ts'
import { FailureReason } from '../../packages/contract/src/monitor/page/schema.ts'
import { retryPolicies } from '../../packages/engine/src/failure.ts'
import { html } from '../../packages/engine/test/harness.ts'
import { hostilePages, hostileRoutes } from '../../packages/engine/test/hostile-pages.ts'

/** What a scanned site does to the product. */
export type SiteAttack = {
  name: string
  /** Where it is met for the nth time. */
  urlOf(n: number): string
  /** A page without harm that leads to so many of these. */
  startOf(times: number): string
  /** How long a page may take: what is made to wait for its limit waits a short one. */
  pageTimeoutMs: number
  /** The fates that it deserves, joined by ` or `, where one is known. */
  fate: string | null
  /** How often one page of it is visited: what may have been chance is tried again. */
  tries: number
  /** Whether it takes no processor: what is asked for never comes. */
  onlyWaits: boolean
  /** How often it was asked for. */
  met(): number
}

const shortMs = 2000
/** Several at once, of which some take a processor for seconds. */
const longMs = 20_000

const longPath = `/${'a-'.repeat(1900)}`
const links = Array.from({ length: 5000 }, (_, i) => `<a href="${longPath}${i}">x</a>`).join('')
const manyLinks = `<!doctype html><title>Links</title><main>${links}</main>`

const pdfs: Record<string, Buffer> = {
  '/nested.pdf': Buffer.from(`%PDF-1.7\n1 0 obj\n${'['.repeat(3_000_000)}\nendobj\n`),
  '/objects.pdf': Buffer.from(`%PDF-1.7\n${'1 0 obj\n'.repeat(500_000)}`),
  '/circle.pdf': Buffer.from(
    assemble(
      { 1: '<</Type /Catalog /Pages 2 0 R>>', 2: '<</Type /Pages /Kids [2 0 R 2 0 R]>>' },
      '/Root 1 0 R',
    ),
  ),
}
/** Files of many sizes, checked one beside the other, as they once ended the process together. */
const files = Array.from({ length: 60 }, (_, n) => {
  const texts = Array.from({ length: 1 + n }, (_, i) => ({ type: 'P', kids: [`Text ${n} ${i}`] }))
  const kids = [{ type: 'H3', kids: ['Heading'] }, ...texts, { type: 'Figure', kids: ['x'] }]
  return Buffer.from(writePdf({ tags: [{ type: 'Document', kids }] }))
})
const filePath = /^\/file-(\d+)\.pdf$/

const triesOf = (fates: readonly string[]): number =>
  Math.min(
    ...fates.map((fate) => {
      const [status, reason] = fate.split(' ')
      return status === 'failed' ? retryPolicies[FailureReason.parse(reason)].attempts : 1
    }),
  )

type Met = { count(name: string): void; of(name: string): number }
function openMet(): Met {
  const met = new Map<string, number>()
  return {
    count: (name) => void met.set(name, (met.get(name) ?? 0) + 1),
    of: (name) => met.get(name) ?? 0,
  }
}

/** Hostile pages and files, and `starts`, which lead to them. */
const serverOfPages = (met: Met, starts: ReadonlyMap<string, string>) =>
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

/** Answers that are none. */
const serverOfAnswers = (met: Met) =>
  net.createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', (chunk) => {
      const path = /^\w+ ([^\s?]+)/.exec(chunk.toString('latin1'))?.[1] ?? ''
      met.count(`answer ${path}`)
      const sent = hostileResponses[path]?.sent ?? buildResponse('HTTP/1.1 404 No', '', '')
      socket.end(Buffer.from(sent, 'latin1'))
    })
  })

/** A host that seems to be in trouble is asked more and more seldom: such attacks come from many. */
const manyHosts = 25
const hostOf = (n: number) => `127.0.0.${1 + (n % manyHosts)}`

type Listening = { urlOf(host: string): string; close(): void }
/** Lets a server answer under each of the hosts, on one port. */
async function listen(server: net.Server): Promise<Listening> {
  server.listen(0, hostOf(0))
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const others = Array.from({ length: manyHosts - 1 }, (_, n) =>
    net.createServer((socket) => server.emit('connection', socket)).listen(port, hostOf(n + 1)),
  )
  await Promise.all(others.map((other) => once(other, 'listening')))
  return {
    urlOf: (host) => `http://${host}:${port}`,
    close() {
      for (const one of [server, ...others]) one.close()
    },
  }
}

const isTrouble = (fate: string): boolean => /timeout-download|connection-failed/.test(fate)

/** The attack of one name: what is known of it, where it is, and how it is led to. */
type Known = Pick<SiteAttack, 'name' | 'urlOf'> & Partial<SiteAttack>

const attacksOn = (pages: Listening, answers: Listening): Known[] => [
  ...Object.entries(hostilePages).map(([path, { fate }]) => ({
    name: path,
    urlOf: (n: number) => `${pages.urlOf(hostOf(isTrouble(fate) ? n : 0))}${path}?n=${n}`,
    fate,
    pageTimeoutMs: fate.includes('timeout') ? shortMs : longMs,
    tries: triesOf(fate.split(' or ')),
  })),
  ...Object.keys(pdfs).map((path) => ({
    name: path,
    urlOf: (n: number) => `${pages.urlOf(hostOf(0))}${path}?n=${n}`,
  })),
  { name: longPath, urlOf: (n) => `${pages.urlOf(hostOf(0))}${longPath}?n=${n}` },
  { name: '/files', urlOf: (n) => `${pages.urlOf(hostOf(0))}/file-${n}.pdf` },
  ...Object.entries(hostileResponses).map(([path, { status }]) => ({
    name: `answer ${path}`,
    urlOf: (n: number) => `${answers.urlOf(hostOf(n))}${path}?n=${n}`,
    pageTimeoutMs: shortMs,
    onlyWaits: true,
    tries: status === 502 || status === -1 ? retryPolicies['connection-failed'].attempts : 1,
  })),
]

/** Two servers of all that a site may do: hostile pages and files, and answers that are none. */
export async function openAttackSite(): Promise<{ attacks: SiteAttack[]; close(): void }> {
  const met = openMet()
  const starts = new Map<string, string>()
  const [site, raw] = [serverOfPages(met, starts), serverOfAnswers(met)]
  const [pages, answers] = [await listen(site), await listen(raw)]
  const attacks = attacksOn(pages, answers).map((known) => ({
    pageTimeoutMs: longMs,
    fate: null,
    tries: 1,
    onlyWaits: false,
    met: () => met.of(known.name),
    startOf(times: number) {
      const list = Array.from({ length: times }, (_, n) => `<li><a href="${known.urlOf(n)}">${n}</a></li>`)
      const start = `/start/${starts.size}`
      starts.set(start, html('Start', `<ul>${list.join('')}</ul>`))
      return pages.urlOf(hostOf(0)) + start
    },
    ...known,
    name: known.name === longPath ? '5,000 long links' : known.name,
  }))
  return {
    attacks,
    close() {
      site.closeAllConnections()
      pages.close()
      answers.close()
    },
  }
}
