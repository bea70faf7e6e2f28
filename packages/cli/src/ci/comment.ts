import { VendorError } from './vendor-request.ts'

/** A comment of a request; `isOwn`: its author is the caller. */
export type RequestComment = { id: number; body: string; isOwn: boolean }

/** Comments of one pull or merge request. */
export type CommentThread = {
  /** All comments. */
  list(): Promise<RequestComment[]>
  create(body: string): Promise<void>
  update(id: number, body: string): Promise<void>
  remove(id: number): Promise<void>
}

/** First line of a comment, which tells it from those of other scans. Invisible. */
export const buildMarker = (name: string): string => `<!-- clearway:gate:${encodeURIComponent(name).replaceAll('-', '%2D')} -->`

const findOwnComments = async (thread: CommentThread, marker: string): Promise<RequestComment[]> =>
  (await thread.list())
    .filter(({ isOwn, body }) => isOwn && body.startsWith(marker))
    .toSorted((first, second) => first.id - second.id)

const isGone = (error: unknown): boolean => error instanceof VendorError && (error.status === 404 || error.status === 410)

const ignoreGone = (error: unknown): void => {
  if (!isGone(error)) throw error
}

/** Creates a comment. An answer that was lost does not make a second one: the next look finds the first. */
async function createOnce(thread: CommentThread, body: string, marker: string): Promise<void> {
  try {
    await thread.create(body)
  } catch (error) {
    if (!(error instanceof VendorError) || !error.isUnknown) throw error
    if ((await findOwnComments(thread, marker)).length === 0) await thread.create(body)
  }
}

/**
 * Keeps exactly one comment with the marker: updates the oldest one, or creates it, and removes others that a build at the same time
 * created.
 * @param text without the marker
 * @throws VendorError
 */
export async function keepOneComment(thread: CommentThread, marker: string, text: string): Promise<void> {
  const body = `${marker}\n${text}`
  const foundComments = await findOwnComments(thread, marker)
  if (foundComments.length === 0) await createOnce(thread, body, marker)
  const [oldestComment, ...otherComments] = foundComments.length === 0 ? await findOwnComments(thread, marker) : foundComments
  for (const { id } of otherComments) await thread.remove(id).catch(ignoreGone)
  // Another build may have created the one that stays, or a person may have removed it.
  if (!oldestComment || oldestComment.body === body) return
  try {
    await thread.update(oldestComment.id, body)
  } catch (error) {
    ignoreGone(error)
    await createOnce(thread, body, marker)
  }
}
