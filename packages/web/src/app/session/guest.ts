/** Token of a shared scan: taken from the opened link, then kept as long as the tab lives. */
const tokenParameter = 'guestToken'
const guestTokenKey = 'monitor.guest-token'

/** Returns the guest token of the URL or the tab, and removes it from the URL, so that it is not copied or kept in history. */
export function takeGuestToken(): string | null {
  const currentUrl = new URL(location.href)
  const tokenFromUrl = currentUrl.searchParams.get(tokenParameter)
  if (tokenFromUrl === null) return sessionStorage.getItem(guestTokenKey)
  currentUrl.searchParams.delete(tokenParameter)
  history.replaceState(null, '', currentUrl)
  sessionStorage.setItem(guestTokenKey, tokenFromUrl)
  return tokenFromUrl
}

export const forgetGuestToken = (): void => sessionStorage.removeItem(guestTokenKey)
