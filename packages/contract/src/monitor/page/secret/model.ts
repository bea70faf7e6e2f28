/**
 * Decision about opening a link with the parameter. `acts`: the token of a form or a request, which sites check before they change
 * something. `loose`: links to harmless pages carry it, too.
 */
type Opening = 'acts' | 'loose' | 'harmless'
/**
 * Decision about storing and showing the parameter. `removed`: it is another one at each sign-in, and the page is the same without it.
 * `hidden`: a secret, and the page may be another one without it.
 */
type Showing = 'removed' | 'hidden'

/** Parameters with a secret. The first row that has a parameter's name counts. */
type SecretParameter = {
  /** Name without upper case and separators: `access_token` and `accessToken` are one. */
  name: RegExp
  opening: Opening
  showing: Showing
  /** Returns false for a value that is none: a page's title, or the identifier of a record. */
  isSecret: (value: string) => boolean
}

const always = (): boolean => true
const uuidPattern = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i
/** Words, also with a number behind them (`oauth2`), numbers and short codes between signs: the path of a file, or the title of a page. */
const isPhrase = (value: string): boolean => {
  const parts = value.split(/[^A-Za-z\d]+/)
  return parts.length >= 3 && parts.every((part) => part.length <= 4 || /^(?:(?:[A-Z]?[a-z]+|[A-Z]+)\d{0,4}|\d+)$/.test(part))
}
/** Heuristic for generated values: letters and digits, or longer than the words that people choose. */
const isGenerated = (value: string): boolean =>
  ((value.length >= 8 && /\d/.test(value) && /[a-z]/i.test(value)) || /^[\w+/=-]{20,}$/.test(value)) && !isPhrase(value)
/** Names of files, and addresses of contracts and accounts in a blockchain. */
const isPublicName = (value: string): boolean => /\.[a-z]{2,5}$/.test(value) || /^0x[\da-f]+$/i.test(value)
const isSignedToken = (value: string): boolean => /^eyJ[\w-]{8,}\.[\w-]+/.test(value)
/** Many letters and digits in no order that people choose. Identifiers of records are no secrets. */
const isRandom = (value: string, minLength: number): boolean =>
  value.length >= minLength &&
  /^[\w.~+/=-]+$/.test(value) &&
  /\d/.test(value) &&
  /[a-z]/i.test(value) &&
  !uuidPattern.test(value) &&
  !isPublicName(value) &&
  !isPhrase(value)
const looksLikeSecret = (value: string): boolean => isSignedToken(value) || isRandom(value, 32)
/** The shortest signatures have 20 bytes: 27 characters. */
const looksLikeSignature = (value: string): boolean => isSignedToken(value) || isRandom(value, 27)

const toNames = (text: string): RegExp => new RegExp(`^(?:${text.trim().split(/\s+/).join('|')})$`)

/** Secrets in the parameters of URLs, with what is decided about them. */
const secretParameters: readonly SecretParameter[] = [
  // Sessions.
  {
    name: toNames('phpsessid jsessionid aspsessionid\\w* cfid cftoken sessionid sessid'),
    opening: 'harmless',
    showing: 'removed',
    isSecret: always,
  },
  // The short name counts only with a hash: identifiers of MongoDB have 24 digits.
  { name: toNames('sid'), opening: 'loose', showing: 'removed', isSecret: (value) => /^[\da-f]{32,}$/i.test(value) },
  // Tokens of forms and of requests.
  {
    name: toNames(`
      nonce wpnonce ajaxnonce \\w+nonce \\w*(?:csrf|xsrf)\\w* csrfmiddlewaretoken authenticitytoken requestverificationtoken sesskey
      wltoken formkey formtoken formbuildid formdigest securitytoken securityhash sectok edittoken rollbacktoken logouttoken
      actiontoken deletetoken synctoken syncrotoken synchronizertoken requesttoken atltoken antiforgery antiforgerytoken mypostkey
      sessiontoken
    `),
    opening: 'acts',
    showing: 'removed',
    isSecret: isGenerated,
  },
  // Lists and articles have parameters of these names, too.
  { name: toNames('crumb postkey viewstate'), opening: 'acts', showing: 'removed', isSecret: looksLikeSecret },
  // Credentials, and what signs the links of stores of files.
  {
    name: toNames(`
      accesstoken refreshtoken idtoken authtoken bearertoken jwt apikey apisecret clientsecret password passwd pwd passphrase
      samlresponse samlart xamzsignature xamzcredential xamzsecuritytoken xgoogsignature xgoogcredential xosssignature
      xosscredential xosssecuritytoken xcossecuritytoken xmssignature awsaccesskeyid googleaccessid ossaccesskeyid qsignature
    `),
    opening: 'harmless',
    showing: 'hidden',
    isSecret: always,
  },
  // A share of a document has a short token.
  { name: toNames('token key'), opening: 'loose', showing: 'hidden', isSecret: looksLikeSecret },
  { name: toNames('sig signature'), opening: 'loose', showing: 'hidden', isSecret: looksLikeSignature },
  {
    name: toNames(
      'secret auth sessionkey authkey accesskey code ticket otp magic invitation invite (?!(?:page|next|prev|continuation|cursor)(?:page)?token$)\\w+token',
    ),
    opening: 'harmless',
    showing: 'hidden',
    isSecret: looksLikeSecret,
  },
  { name: toNames('hmac mac digest \\w+signature'), opening: 'harmless', showing: 'hidden', isSecret: looksLikeSignature },
  // The position in a list is no secret. A `hash` is that of a document; `rev` and `ts` are versions.
  { name: toNames('hash rev ts'), opening: 'loose', showing: 'hidden', isSecret: () => false },
]

/** Name of a parameter without upper case and separators. */
export const toPlainName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z\d]/g, '')

/** Returns what is decided about a parameter; null for a name that is no secret. @param plainName see `toPlainName` */
export const findSecretParameter = (plainName: string): SecretParameter | null =>
  secretParameters.find(({ name }) => name.test(plainName)) ?? null

/** Folders whose pages are opened by a secret in the path: `/reset/9f8e…`. */
const secretFolders =
  /^(?:reset|resets|resetpassword|passwordreset|password|passwords|forgot|recover|recovery|verify|verification|verifyemail|confirm|confirmation|confirmemail|activate|activation|unsubscribe|optout|optin|subscription|subscriptions|invite|invites|invitation|invitations|magic|magiclink|token|tokens|login|signin|auth|sso|onetime|zuruecksetzen|abmelden|abbestellen|bestaetigen|einladung|desabonnement|desinscription|confirmer|invitacion|cancelarsuscripcion|confirmar|disiscrizione|conferma|invito)$/

const hiddenSegment = '*'
/** In place of a signed token, which may be anywhere: a segment `*` is also part of addresses. */
const hiddenSignedSegment = 'eyJ*'
const isBelowSecretFolder = (segments: readonly string[], index: number): boolean =>
  segments.slice(Math.max(0, index - 2), index).some((folder) => secretFolders.test(toPlainName(folder)))

/** Writes `*` in place of the secrets of a path, which may begin with an origin. All else stays as it is written. */
export function hideSecretSegments(path: string): string {
  const segments = path.split('/')
  return segments
    .map((segment, index) => {
      if (isSignedToken(segment)) return hiddenSignedSegment
      return isRandom(segment, 32) && isBelowSecretFolder(segments, index) ? hiddenSegment : segment
    })
    .join('/')
}

/** Returns true for a path that `hideSecretSegments` wrote. */
export const hasHiddenSegment = (path: string): boolean =>
  path
    .split('/')
    .some(
      (segment, index, segments) =>
        segment === hiddenSignedSegment || (segment === hiddenSegment && isBelowSecretFolder(segments, index)),
    )
