/** After "remind me later" the notice comes back. */
export const reminderMs = 14 * 24 * 3_600_000

/** Whether to show somebody the notice: there is one, neither dismissed nor postponed by them. */
export function isDue(
  config: { message: string | null; version: number },
  answer: { version: number; remindAt: Date | null } | null,
  now: Date,
): boolean {
  if (config.message === null) return false
  if (!answer || answer.version < config.version) return true
  return answer.remindAt !== null && answer.remindAt <= now
}
