import type { Config } from '../../../config.ts'
import type { MonitorDb } from '../../database.ts'
import { filterDiscussants } from '../../issue/assignee/store.ts'
import { type DeliveryRow, insertDeliveries } from '../store.ts'
import { quoteBeginning } from './model.ts'
import { readCurrentMentions, findMentionReaders, updateQueuedText, findCommentSubject } from './store.ts'

export type MentionDeps = { config: Config; publicUrl: string }

export type MentionEvent = {
  scanId: string
  issueId: string
  comment: {
    id: string
    text: string
    author: string
    mentions: readonly { id: string; name: string | null }[]
  }
  people: readonly string[]
}

/** Queues a mail to each notified person who has not opted out, in the transaction of the comment; delivered like run mails. */
export async function queueMentionMails(
  { config, publicUrl }: MentionDeps,
  trx: MonitorDb,
  { scanId, issueId, comment, people: personIds }: MentionEvent,
): Promise<void> {
  if (config.CLEARWAY_SMTP_URL === null || personIds.length === 0) return
  const [mailReaders, commentSubject] = [await findMentionReaders(trx, personIds), await findCommentSubject(trx, issueId)]
  if (!commentSubject) return
  const searchParams = new URLSearchParams({ scanId: JSON.stringify([scanId]), issue: issueId })
  const payloadBase = {
    event: 'mentioned' as const,
    scanName: commentSubject.scanName,
    author: comment.author,
    issue: commentSubject.help ?? commentSubject.rule,
    text: quoteBeginning(comment.text, comment.mentions),
    url: `${publicUrl}/monitor/issues?${searchParams}`,
    settingsUrl: `${publicUrl}/monitor/account`,
  }
  const deliveryBase = { kind: 'mail', scanId, webhookId: null, runNumber: null, commentId: comment.id } as const
  // Two people may share an address.
  const languageByAddress = new Map(mailReaders.map(({ email, language }) => [email.toLowerCase(), language]))
  await insertDeliveries(
    trx,
    [...languageByAddress].map(([receiver, language]) => ({
      ...deliveryBase,
      receiver,
      payload: { ...payloadBase, language: language ?? config.CLEARWAY_MAIL_LANGUAGE },
    })),
  )
}

/** Updates queued mails of a comment, so that removed text is not sent. */
export const updateMentionMails = (trx: MonitorDb, comment: Omit<MentionEvent['comment'], 'author'>): Promise<void> =>
  updateQueuedText(trx, comment.id, quoteBeginning(comment.text, comment.mentions))

/**
 * Checks whether a message should still be sent: a mail about a comment only while the comment mentions a person with this address who
 * may read it and has not opted out. A mail server may be unavailable for a day, and withdrawn mentions must not be sent.
 */
export async function shouldStillSend(
  { db }: { db: MonitorDb },
  delivery: Pick<DeliveryRow, 'comment_id' | 'scan_id' | 'receiver'>,
): Promise<boolean> {
  if (delivery.comment_id === null) return true
  const discussantIds = await filterDiscussants(db, delivery.scan_id, await readCurrentMentions(db, delivery))
  const mailReaders = await findMentionReaders(db, discussantIds)
  return mailReaders.some(({ email }) => email.toLowerCase() === delivery.receiver)
}
