import compress from '@fastify/compress'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import fastify, { type FastifyInstance, LogController } from 'fastify'
import { newId } from '../id.ts'
import { countAnswer } from '../metrics/http.ts'
import { traceCalls } from '../trace/http.ts'
import { traceOfLine, within } from '../trace/span.ts'
import { type DownloadLimits, limitDownloads } from './download.ts'
import { onError, sendProblem } from './problem.ts'
import { limitRates, type Rates } from './rate.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls, once it is known. */
    personId: string | null
  }
}

const trusted = (proxies: readonly string[]): boolean | string[] => {
  if (proxies.includes('all')) return true
  const named = proxies.filter((proxy) => proxy !== 'none')
  return named.length > 0 && named
}

/** A line for each answer at `info`, by its request id. */
function logAnswers(app: FastifyInstance): void {
  app.decorateRequest('personId', null)
  // The route, not the URL: what people look for and whom they write to is nobody's who reads a log.
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions, personId } = request
    const ms = Math.round(reply.elapsedTime)
    countAnswer({ method, route: routeOptions.url ?? null, code: reply.statusCode }, reply.elapsedTime / 1000)
    const line = { method, route: routeOptions.url ?? null, status: reply.statusCode, ms, personId }
    within(request.span, () => request.log.info(line, 'answered'))
    done()
  })
}

/** Headers by which browsers run, show and send nothing that is not ours. */
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
    // Only the owner knows whether the whole host speaks HTTPS, and its other names.
    strictTransportSecurity: https ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'no-referrer' },
  })
}

/**
 * An HTTP server with what every role wants: request ids, problems instead of stack traces, security headers.
 * @param options.connect origins besides our own that the web application talks to
 * @param options.rates calls a minute, see there
 * @param options.downloads see there
 * @param options.https whether people reach it by https: browsers then never come by http again
 * @param options.trustProxy proxies whose `X-Forwarded-For` is believed, by address or word; `none`, or `all`
 */
export async function openServer(options: {
  logLevel: string
  connect: readonly string[]
  trustProxy?: readonly string[]
  rates: Rates
  downloads: DownloadLimits
  https?: boolean
}): Promise<FastifyInstance> {
  const app = fastify({
    logger: {
      level: options.logLevel,
      redact: ['req.headers.authorization', 'req.headers.cookie'],
      mixin: traceOfLine,
    },
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 1024 * 1024,
    // Lists of ids and words in an address; what is longer goes into a body.
    http: { maxHeaderSize: 128 * 1024 },
    routerOptions: { maxParamLength: 500, ignoreTrailingSlash: false },
    genReqId: () => newId(),
    // A stop must not wait for clients that listen to events.
    forceCloseConnections: true,
    trustProxy: trusted(options.trustProxy ?? ['loopback']),
    // What the router itself refuses (a broken escape, an endless path) never gets to the error handler.
    frameworkErrors: (error, request, reply) => void onError(error, request, reply),
  })
  // Every call carries the type, also those that have nothing to say.
  const readJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else void readJson(request, body, done)
  })
  app.setErrorHandler(onError)
  app.setNotFoundHandler((request, reply) => sendProblem(reply, request.id, 'not-found'))
  app.addHook('onSend', async (request, reply) => {
    void reply.header('x-request-id', request.id)
  })
  traceCalls(app)
  logAnswers(app)
  await limitRates(app, options.rates)
  limitDownloads(app, options.downloads)
  await protectBrowsers(app, options)
  // Limits are those of each endpoint; this is only the reader of forms.
  await app.register(multipart, { throwFileSizeLimit: false })
  await app.register(compress, { global: true, threshold: 1024, encodings: ['br', 'gzip'] })
  return app
}
