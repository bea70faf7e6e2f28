import * as z from 'zod/mini'
import { keepOneComment, buildMarker, type CommentThread, type RequestComment } from './comment.ts'
import { cutText, type Environment, type PublishedGate } from './published-gate.ts'
import { listAll, openVendorClient, type SendRequest } from './vendor-request.ts'

const maxNoteLength = 900_000

const Note = z.object({
  id: z.int(),
  body: z.string(),
  system: z._default(z.boolean(), false),
  author: z.object({ id: z.int() }),
})

async function openThread(send: SendRequest, path: string): Promise<CommentThread> {
  const { id: ownId } = z.parse(z.object({ id: z.int() }), await send({ method: 'GET', path: '/user' }))
  const toComment = ({ id, body, system, author }: z.output<typeof Note>): RequestComment => ({
    id,
    body,
    isOwn: !system && author.id === ownId,
  })
  return {
    list: async () => (await listAll(send, `${path}?sort=asc&order_by=created_at&`, Note)).map(toComment),
    create: async (body) => void (await send({ method: 'POST', path, body: { body } })),
    update: async (id, body) => void (await send({ method: 'PUT', path: `${path}/${id}`, body: { body } })),
    remove: async (id) => void (await send({ method: 'DELETE', path: `${path}/${id}` })),
  }
}

/**
 * Shows the result of a gate in GitLab: one note on the merge request. The reports of the job are outputs of the command.
 * @returns one sentence for what could not be shown; null if all was
 */
export async function publishToGitlab({ markdown, name }: PublishedGate, environment: Environment): Promise<string | null> {
  const { CI_API_V4_URL: baseUrl, CI_PROJECT_ID: projectId = '', CI_MERGE_REQUEST_IID: requestNumber = '' } = environment
  if (!/^\d+$/.test(requestNumber)) return null
  const token = environment.GITLAB_TOKEN
  if (!token) return 'No note was written: there is no GITLAB_TOKEN. The token of a job may not write notes.'
  if (!baseUrl || !/^\d+$/.test(projectId)) return 'No note was written: CI_API_V4_URL and CI_PROJECT_ID name no project.'
  const send = openVendorClient({
    name: 'GitLab',
    baseUrl,
    headers: { 'private-token': token },
    reasons: {
      401: 'the token is wrong or expired',
      403: 'the token may not write notes (scope api, role Reporter)',
      404: 'the token does not see the merge request',
      422: 'the note is not accepted',
    },
  })
  const thread = await openThread(send, `/projects/${projectId}/merge_requests/${requestNumber}/notes`)
  const runLink = environment.CI_JOB_URL ? `\n[Details](${environment.CI_JOB_URL})\n` : ''
  await keepOneComment(thread, buildMarker(name), cutText(markdown, maxNoteLength, runLink))
  return null
}
