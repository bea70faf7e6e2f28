import { languages, type Language } from '@clearway/contract/monitor/user/schema.ts'
import { firstSpoken } from '../../../kit/language.ts'
import { escapeHtml } from '../../../kit/html.ts'

/** Texts of the terms page. `{name}` is replaced by the username. */
export type TermsWords = {
  /** Name of the language in the language itself. */
  language: string
  title: string
  agree: string
  back: string
  signedIn: string
  choose: string
  failed: string
  failedWhy: string
  again: string
  /** Default terms, used when the owner configures no text. */
  terms: string
}

const englishWords: TermsWords = {
  language: 'English',
  title: 'Terms of use',
  agree: 'I agree to these terms',
  back: 'Back without agreeing',
  signedIn: 'You are signed in as {name}.',
  choose: 'Language',
  failed: 'The sign-in failed',
  failedWhy: 'It took too long, or it was started in another window.',
  again: 'Start again',
  terms: `You scan only websites that belong to you, or whose owners have agreed.

A scan visits pages as a person would, many of them in a short time. Choose a pace that the site can bear.

What a scan finds may show content of the scanned pages. Share it only with people who may see those pages.

Passwords that you enter for a scan are stored encrypted and are used for that scan only.`,
}
const germanWords: TermsWords = {
  language: 'Deutsch',
  title: 'Nutzungsbedingungen',
  agree: 'Ich stimme diesen Bedingungen zu',
  back: 'Zurück, ohne zuzustimmen',
  signedIn: 'Sie sind angemeldet als {name}.',
  choose: 'Sprache',
  failed: 'Die Anmeldung ist fehlgeschlagen',
  failedWhy: 'Sie hat zu lange gedauert oder wurde in einem anderen Fenster begonnen.',
  again: 'Von vorn beginnen',
  terms: `Sie prüfen nur Websites, die Ihnen gehören oder deren Eigentümer zugestimmt haben.

Eine Prüfung besucht Seiten wie ein Mensch, aber viele davon in kurzer Zeit. Wählen Sie ein Tempo, das die Website verträgt.

Was eine Prüfung findet, kann Inhalte der geprüften Seiten zeigen. Teilen Sie es nur mit Menschen, die diese Seiten sehen dürfen.

Passwörter, die Sie für eine Prüfung eingeben, werden verschlüsselt gespeichert und nur für diese Prüfung verwendet.`,
}
const spanishWords: TermsWords = {
  language: 'Español',
  title: 'Condiciones de uso',
  agree: 'Acepto estas condiciones',
  back: 'Volver sin aceptar',
  signedIn: 'Ha iniciado sesión como {name}.',
  choose: 'Idioma',
  failed: 'No se ha podido iniciar la sesión',
  failedWhy: 'Ha tardado demasiado o se empezó en otra ventana.',
  again: 'Empezar de nuevo',
  terms: `Analiza solo sitios web que le pertenecen o cuyos propietarios están de acuerdo.

Un análisis visita páginas como lo haría una persona, muchas en poco tiempo. Elija un ritmo que el sitio pueda soportar.

Lo que encuentra un análisis puede mostrar contenido de las páginas analizadas. Compártalo solo con personas que puedan ver esas páginas.

Las contraseñas que introduce para un análisis se guardan cifradas y se usan solo para ese análisis.`,
}
const frenchWords: TermsWords = {
  language: 'Français',
  title: 'Conditions d’utilisation',
  agree: 'J’accepte ces conditions',
  back: 'Revenir sans accepter',
  signedIn: 'Vous êtes connecté en tant que {name}.',
  choose: 'Langue',
  failed: 'La connexion a échoué',
  failedWhy: 'Elle a pris trop de temps ou a été commencée dans une autre fenêtre.',
  again: 'Recommencer',
  terms: `Vous n’analysez que des sites web qui vous appartiennent ou dont les propriétaires sont d’accord.

Une analyse visite des pages comme le ferait une personne, mais beaucoup en peu de temps. Choisissez un rythme que le site peut supporter.

Ce qu’une analyse trouve peut montrer le contenu des pages analysées. Ne le partagez qu’avec des personnes qui ont le droit de voir ces pages.

Les mots de passe que vous saisissez pour une analyse sont conservés chiffrés et ne servent qu’à cette analyse.`,
}
const italianWords: TermsWords = {
  language: 'Italiano',
  title: 'Condizioni d’uso',
  agree: 'Accetto queste condizioni',
  back: 'Indietro senza accettare',
  signedIn: 'Accesso effettuato come {name}.',
  choose: 'Lingua',
  failed: 'Accesso non riuscito',
  failedWhy: 'Ha richiesto troppo tempo o è stato iniziato in un’altra finestra.',
  again: 'Ricomincia',
  terms: `Analizza solo siti web che le appartengono o i cui proprietari sono d’accordo.

Un’analisi visita le pagine come farebbe una persona, molte in poco tempo. Scelga un ritmo che il sito possa sopportare.

Ciò che un’analisi trova può mostrare contenuti delle pagine analizzate. Lo condivida solo con chi può vedere quelle pagine.

Le password inserite per un’analisi sono conservate cifrate e usate solo per quell’analisi.`,
}
const japaneseWords: TermsWords = {
  language: '日本語',
  title: '利用規約',
  agree: 'この規約に同意します',
  back: '同意せずに戻る',
  signedIn: '{name} としてサインインしています。',
  choose: '言語',
  failed: 'サインインできませんでした',
  failedWhy: '時間がかかりすぎたか、別のウィンドウで開始されました。',
  again: 'もう一度始める',
  terms: `スキャンするのは、自分のウェブサイト、または所有者の同意を得たウェブサイトだけにしてください。

スキャンは人と同じようにページを訪れますが、短い時間に多くのページを開きます。サイトが耐えられる速さを選んでください。

スキャンの結果には、対象ページの内容が含まれることがあります。そのページを見てよい人とだけ共有してください。

スキャンのために入力したパスワードは暗号化して保存され、そのスキャンにだけ使われます。`,
}

export const termsWords: Readonly<Record<Language, TermsWords>> = {
  de: germanWords,
  en: englishWords,
  es: spanishWords,
  fr: frenchWords,
  it: italianWords,
  ja: japaneseWords,
}

const isSupportedLanguage = (languageCode: string | null | undefined): languageCode is Language =>
  (languages as readonly (string | null | undefined)[]).includes(languageCode)

/** The language chosen by a link, now or earlier, else the first supported language that the browser requests. */
export const chooseTermsLanguage = (preferences: {
  chosenLanguage: string | undefined
  storedLanguage: string | null
  acceptLanguage: string | undefined
}): Language =>
  [preferences.chosenLanguage, preferences.storedLanguage].find(isSupportedLanguage) ??
  firstSpoken(preferences.acceptLanguage, languages) ??
  'en'

/** The chosen language if it is supported, so that only valid choices are stored. */
export const parseLanguage = (languageCode: string | undefined): Language | null =>
  isSupportedLanguage(languageCode) ? languageCode : null

export const termsPath = '/axe-account/terms'

/** Matches the sign-in pages, between which this page is shown: the same colors and the same card. */
const pageStyles = `:root{color-scheme:light dark;--bg:light-dark(#f4f6f8, #0e141a);--surface:light-dark(#ffffff, #161e26);--text:light-dark(#15212c, #e8edf2);
--text-muted:light-dark(#4a5865, #aeb9c4);--line:light-dark(#d8dee4, #2d3945);--accent:light-dark(#1650bd, #8fb5ff);
--accent-hover:light-dark(#0f3f99, #b3ceff);--on-accent:light-dark(#ffffff, #0a1a33);--focus:light-dark(#0b3d91, #ffd75e)}
*{box-sizing:border-box}body{font:.9375rem/1.6 system-ui,sans-serif;margin:0 auto;padding:2rem 1rem;max-width:40rem;overflow-wrap:anywhere;background:var(--bg);color:var(--text)}
main{padding:2rem;background:var(--surface);border:1px solid var(--line);border-radius:12px}h1{margin:0 0 1rem;font-size:1.5rem;line-height:1.2}
header p{margin:1.5rem 0 .5rem;color:var(--text-muted);font-weight:650}a:not(.button){color:var(--accent)}
button,a.button{display:inline-block;font:inherit;font-weight:650;min-height:2.75rem;padding:.5rem 1.25rem;border:1px solid transparent;border-radius:8px;background:var(--accent);color:var(--on-accent);text-decoration:none;cursor:pointer}
button:hover,a.button:hover{background:var(--accent-hover)}main>:last-child{margin-bottom:0}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;list-style:none;margin:0;padding:0}nav a,nav span{display:inline-block;min-height:24px}
nav [aria-current]{font-weight:600}:focus-visible{outline:3px solid var(--focus);outline-offset:2px}`

type PageContent = { language: Language; title: string; body: string; nonce: string }

export const renderPage = ({ language, title, body, nonce }: PageContent): string => `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><link rel="icon" href="data:,"><style nonce="${nonce}">${pageStyles}</style></head>
<body>${body}</body></html>`

/** One link for each language, labeled in that language; `back` is preserved. */
function renderLanguageLinks(language: Language, returnUrl: string): string {
  const linkItems = Object.entries(termsWords).map(([languageCode, languageWords]) => {
    if (languageCode === language) return `<li><span aria-current="true">${languageWords.language}</span></li>`
    const linkQuery = new URLSearchParams({ lang: languageCode, 'original-redirect': returnUrl })
    const escapedHref = escapeHtml(`${termsPath}?${linkQuery.toString()}`)
    return `<li><a href="${escapedHref}" lang="${languageCode}" hreflang="${languageCode}">${languageWords.language}</a></li>`
  })
  return `<nav aria-label="${escapeHtml(termsWords[language].choose)}"><ul>${linkItems.join('')}</ul></nav>`
}

/** HTML body of the terms page; `text` is the owner's, in any language, null for the default terms. */
export function renderTermsBody(pageContent: {
  language: Language
  productName: string
  text: string | null
  username: string
  back: string
  token: string
}): string {
  const languageWords = termsWords[pageContent.language]
  const paragraphs = (pageContent.text ?? languageWords.terms)
    .split(/\n\s*\n/)
    .map((paragraph) => `<p>${escapeHtml(paragraph.trim())}</p>`)
    .join('\n')
  const [textBeforeName, textAfterName] = languageWords.signedIn.split('{name}')
  return `<header>${renderLanguageLinks(pageContent.language, pageContent.back)}<p>${escapeHtml(pageContent.productName)}</p></header>
<main><h1>${languageWords.title}</h1>
${paragraphs}
<form method="post" action="${termsPath}">
<input type="hidden" name="token" value="${escapeHtml(pageContent.token)}">
<input type="hidden" name="original-redirect" value="${escapeHtml(pageContent.back)}">
<p>${textBeforeName}<strong>${escapeHtml(pageContent.username)}</strong>${textAfterName}</p>
<button>${languageWords.agree}</button></form>
<p><a href="${escapeHtml(pageContent.back)}">${languageWords.back}</a></p></main>`
}

export function renderFailedBody(language: Language): string {
  const { failed: failedTitle, failedWhy: failureReason, again: retryLabel } = termsWords[language]
  return `<main><h1>${failedTitle}</h1><p>${failureReason}</p>
<p><a class="button" href="${termsPath}">${retryLabel}</a></p></main>`
}
