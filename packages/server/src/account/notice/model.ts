export const reminderDelayMs = 14 * 24 * 3_600_000

/** True if there is a notice that the member has neither dismissed nor postponed. */
export function isNoticeDue(
  noticeConfig: { message: string | null; version: number },
  noticeAnswer: { version: number; remindAt: Date | null } | null,
  now: Date,
): boolean {
  if (noticeConfig.message === null) return false
  if (!noticeAnswer || noticeAnswer.version < noticeConfig.version) return true
  return noticeAnswer.remindAt !== null && noticeAnswer.remindAt <= now
}
