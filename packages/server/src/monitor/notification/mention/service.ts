import type { Config } from '../../../config.ts'
import type { MonitorDb } from '../../database.ts'
import { filterDiscussants } from '../../issue/assignee/store.ts'
import { type DeliveryRow, insertDeliveries } from '../store.ts'
import { beginningOf } from './model.ts'
import { mentionedNow, mentionReaders, retell, subjectOfComment } from './store.ts'

/** What mails need: whether they can be sent, and where they lead. */
export type MentionDeps = { config: Config; publicUrl: string }

export type Mentioning = {
  scanId: string
  issueId: string
  comment: {
    id: string
    text: string
    author: string
    /** Everybody whom it mentions, as they are called. */
    mentions: readonly { id: string; name: string | null }[]
  }
  /** Ids of those whom it notifies. */
  people: readonly string[]
}

/**
 * Writes a mail to each of those whom a comment notifies that it mentions them, as they have said they want it; it goes out as those
 * of ended runs do. @param trx the transaction that writes the comment
 */
export async function mailMentioned(
  { config, publicUrl }: MentionDeps,
  trx: MonitorDb,
  { scanId, issueId, comment, people }: Mentioning,
): Promise<void> {
  if (config.CLEARWAY_SMTP_URL === null || people.length === 0) return
  const [readers, subject] = [await mentionReaders(trx, people), await subjectOfComment(trx, issueId)]
  if (!subject) return
  const search = new URLSearchParams({ scanId: JSON.stringify([scanId]), issue: issueId })
  const said = {
    event: 'mentioned' as const,
    scanName: subject.scanName,
    author: comment.author,
    issue: subject.help ?? subject.rule,
    text: beginningOf(comment.text, comment.mentions),
    url: `${publicUrl}/monitor/issues?${search}`,
    settingsUrl: `${publicUrl}/monitor/account`,
  }
  const about = { kind: 'mail', scanId, webhookId: null, runNumber: null, commentId: comment.id } as const
  // Two people may share an address.
  const addresses = new Map(readers.map(({ email, language }) => [email.toLowerCase(), language]))
  await insertDeliveries(
    trx,
    [...addresses].map(([receiver, language]) => ({
      ...about,
      receiver,
      payload: { ...said, language: language ?? config.CLEARWAY_MAIL_LANGUAGE },
    })),
  )
}

/** Changes the mails of a comment that still wait: nobody gets to read what its author has edited out. */
export const editMentionMails = (
  trx: MonitorDb,
  comment: Omit<Mentioning['comment'], 'author'>,
): Promise<void> => retell(trx, comment.id, beginningOf(comment.text, comment.mentions))

/**
 * Whether a message should still go out: one about a comment only while that mentions somebody with this address who reads it and
 * wants such mails. A mail server that was away for a day must not send what was taken back meanwhile.
 */
export async function isStillMeant(
  { db }: { db: MonitorDb },
  delivery: Pick<DeliveryRow, 'comment_id' | 'scan_id' | 'receiver'>,
): Promise<boolean> {
  if (delivery.comment_id === null) return true
  const people = await filterDiscussants(db, delivery.scan_id, await mentionedNow(db, delivery))
  const readers = await mentionReaders(db, people)
  return readers.some(({ email }) => email.toLowerCase() === delivery.receiver)
}
