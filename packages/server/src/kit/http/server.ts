import compress from '@fastify/compress'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import { createAddressRule } from '@clearway/contract/kit/address-rule.ts'
import fastify, { type FastifyInstance, type FastifyReply, LogController } from 'fastify'
import { createId } from '../id.ts'
import { recordReply } from '../metrics/http.ts'
import { addTracing } from '../trace/http.ts'
import { getLogTraceFields, runInSpan } from '../trace/span.ts'
import { type DownloadLimits, limitDownloads } from './download.ts'
import { handleError, sendProblem } from './problem.ts'
import { limitRates, type Rates } from './rate.ts'
import { startUploadSweep } from './upload.ts'

/** For a whole request. Forms with files are bounded by their bytes per interval as well. */
const maxRequestMs = 15 * 60_000
/** For the body of a request without files. */
const defaultMaxBodyMs = 60_000

/** Ends requests whose body does not arrive, so that they cannot occupy connections. */
function limitBodyTime(app: FastifyInstance, maxBodyMs: number): void {
  app.addHook('onRequest', async (request) => {
    const { headers, raw: rawRequest } = request
    const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
    if (!hasBody || request.routeOptions.config.receivesFiles) return
    const bodyTimer = setTimeout(() => rawRequest.complete || rawRequest.destroy(), maxBodyMs).unref()
    for (const event of ['end', 'close']) rawRequest.once(event, () => clearTimeout(bodyTimer))
  })
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller's id, after identification. */
    personId: string | null
  }
}

type TrustedProxies = boolean | string[] | ((address: string, hop: number) => boolean)

/** The trusted proxies of the setting. Counted ones have a private address at least for the one that connects. */
function toTrustedProxies(proxies: readonly string[]): TrustedProxies {
  if (proxies.includes('all')) return true
  const [hopCount = ''] = proxies
  const isPublicAddress = createAddressRule([])
  if (/^\d$/.test(hopCount))
    return (address: string, hop: number) => hop < Number(hopCount) && (hop > 0 || !isPublicAddress(address))
  const namedProxies = proxies.filter((proxy) => proxy !== 'none')
  return namedProxies.length > 0 && namedProxies
}

/** Time after which a reply is slow: users notice it. */
const slowReplyMs = 3000

/** Errors and slow replies have levels of their own; event streams stay open, and probes log only changes. */
function getReplyLevel(reply: FastifyReply, elapsedMs: number): 'debug' | 'info' | 'warn' {
  if (reply.request.routeOptions.config.isProbe) return 'debug'
  if (reply.statusCode >= 500) return 'warn'
  const isStream = String(reply.getHeader('content-type')).startsWith('text/event-stream')
  return elapsedMs >= slowReplyMs && !isStream ? 'info' : 'debug'
}

/** Logs one line per reply, with its request id. */
function logReplies(app: FastifyInstance): void {
  app.decorateRequest('personId', null)
  // Logs the route, not the URL: searches and addresses are private.
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions, personId } = request
    const elapsedMs = Math.round(reply.elapsedTime)
    recordReply({ method, route: routeOptions.url ?? null, code: reply.statusCode }, reply.elapsedTime / 1000)
    const logFields = { method, route: routeOptions.url ?? null, status: reply.statusCode, ms: elapsedMs, personId }
    runInSpan(request.span, () => request.log[getReplyLevel(reply, elapsedMs)](logFields, 'answered'))
    done()
  })
}

/** Headers that prevent browsers from loading, embedding or sending to foreign origins. */
async function protectBrowsers(
  app: FastifyInstance,
  { connect, https }: { connect: readonly string[]; https?: boolean },
): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...new Set(connect)],
        manifestSrc: ["'self'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
      },
    },
    // Only the operator knows whether all subdomains support HTTPS.
    strictTransportSecurity: https ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'no-referrer' },
  })
}

/** Collects the routes of a server. The returned function lists the methods of those that match a URL. */
function collectRoutes(app: FastifyInstance): (url: string) => string[] {
  const routes: { pattern: RegExp; methods: readonly string[] }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    // A wildcard serves files and the web application: it says nothing about other methods.
    if (url.includes('*')) return
    const segments = url
      .split('/')
      .map((segment) => (segment.startsWith(':') ? '[^/]+' : segment.replaceAll(/[^\w-]/g, String.raw`\$&`)))
    routes.push({ pattern: new RegExp(`^${segments.join('/')}$`), methods: [method].flat() })
  })
  return (url) => {
    const [path = ''] = url.split('?')
    return [...new Set(routes.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods))].toSorted()
  }
}

/**
 * Creates an HTTP server with the parts that every role needs: request ids, problems instead of stack traces, security headers.
 * @param options.connect foreign origins that the web application connects to
 * @param options.maxBodyMs maximum time for the body of a request without files (default one minute)
 * @param options.https true if the public URL uses https: browsers then never use http again
 * @param options.trustProxy proxies whose `X-Forwarded-For` is trusted: addresses or names, `none`, `all`, or their number
 */
export async function createHttpServer(options: {
  logLevel: string
  connect: readonly string[]
  trustProxy?: readonly string[]
  rates: Rates
  downloads: DownloadLimits
  maxBodyMs?: number
  https?: boolean
}): Promise<FastifyInstance> {
  const app = fastify({
    logger: {
      level: options.logLevel,
      stream: process.stderr,
      redact: ['req.headers.authorization', 'req.headers.cookie'],
      mixin: getLogTraceFields,
    },
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 1024 * 1024,
    // Allows lists of ids and words in a URL; longer ones go into a body.
    http: { maxHeaderSize: 128 * 1024 },
    requestTimeout: maxRequestMs,
    routerOptions: { maxParamLength: 500, ignoreTrailingSlash: false },
    genReqId: () => createId(),
    // A shutdown must not wait for clients that listen to events.
    forceCloseConnections: true,
    trustProxy: toTrustedProxies(options.trustProxy ?? ['loopback']),
    // Refusals of the router itself (a malformed escape, an overlong path) do not reach the error handler.
    frameworkErrors: (error, request, reply) => void handleError(error, request, reply),
  })
  // Clients send the content type even with empty bodies.
  const readJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else void readJson(request, body, done)
  })
  app.setErrorHandler(handleError)
  const findAllowedMethods = collectRoutes(app)
  app.setNotFoundHandler((request, reply) => {
    const allowedMethods = findAllowedMethods(request.url)
    if (allowedMethods.length === 0) return sendProblem(reply, request.id, 'not-found')
    const detail = `It accepts ${allowedMethods.join(', ')}.`
    return sendProblem(reply.header('allow', allowedMethods.join(', ')), request.id, 'method-not-allowed', { detail })
  })
  app.addHook('onSend', async (request, reply) => {
    void reply.header('x-request-id', request.id)
  })
  addTracing(app)
  logReplies(app)
  await limitRates(app, options.rates)
  limitDownloads(app, options.downloads)
  limitBodyTime(app, options.maxBodyMs ?? defaultMaxBodyMs)
  // The start does not wait for it.
  const stopUploadSweep = startUploadSweep()
  app.addHook('onClose', async () => stopUploadSweep())
  await protectBrowsers(app, options)
  // Limits are set by each endpoint; this only registers the parser.
  await app.register(multipart, { throwFileSizeLimit: false })
  await app.register(compress, { global: true, threshold: 1024, encodings: ['br', 'gzip'] })
  return app
}
