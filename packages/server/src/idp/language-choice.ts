import type { IncomingHttpHeaders } from 'node:http'
import { type Language, languages } from '@clearway/contract/monitor/user/schema.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readCookie } from './cookie.ts'
import { realmPath } from './realm.ts'
import { chooseLanguage } from './word/word.ts'

const languageCookie = 'clearway_language'
/** Longer than a sign-in takes. The application keeps the language of a person itself. */
const cookieSeconds = 600

/** A request of a page, of our own routes or of the provider. */
type PageRequest = { query: unknown; headers: IncomingHttpHeaders }

function findLinkedLanguage(request: PageRequest): Language | undefined {
  const { lang } = request.query as Record<string, unknown>
  return languages.find((language) => language === lang)
}

/**
 * The language of a page: the one that its reader chose by a link on this page or an earlier one of the sign-in, else
 * `requested` by the application, else the one of the browser.
 */
export function detectLanguage(request: PageRequest, requested?: string): Language {
  const chosen = findLinkedLanguage(request) ?? (readCookie(request, languageCookie) || requested)
  return chooseLanguage({ chosen, header: request.headers['accept-language'] })
}

/** Keeps a language that was chosen by a link for the following pages. */
export function keepLinkedLanguage(request: FastifyRequest, reply: FastifyReply): void {
  const language = findLinkedLanguage(request)
  if (language)
    void reply.header(
      'set-cookie',
      `${languageCookie}=${language}; Path=${realmPath}; HttpOnly; SameSite=Lax; Max-Age=${cookieSeconds}`,
    )
}

/** As in the header of the application. */
const globePath =
  'M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM1.8 8h12.4M8 1.5c2.2 2 2.6 4 2.6 6.5S10.2 12.5 8 14.5C5.8 12.5 5.4 10.5 5.4 8S5.8 3.5 8 1.5z'
const chevronPath = 'm4 6 4 4 4-4'
const drawIcon = (path: string): string => `<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${path}"/></svg>`

const getLanguageName = (language: Language): string =>
  new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language

/** The language of the page, which opens the links to the others. `path` is the URL of the page without the language. */
export function renderLanguageLinks(path: string, current: Language): string {
  const separator = path.includes('?') ? '&amp;' : '?'
  const links = languages
    .filter((language) => language !== current)
    .map((language) => {
      const name = `<span lang="${language}">${getLanguageName(language)}</span>`
      return `<li><a href="${path}${separator}lang=${language}" hreflang="${language}">${name}</a></li>`
    })
  const summary = `${drawIcon(globePath)}<span>${getLanguageName(current)}</span>${drawIcon(chevronPath)}`
  return `<details class="languages"><summary>${summary}</summary><ul>${links.join('')}</ul></details>`
}
