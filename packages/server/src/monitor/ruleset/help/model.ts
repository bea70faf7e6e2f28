import { createHash } from 'node:crypto'
import { languages } from '@clearway/contract/monitor/user/schema.ts'
import { escapeHtml } from '../../../kit/html.ts'
import { firstSpoken } from '../../../kit/language.ts'

/** A rule on a help page. Facts without a text are left out, neighbors of one name share it. `isCode` keeps the lines of a text. */
export type HelpArticle = { id: string; title: string; facts: { name: string; text: string; isCode?: boolean }[] }

export type HelpPage = { html: string; policy: string }

const pageStyle = `:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 45rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
a { color: LinkText; } a:focus-visible { outline: 3px solid; outline-offset: 2px; }
article { border-top: 1px solid; padding: .5rem 0 1rem; } dt { font-weight: bold; } dd { margin: 0 0 .5rem; }
dd code { white-space: pre-wrap; }
:target { outline: 2px solid; outline-offset: .5rem; } nav ul { padding-left: 1.25rem; }`

/** The preferred supported language of a browser; English for none. */
export const selectLanguage = (acceptLanguage: string | undefined): string => firstSpoken(acceptLanguage, languages) ?? 'en'

function renderArticle({ id, title, facts }: HelpArticle): string {
  const renderText = (text: string, isCode = false) => (isCode ? `<code>${escapeHtml(text)}</code>` : escapeHtml(text))
  const factItems = facts
    .filter(({ text }) => text !== '')
    .map(({ name, text, isCode }, index, shownFacts) => {
      const term = shownFacts[index - 1]?.name === name ? '' : `<dt>${escapeHtml(name)}</dt>`
      return `${term}<dd>${renderText(text, isCode)}</dd>`
    })
  return `<article id="${id}"><h2>${escapeHtml(title)}</h2><p><code>${id}</code></p><dl>${factItems.join('')}</dl></article>`
}

export function renderHelpPage(page: {
  language: string
  title: string
  introduction: string
  articles: readonly HelpArticle[]
}): HelpPage {
  const { language, title, introduction, articles } = page
  const indexItems = articles.map(({ id, title: name }) => `<li><a href="#${id}">${escapeHtml(name)}</a></li>`).join('')
  const introductionHtml = introduction === '' ? '' : `<p>${escapeHtml(introduction)}</p>`
  const pageHtml = `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><style>${pageStyle}</style></head>
<body><header><h1>${escapeHtml(title)}</h1>${introductionHtml}</header><nav aria-label="${escapeHtml(title)}"><ul>${indexItems}</ul></nav>
<main>${articles.map(renderArticle).join('\n')}</main></body></html>`
  const styleHash = createHash('sha256').update(pageStyle).digest('base64')
  return {
    html: pageHtml,
    policy: `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'; base-uri 'none'`,
  }
}
