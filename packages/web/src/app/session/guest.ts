/** The token of a shared scan: in the link that was opened, then for as long as the tab lives. */
const parameter = 'guestToken'
const key = 'monitor.guest-token'

/** Takes the token out of the URL, so that it is not copied on or kept in the history, or finds the tab's. */
export function takeGuestToken(): string | null {
  const url = new URL(location.href)
  const given = url.searchParams.get(parameter)
  if (given === null) return sessionStorage.getItem(key)
  url.searchParams.delete(parameter)
  history.replaceState(null, '', url)
  sessionStorage.setItem(key, given)
  return given
}

export const forgetGuestToken = (): void => sessionStorage.removeItem(key)
