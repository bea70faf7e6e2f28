import { toWords } from './words.ts'

// Words of links that sign out, as data. All words are lower case, without diacritics and separators: `cerrarsesion`.

/** Phrases for signing out, in the languages of the product and related ones. */
export const signOutPhrases = toWords(`
  logout logoff signout signoff signmeout logmeout sessionlogout singlelogout slo closeconnection loggingout
  signingout unauthenticate abmelden abmeldung ausloggen ausloggung abmeldevorgang logoutausfuehren deconnexion
  deconnecter sedeconnecter deconnectez deconnectezvous deconnect deconnexioncompte desconectar desconectarse
  desconexion disconnetti disconnettiti disconnettersi disconnessione disconnect esciaccount effettualogout
  disconnetter disconnettimi scollegati scollega scollegamento desloguear desloguearse auslogen deconnecte システム終了
  ログアウト ログオフ サインアウト サインオフ uitloggen afmelden wyloguj wylogujsie wylogowanie odjava odjavi odhlasit odhlasenie
  odhlaseni loggaut loggut logud logaf kirjauduulos kijelentkezes cikisyap oturumukapat выход выйти 退出登录 登出 注销 로그아웃
`)

/** Words that mean signing out only where a person's account is meant. */
export const shortSignOuts: ReadonlySet<string> = new Set([
  'exit',
  'salir',
  'sair',
  'esci',
  'uscita',
  'quitter',
  'sortir',
  'beenden',
  '終了',
  'uscire',
  '退出',
])
/** Phrases that also end a newsletter or a course. */
export const ambiguousSignOuts: ReadonlySet<string> = new Set([
  'abmelden',
  'abmeldung',
  'afmelden',
  'odjava',
  'odjavi',
  'disconnect',
  'desconectar',
])
/** Words of a path or query for what an ambiguous phrase ends instead of a session. */
export const subscriptionPattern =
  /newsletter|mailing|kita|kindergarten|schule|verein|kfz|auto|fahrzeug|gewerbe|wohnsitz|wohnung|einwohner|melde(?:amt|wesen)|umzug|hund|rundfunk|muell|abfall|strom|lebenslage|dienstleistung|mitgliedschaft|rundbrief|infobrief|boletin|lettre|notiziario|メルマガ|subscri|abonn|nieuwsbrief|kurs|veranstaltung|seminar|bluetooth|device|geraet|wlan|wifi/

/** Hosts for subscriptions alone. Other words of a host name its owner: a school or a club has sessions, too. */
export const subscriptionHostPattern = /(?:^|[.-])(?:newsletters?|mailings?|abo|subscriptions?)[.-]/

/** Words around a phrase that do not change what it does. */
export const decorations = toWords(`
 do user users usr member account ajax action my me now servlet handler page view all everywhere completed? done bestaetigt conferma confirma confirmacion aktion von de del da
  から 完了 確認 処理 ページ 画面 実行 会員 マイ メンバー アカウント システム する を salir esci sso saml2? oauth2? oidc
 openid cas global process perform api auth admin app default index request confirm confirmed front frontend backend
 customer client session site special spezial especial speciale 特別 redirect callback current local web portal j wp benutzer
 konto utilisateur compte usuario cuenta utente ユーザー initiated? jetzt spring security controller post get
`)

/** Words for the end of a session, around the word for it: `fin-de-la-sesion`, `sitzung-schliessen`. */
const sessionEnds = toWords(`
  end close destroy delete terminate kill leave quit exit invalidate finish clear abort beenden schliessen abbrechen verlassen
  loeschen s?ende fin finir quitter clore cloturer cloture terminer fermer fermeture cerrar cierra cierre finalizar terminar
  abandonar salir acabar fine chiudi chiudere chiusura termina terminare esci uscire uscita encerrar sair 終了 終了する
`)
const sessionNouns = toWords('sessions? sitzung sesion(?:es)? sessione sessao セッション')
const articles = toWords('the de del? la las ma mi mia su votre tu tua my deine die dalla della da を')
/** Places that a person leaves, after the word for it: `esci-dal-sito`. */
const placesToLeave = toWords(`
  (?:esci|uscire)(?:dal|dalla|dallo|dall)(?:sito|portale|sistema|account|app|applicazione|area\\w{0,12})
  salir(?:del|dela)(?:sistema|sitio|portal|cuenta|aplicacion) (?:aus|vom)(?:dem)?(?:system|portal)abmelden
`)

const [ends, nouns, links] = [sessionEnds, sessionNouns, articles].map((list) => `(?:${list.join('|')})`)
/** Expressions for all ways to sign out. */
export const signOutExpressions: readonly string[] = [
  ...signOutPhrases,
  ...placesToLeave,
  `${ends}${links}{0,2}${nouns}`,
  `${nouns}${links}{0,2}${ends}`,
]
/** Names of the end of a session, which are also titles: `/travaux/fin-de-session`. */
export const sessionEndNouns: RegExp = new RegExp(
  `^(?:${toWords('s?ende fin fine fermeture cloture cierre chiusura uscita encerramento 終了').join('|')})${links}{0,2}${nouns}$|^${nouns}(?:${toWords('s?ende fin fine').join('|')})$`,
  'u',
)
/** Matches two parts of a path that are one way to sign out: `/session/end`. */
export const sessionPattern = new RegExp(nouns!, 'u')

/** Parts of a path that belong to a person's account. */
export const accountFolders: ReadonlySet<string> = new Set(
  toWords(`
  account accounts user users member members auth session sessions login profile my me myaccount mypage admin app portal sso security
  identity konto benutzer profil compte utilisateur cuenta usuario usuarios utente conta perfil profilo micuenta minhaconta moncompte monespace espaceclient espacepersonnel areariservata areapersonale
    areacliente areaclienti areaprivada meinkonto meinprofil kundenkonto kundenbereich マイページ アカウント 会員
`),
)
