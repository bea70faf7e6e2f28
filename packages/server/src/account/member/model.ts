/** Where to go after the terms: an address of this installation, else the product's start. */
export function backTo(asked: string | undefined, publicUrl: string): string {
  const url = URL.parse(asked ?? '', publicUrl)
  return url && asked && url.origin === new URL(publicUrl).origin ? url.href : `${publicUrl}/monitor`
}

/** The value of one cookie of a request. */
export function cookieOf(header: string | undefined, name: string): string | null {
  const found = (header ?? '').split(/;\s*/).find((part) => part.startsWith(`${name}=`))
  return found?.slice(name.length + 1) || null
}

/** What is agreed to when the settings name no text of the owner's. */
export const ownTerms = `You scan only websites that belong to you, or whose owners have agreed.

A scan visits pages as a person would, many of them in a short time. Choose a pace that the site can bear.

What a scan finds may show content of the scanned pages. Share it only with people who may see those pages.

Passwords that you enter for a scan are stored encrypted and are used for that scan only.`
