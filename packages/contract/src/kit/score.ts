/** Converts a score of 0–1 to the displayed whole number. 100 means a perfect score only. */
export const toScorePoints = (score: number): number => (score === 1 ? 100 : Math.min(99, Math.round(score * 100)))

/** Points by which a displayed score may be off, never rounded down. */
export const toErrorPoints = ({ error }: { error: number }): number => Math.ceil(error * 100)
