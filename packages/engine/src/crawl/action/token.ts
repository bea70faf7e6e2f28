import * as words from './words.ts'

/** Parameters whose values are a session or a token of one, beyond the tokens of forms. */
const sessionName = /^(?:phpsessid|jsessionid|aspsessionid\w*|cfid|cftoken|sessionid|sessid|sid)$/
/** A value that differs at each sign-in or visit: letters and digits in no order that people choose. */
export const isTokenValue = (value: string): boolean => value.length >= 8 && /\d/.test(value) && /^[\w.~+/=%-]+$/.test(value)

function isToken(rawName: string, value: string): boolean {
  // An extension's parameters are in brackets: `tx_news[token]`.
  const innerName = /(?:\[|%5b)([a-z_-]+)(?:\]|%5d)$/i.exec(rawName)?.[1] ?? rawName
  const name = innerName.toLowerCase().replaceAll(/[^a-z\d]/g, '')
  if (value === '' || words.textParameters.has(name)) return false
  if (words.tokenParameters.has(name) || rawName === '_token' || /csrf|xsrf|.nonce$/.test(name)) return true
  return (words.looseTokenParameters.has(name) || sessionName.test(name)) && isTokenValue(value)
}

/** Writes `*` in place of the tokens of a query. */
const hideInQuery = (query: string): string =>
  query
    .split('&')
    .map((pair) => {
      const [name = '', ...values] = pair.split('=')
      return isToken(name, values.join('=')) ? `${name}=*` : pair
    })
    .join('&')

/**
 * Writes `*` in place of the tokens of a session in a URL: they are secrets, and another one at each sign-in. As a pattern, the
 * result matches the URL.
 */
export function hideTokens(urlText: string): string {
  const [address = '', ...fragments] = urlText.split('#')
  const [path = '', ...queries] = address.split('?')
  const hiddenPath = path.replace(/;jsessionid=[^/;]*/i, ';jsessionid=*').replace(/(\/form_key\/)[^/]+/i, '$1*')
  const fragment = fragments.join('#')
  const [route = '', ...routeQueries] = fragment.split('?')
  return [
    hiddenPath,
    queries.length > 0 ? `?${hideInQuery(queries.join('?'))}` : '',
    fragments.length > 0 ? `#${route}${routeQueries.length > 0 ? `?${hideInQuery(routeQueries.join('?'))}` : ''}` : '',
  ].join('')
}

/** Hides the tokens of all URLs in a text. */
export const hideTokensInText = (text: string): string => text.replaceAll(/https?:\/\/[^\s"'<>]+/g, hideTokens)
