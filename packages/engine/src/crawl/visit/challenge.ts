/** Headers by which services mark a challenge instead of the page. */
export const isChallengeResponse = (headers: Readonly<Record<string, string>>): boolean =>
  headers['cf-mitigated'] === 'challenge' || headers['x-amzn-waf-action'] !== undefined
