import * as z from 'zod/mini'
import { defineEndpoints } from '../../kit/endpoint.ts'
import { ScanId } from '../../kit/id.ts'
import { NewPublicToken, PublicToken, PublicTokenBody } from './schema.ts'

const tokenEndpoint = { path: '/scans/{id}/public-token', permission: 'scan.manage', params: z.object({ id: ScanId }) } as const

export const shareApi = defineEndpoints({
  readPublicToken: { ...tokenEndpoint, method: 'GET', summary: 'Whether a scan is shared publicly', reply: PublicToken },
  createPublicToken: {
    ...tokenEndpoint,
    method: 'POST',
    summary: 'Creates the public link of a scan; an older link stops working at once',
    body: PublicTokenBody,
    reply: NewPublicToken,
    status: 201,
    problems: ['locked-by-preset'],
  },
  deletePublicToken: {
    ...tokenEndpoint,
    method: 'DELETE',
    summary: 'Stops sharing: the link stops working at once',
    reply: { empty: true },
    status: 204,
  },
})
