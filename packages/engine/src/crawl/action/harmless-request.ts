import { lookingMethods } from '../../browser/sent-requests.ts'
import { judgeActing } from './judge.ts'

/** Returns true for a request that changes nothing on the site: by its method, and by the words of its address. */
export function isHarmlessRequest(method: string, urlText: string): boolean {
  const url = URL.parse(urlText)
  return lookingMethods.has(method.toUpperCase()) && (url === null || judgeActing(url) === null)
}
