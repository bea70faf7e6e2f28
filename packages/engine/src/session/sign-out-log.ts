/** Pages that were opened since the latest sign-in and may have ended its session. */
export type SignOutLog = {
  /** Notes a visit. Returns the function to call at its end. */
  beginVisit(url: string): (isProved: boolean) => void
  /** Returns the pages that may have ended the session, oldest first, and forgets them. */
  takeSuspects(): string[]
  /** Notes pages that did not end a session. */
  clear(urls: readonly string[]): void
}

/** More suspects are not checked: opening all of them again takes too long. */
const maxSuspects = 8
const maxOpenedPages = 64
const maxRemembered = 20_000

type OpenedPage = { url: string; endedAt: number | null }

/** Opens an empty log. Times are positions in the order of events, since clocks are too coarse for fast pages. */
export function openSignOutLog(): SignOutLog {
  let openedPages: OpenedPage[] = []
  let position = 0
  const harmlessUrls = new Set<string>()
  return {
    beginVisit(url) {
      const beganAt = (position += 1)
      const openedPage: OpenedPage = { url, endedAt: null }
      openedPages.push(openedPage)
      if (openedPages.length > maxOpenedPages) openedPages.shift()
      return (isProved) => {
        openedPage.endedAt = position += 1
        // The session lived after all visits that had ended before this one began.
        if (isProved) openedPages = openedPages.filter(({ endedAt }) => endedAt === null || endedAt > beganAt)
      }
    },
    takeSuspects() {
      const suspects = [...new Set(openedPages.map(({ url }) => url))].filter((url) => !harmlessUrls.has(url))
      openedPages = []
      return suspects.length > maxSuspects ? [] : suspects
    },
    clear(urls) {
      if (harmlessUrls.size >= maxRemembered) harmlessUrls.clear()
      for (const url of urls) harmlessUrls.add(url)
    },
  }
}
