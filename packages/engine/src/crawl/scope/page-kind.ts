/**
 * Kinds of pages that most sites have once, with the words that name them in addresses and texts of links: English, German,
 * French, Spanish, Italian, Japanese. Words are in lower case without diacritics.
 */
const wordsByKind = {
  contact: [
    'contact',
    'contact us',
    'contacts',
    'get in touch',
    'kontakt',
    'kontaktformular',
    'contactez nous',
    'nous contacter',
    'contacter',
    'contacto',
    'contactenos',
    'contactar',
    'contatti',
    'contatto',
    'contattaci',
    'お問い合わせ',
    'お問合せ',
    '連絡先',
  ],
  statement: [
    'accessibility',
    'accessibility statement',
    'barrierefreiheit',
    'erklarung zur barrierefreiheit',
    'accessibilite',
    'declaration d accessibilite',
    'accesibilidad',
    'declaracion de accesibilidad',
    'accessibilita',
    'dichiarazione di accessibilita',
    'アクセシビリティ',
    'ウェブアクセシビリティ',
    'アクセシビリティ方針',
    'a11y',
  ],
  search: [
    'search',
    'advanced search',
    'suche',
    'suchen',
    'erweiterte suche',
    'recherche',
    'rechercher',
    'buscar',
    'busqueda',
    'buscador',
    'cerca',
    'ricerca',
    '検索',
    'サイト内検索',
    'find',
  ],
  signin: [
    'login',
    'log in',
    'signin',
    'sign in',
    'logon',
    'log on',
    'anmelden',
    'anmeldung',
    'einloggen',
    'connexion',
    'se connecter',
    's identifier',
    'iniciar sesion',
    'acceder',
    'ingresar',
    'accedi',
    'accesso',
    'ログイン',
    'サインイン',
    'my account',
    'mein konto',
    'mon compte',
    'mi cuenta',
  ],
  register: [
    'register',
    'registration',
    'sign up',
    'signup',
    'create account',
    'join',
    'registrieren',
    'registrierung',
    'konto erstellen',
    'inscription',
    's inscrire',
    'creer un compte',
    'registro',
    'registrarse',
    'crear cuenta',
    'registrazione',
    'registrati',
    'iscriviti',
    '新規登録',
    '会員登録',
    'アカウント作成',
  ],
  checkout: [
    'checkout',
    'check out',
    'cart',
    'basket',
    'shopping cart',
    'bag',
    'warenkorb',
    'kasse',
    'panier',
    'commande',
    'carrito',
    'cesta',
    'pagar',
    'carrello',
    'cassa',
    'カート',
    'ご購入手続き',
    '買い物かご',
  ],
  help: [
    'help',
    'faq',
    'faqs',
    'support',
    'hilfe',
    'haufige fragen',
    'aide',
    'ayuda',
    'preguntas frecuentes',
    'soporte',
    'aiuto',
    'assistenza',
    'domande frequenti',
    'ヘルプ',
    'よくある質問',
    'サポート',
  ],
  privacy: [
    'privacy',
    'privacy policy',
    'privacy notice',
    'data protection',
    'datenschutz',
    'datenschutzerklarung',
    'confidentialite',
    'politique de confidentialite',
    'vie privee',
    'privacidad',
    'politica de privacidad',
    'aviso de privacidad',
    'informativa privacy',
    'informativa sulla privacy',
    'プライバシーポリシー',
    '個人情報保護方針',
    'プライバシー',
  ],
  legal: [
    'imprint',
    'impressum',
    'legal',
    'legal notice',
    'terms',
    'terms of use',
    'terms of service',
    'terms and conditions',
    'agb',
    'mentions legales',
    'aviso legal',
    'note legali',
    'condizioni',
    'nutzungsbedingungen',
    '利用規約',
    'disclaimer',
  ],
  sitemap: [
    'sitemap',
    'site map',
    'site index',
    'seitenubersicht',
    'inhaltsverzeichnis',
    'plan du site',
    'mapa del sitio',
    'mapa web',
    'mappa del sito',
    'サイトマップ',
  ],
  about: [
    'about',
    'about us',
    'uber uns',
    'ueber uns',
    'a propos',
    'qui sommes nous',
    'sobre nosotros',
    'acerca de',
    'quienes somos',
    'chi siamo',
    '会社概要',
    '概要',
  ],
  newsletter: [
    'newsletter',
    'subscribe',
    'mailing list',
    'infolettre',
    'boletin',
    'suscribirse',
    'メールマガジン',
    'ニュースレター',
    'abonnieren',
  ],
  posting: [
    'new topic',
    'new post',
    'new thread',
    'post',
    'posting',
    'reply',
    'ask',
    'ask question',
    'submit',
    'compose',
    'write',
    'create',
    'new',
    'neues thema',
    'beitrag schreiben',
    'antworten',
    'nouveau sujet',
    'repondre',
    'nuevo tema',
    'responder',
    'nuova discussione',
    'rispondi',
    '投稿',
    '返信',
    '新規投稿',
  ],
  form: [
    'form',
    'forms',
    'apply',
    'apply online',
    'application',
    'application form',
    'report',
    'book',
    'booking',
    'appointment',
    'order',
    'request',
    'feedback',
    'formular',
    'formulare',
    'antrag',
    'beantragen',
    'bestellen',
    'termin',
    'formulaire',
    'demande',
    'commander',
    'rendez vous',
    'formulario',
    'solicitud',
    'solicitar',
    'cita',
    'modulo',
    'domanda',
    'richiesta',
    'prenota',
    'prenotazione',
    '申請',
    'フォーム',
    '申込',
    '予約',
    'お申し込み',
  ],
  error: ['404', 'not found', 'error', 'fehler', 'erreur', 'errore', 'page not found'],
}

const kindsByWords = new Map(
  Object.entries<readonly string[]>(wordsByKind).flatMap(([kind, phrases]) => phrases.map((phrase) => [phrase, kind] as const)),
)
/** Kinds that a relation of a link names. */
const kindsByRelation = new Map([
  ['help', 'help'],
  ['search', 'search'],
  ['privacy-policy', 'privacy'],
  ['terms-of-service', 'legal'],
  ['license', 'legal'],
  ['author', 'about'],
])

const maxPhraseLength = 60

/** Words in lower case, without diacritics and punctuation. */
const toPhrase = (text: string): string =>
  text
    .slice(0, maxPhraseLength)
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const decodeSegment = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Parts of an address that may name its page: the last segments, and values of parameters. */
function listNames(url: URL): string[] {
  const segments = url.pathname.split('/').filter(Boolean).slice(-2).reverse()
  const values = [...url.searchParams.values()].slice(0, 4)
  return [...segments, ...values].map((name) =>
    decodeSegment(name)
      .replace(/\.\w{2,5}$/, '')
      .replace(/^\w+:/, ''),
  )
}

/** Returns the kind of page that most sites have once, and whether its own name says so; null for other pages. */
export function findCommonKind(
  url: URL,
  link: { label?: string; relations?: readonly string[] },
): { kind: string; isNamed: boolean } | null {
  const [lastName = '', ...otherNames] = listNames(url)
  const ownKind = kindsByWords.get(toPhrase(lastName))
  if (ownKind !== undefined) return { kind: ownKind, isNamed: true }
  const relation = link.relations?.find((name) => kindsByRelation.has(name))
  if (relation !== undefined) return { kind: kindsByRelation.get(relation)!, isNamed: true }
  const labelKind = link.label === undefined ? undefined : kindsByWords.get(toPhrase(link.label))
  if (labelKind !== undefined) return { kind: labelKind, isNamed: true }
  const otherKind = otherNames.map((name) => kindsByWords.get(toPhrase(name))).find((kind) => kind !== undefined)
  return otherKind === undefined ? null : { kind: otherKind, isNamed: false }
}
