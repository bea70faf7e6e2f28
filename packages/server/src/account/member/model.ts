/** Where to go after the terms: a URL of this installation, else the product's start. */
export function backTo(asked: string | undefined, publicUrl: string): string {
  const url = URL.parse(asked ?? '', publicUrl)
  return url && asked && url.origin === new URL(publicUrl).origin ? url.href : `${publicUrl}/monitor`
}

/** The value of one cookie of a request. */
export function cookieOf(header: string | undefined, name: string): string | null {
  const found = (header ?? '').split(/;\s*/).find((part) => part.startsWith(`${name}=`))
  return found?.slice(name.length + 1) || null
}
