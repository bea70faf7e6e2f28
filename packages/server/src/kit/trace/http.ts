import type { FastifyInstance } from 'fastify'
import { beginSpan, type Span, within } from './span.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The call in its trace, where traces are kept. */
    span: Span | null
  }
}

const form = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/

/** Makes each call a span, and of the trace that its caller names. */
export function traceCalls(app: FastifyInstance): void {
  app.decorateRequest('span', null)
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, routeOptions, headers } = request
    const route = routeOptions.url ?? 'none'
    const { traceparent } = headers
    request.span = beginSpan(`${method} ${route}`, {
      parent: typeof traceparent === 'string' && form.test(traceparent) ? traceparent : null,
      server: true,
      attributes: { 'http.request.method': method, 'http.route': route },
    })
    within(request.span, done)
  })
  // Reading a body leaves what the hooks before were in.
  app.addHook('preValidation', (request, _reply, done) => within(request.span, done))
  app.addHook('onResponse', (request, reply, done) => {
    const code = reply.statusCode
    request.span?.end({ 'http.response.status_code': code }, code >= 500)
    done()
  })
}
