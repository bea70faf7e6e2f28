import { findSecretParameter, hideSecretSegments, toPlainName } from '@clearway/contract/monitor/page/secret/model.ts'
import * as words from './words.ts'

/** A value that differs at each sign-in or visit: letters and digits in no order that people choose. */
export const isTokenValue = (value: string): boolean => value.length >= 8 && /\d/.test(value) && /^[\w.~+/=%-]+$/.test(value)
/** True for values that are longer than the words that people choose. */
const isLongValue = (value: string): boolean => value.length >= 20 && /^[\w.~+/=%-]+$/.test(value)

/** Returns true for a parameter with the token of a form or a session, whatever its value. @param name letters and digits of `rawName` */
export const isFormToken = (name: string, rawName: string): boolean =>
  rawName === '_token' || findSecretParameter(name)?.opening === 'acts'
/** Returns true for a name of tokens that links to harmless pages carry, too. @param name letters and digits of a name */
export const isLooseToken = (name: string): boolean => findSecretParameter(name)?.opening === 'loose'

function isToken(rawName: string, value: string): boolean {
  const listName = rawName.replace(/(?:\[\]|%5b%5d)$/i, '')
  // An extension's parameters are in brackets: `tx_news[token]`.
  const innerName = /(?:\[|%5b)([a-z_-]+)(?:\]|%5d)$/i.exec(listName)?.[1] ?? listName
  const name = toPlainName(innerName)
  if (value === '' || words.textParameters.has(name)) return false
  if (isFormToken(name, rawName)) return true
  const secretParameter = findSecretParameter(name)
  return secretParameter !== null && (isTokenValue(value) || isLongValue(value) || secretParameter.isSecret(value))
}

/** Writes `*` in place of the tokens in an address that is the value of a parameter: the page to return to. */
const hideInAddress = (value: string): string =>
  value.replaceAll(/((?:%3f|%26)([\w.-]+)%3d)((?:(?!%26)[^&#])+)/gi, (pair, head: string, name: string, nested: string) =>
    isToken(name, nested) ? `${head}*` : pair,
  )
/** Writes `*` in place of the tokens of a query. */
const hideInQuery = (query: string): string =>
  query
    .split('&')
    .map((pair) => {
      const [name = '', ...values] = pair.split('=')
      const value = values.join('=')
      return isToken(name, value) ? `${name}=*` : hideInAddress(pair)
    })
    .join('&')
/** A fragment is a route with a query, or the answer of a provider of sign-ins. */
const hideInFragment = (fragment: string): string => {
  const [route = '', ...queries] = fragment.split('?')
  if (queries.length === 0) return fragment.includes('=') ? hideInQuery(fragment) : fragment
  return `${route}?${hideInQuery(queries.join('?'))}`
}

/**
 * Writes `*` in place of the tokens of a session in a URL: they are secrets, and another one at each sign-in. As a pattern, the
 * result matches the URL.
 */
export function hideTokens(urlText: string): string {
  const [address = '', ...fragments] = urlText.split('#')
  const [path = '', ...queries] = address.split('?')
  const hiddenPath = hideSecretSegments(path)
    .replace(/;jsessionid=[^/;]*/i, ';jsessionid=*')
    .replace(/(\/form_key\/)[^/]+/i, '$1*')
  return [
    hiddenPath,
    queries.length > 0 ? `?${hideInQuery(queries.join('?'))}` : '',
    fragments.length > 0 ? `#${hideInFragment(fragments.join('#'))}` : '',
  ].join('')
}

/** Hides the tokens of all URLs in a text. */
export const hideTokensInText = (text: string): string => text.replaceAll(/https?:\/\/[^\s"'<>]+/g, hideTokens)
