import type { FastifyInstance } from 'fastify'
import { startSpan, type Span, runInSpan } from './span.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of the call, if tracing is enabled. */
    span: Span | null
  }
}

const traceparentPattern = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/

/** Starts a span for each call, within the trace that its caller names. */
export function addTracing(app: FastifyInstance): void {
  app.decorateRequest('span', null)
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, routeOptions, headers } = request
    const routePattern = routeOptions.url ?? 'none'
    const { traceparent } = headers
    request.span = startSpan(`${method} ${routePattern}`, {
      parent: typeof traceparent === 'string' && traceparentPattern.test(traceparent) ? traceparent : null,
      server: true,
      attributes: { 'http.request.method': method, 'http.route': routePattern },
    })
    runInSpan(request.span, done)
  })
  // Reading the body loses the async context of the previous hooks.
  app.addHook('preValidation', (request, _reply, done) => runInSpan(request.span, done))
  app.addHook('onResponse', (request, reply, done) => {
    const statusCode = reply.statusCode
    request.span?.end({ 'http.response.status_code': statusCode }, statusCode >= 500)
    done()
  })
}
