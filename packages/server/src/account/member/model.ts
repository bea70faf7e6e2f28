/** The redirect target after the terms: a URL of this installation, else the start page of the product. */
export function resolveReturnUrl(requestedUrl: string | undefined, publicUrl: string): string {
  const returnUrl = URL.parse(requestedUrl ?? '', publicUrl)
  return returnUrl && requestedUrl && returnUrl.origin === new URL(publicUrl).origin ? returnUrl.href : `${publicUrl}/monitor`
}

export function readCookie(cookieHeader: string | undefined, cookieName: string): string | null {
  const cookiePair = (cookieHeader ?? '').split(/;\s*/).find((pair) => pair.startsWith(`${cookieName}=`))
  return cookiePair?.slice(cookieName.length + 1) || null
}
