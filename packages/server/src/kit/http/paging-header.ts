import type { FastifyInstance, FastifyRequest } from 'fastify'

type PagedReply = { page: { number: number; size: number; totalElements: number; totalPages: number } }
const isPagedReply = (payload: unknown): payload is PagedReply =>
  typeof payload === 'object' && payload !== null && 'page' in payload && 'content' in payload

function buildPageLink(request: FastifyRequest, page: number, relation: string): string {
  const pageUrl = new URL(request.url, 'http://any')
  pageUrl.searchParams.set('page', String(page))
  return `<${pageUrl.pathname}${pageUrl.search}>; rel="${relation}"`
}

/** Adds headers that repeat the paging data of the body: `X-Total-Count`, and `Link` to the neighboring pages (RFC 8288). */
export function addPagingHeaders(app: FastifyInstance): void {
  app.addHook('preSerialization', async (request, reply, payload) => {
    if (!isPagedReply(payload)) return payload
    const { number: pageNumber, totalElements, totalPages } = payload.page
    const lastPage = Math.max(0, totalPages - 1)
    const pageLinks = [
      buildPageLink(request, 0, 'first'),
      ...(pageNumber > 0 ? [buildPageLink(request, Math.min(pageNumber - 1, lastPage), 'prev')] : []),
      ...(pageNumber < lastPage ? [buildPageLink(request, pageNumber + 1, 'next')] : []),
      buildPageLink(request, lastPage, 'last'),
    ]
    void reply.headers({ 'x-total-count': String(totalElements), link: pageLinks.join(', ') })
    return payload
  })
}
