import type { FastifyInstance, FastifyRequest } from 'fastify'

type Paged = { page: { number: number; size: number; totalElements: number; totalPages: number } }
const isPaged = (payload: unknown): payload is Paged =>
  typeof payload === 'object' && payload !== null && 'page' in payload && 'content' in payload

function linkTo(request: FastifyRequest, page: number, rel: string): string {
  const url = new URL(request.url, 'http://any')
  url.searchParams.set('page', String(page))
  return `<${url.pathname}${url.search}>; rel="${rel}"`
}

/** Says in headers what a page of a list says in its body: `X-Total-Count`, and `Link` to the pages around it (RFC 8288). */
export function addPagingHeaders(app: FastifyInstance): void {
  app.addHook('preSerialization', async (request, reply, payload) => {
    if (!isPaged(payload)) return payload
    const { number, totalElements, totalPages } = payload.page
    const last = Math.max(0, totalPages - 1)
    const links = [
      linkTo(request, 0, 'first'),
      ...(number > 0 ? [linkTo(request, Math.min(number - 1, last), 'prev')] : []),
      ...(number < last ? [linkTo(request, number + 1, 'next')] : []),
      linkTo(request, last, 'last'),
    ]
    void reply.headers({ 'x-total-count': String(totalElements), link: links.join(', ') })
    return payload
  })
}
