import type { AdvancedSettings } from '@clearway/contract/monitor/scan/advanced/schema.ts'

/** The settings that decide which URLs are one page. */
export type PageUrlSettings = Pick<
  AdvancedSettings,
  'meaningfulParameters' | 'meaninglessParameters' | 'ignoreAllParameters' | 'discardAnchors' | 'hashRoutes'
>

export type PageUrl =
  | {
      ok: true
      /** What is visited. */ url: string
      /** What distinguishes pages. */ key: string
      parsed: URL
    }
  | { ok: false; why: 'bad-url' | 'scheme' | 'credentials' }

const longest = 4000

/** A parameter's name as a server reads it; as written when its escapes are broken. */
function nameOf(pair: string): string {
  const raw = pair.split('=', 1)[0]!.replaceAll('+', ' ')
  try {
    return decodeURIComponent(raw)
  } catch {
    return raw
  }
}

/** Names under which servers put a visitor's session into URLs: the page is the same without. */
const sessionName = /^(phpsessid|jsessionid|aspsessionid\w*|cfid|cftoken|session_?id|sessid)$/i

function keptQuery(search: string, settings: PageUrlSettings): string {
  if (settings.ignoreAllParameters || search.length < 2) return ''
  const { meaningfulParameters: only, meaninglessParameters: without } = settings
  const pairs = search
    .slice(1)
    .split('&')
    .filter((pair) => {
      if (pair === '') return false
      const name = nameOf(pair)
      if (sessionName.test(name) && !only.includes(name)) return false
      return (only.length === 0 || only.includes(name)) && !without.includes(name)
    })
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** A fragment that can name a page; a text directive (`#:~:text=`) never does. */
function keptFragment(hash: string, settings: PageUrlSettings): string {
  const fragment = hash.split(':~:', 1)[0]!
  if (settings.hashRoutes && /^#[/!]/.test(fragment)) return fragment
  return settings.discardAnchors || fragment === '#' ? '' : fragment
}

/**
 * Reads a URL, relative to `base` where one is given, and normalises it as the WHATWG URL standard does (case of the
 * host, default port, dot segments, punycode, odd spellings of IP addresses); parameters and fragment by the settings.
 * Only http and https without credentials are URLs of pages.
 */
export function readPageUrl(text: string, settings: PageUrlSettings, base?: string): PageUrl {
  const parsed = URL.parse(text.trim(), base)
  if (!parsed) return { ok: false, why: 'bad-url' }
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') return { ok: false, why: 'scheme' }
  if (parsed.username !== '' || parsed.password !== '') return { ok: false, why: 'credentials' }
  if (parsed.hostname === '' || parsed.href.length > longest) return { ok: false, why: 'bad-url' }
  const fragment = keptFragment(parsed.hash, settings)
  const front = `${parsed.origin}${parsed.pathname}`
  return {
    ok: true,
    url: `${front}${parsed.search === '?' ? '' : parsed.search}${fragment}`,
    key: `${front.replace(/;jsessionid=[^/?#]*/i, '')}${keptQuery(parsed.search, settings)}${fragment}`,
    parsed,
  }
}
